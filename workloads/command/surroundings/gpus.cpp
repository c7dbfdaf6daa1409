#include "workloads/command/surroundings/gpus.hpp"

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

#include "results/text/text.hpp"

namespace retrial::workloads::command::inline surroundings {

namespace {

namespace fs = std::filesystem;

/// The first line of /sys/module/nvidia/version: "535.129.03".
std::string driver_below(const fs::path& root) {
  std::ifstream stream(root / "sys/module/nvidia/version");
  std::string line;
  return std::getline(stream, line) ? results::one_line(line, 100) : "";
}

/// The line "Model: ..." of each card, sorted.
std::vector<std::string> models_below(const fs::path& root) {
  std::vector<std::string> models;
  std::error_code error;
  for (fs::directory_iterator card(root / "proc/driver/nvidia/gpus", error), end; !error && card != end;
       card.increment(error)) {
    std::ifstream stream(card->path() / "information");
    for (std::string line; std::getline(stream, line);)
      if (const std::string key = "Model:"; line.starts_with(key)) {
        const auto begin = line.find_first_not_of(" \t", key.size());
        if (begin != std::string::npos) models.push_back(results::one_line(line.substr(begin), 100));
      }
  }
  std::sort(models.begin(), models.end());
  return models;
}

}  // namespace

Json gpu_facts(const fs::path& root) {
  Json facts = Json::object();
  if (const auto models = models_below(root); !models.empty()) facts["gpus"] = results::joined(models);
  if (const auto driver = driver_below(root); !driver.empty()) facts["gpu_driver"] = "NVIDIA " + driver;
  return facts;
}

}  // namespace retrial::workloads::command::inline surroundings
