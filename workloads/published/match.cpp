#include "workloads/published/match.hpp"

#include <algorithm>

#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "workloads/nn/protocol/schedule.hpp"

namespace retrial::published {
namespace {

const std::vector<std::string> data_keys{"split", "files", "downscale", "train_count", "validation"};

std::vector<double> shape_of(const std::string& milestones, const Values& values) {
  const auto epochs = values.find("epochs");
  if (epochs == values.end()) return {};
  return nn::learning_rates({.lr = 1, .gamma = 0.5, .milestones = milestones},
                            static_cast<int>(std::get<std::int64_t>(epochs->second)));
}

bool equal(const std::string& key, const Value& ours, const Value& published, const Values& values) {
  if (ours == published) return true;
  if (key != "milestones") return false;
  return shape_of(std::get<std::string>(ours), values) == shape_of(std::get<std::string>(published), values);
}

/// A row may name a key that this version of the workload does not have: then no variant matches it.
bool has(const workloads::Declaration& declaration, const Setting& setting, const Values& values) try {
  return values.contains(setting.key) &&
         equal(setting.key, values.at(setting.key),
               workloads::parsed(declaration, setting.key, setting.value, "ledger"), values);
} catch (const Error&) {
  return false;  // an unknown method or network
}

}  // namespace

bool is_about(const Row& row, const workloads::Declaration& declaration, const Values& values) {
  return !row.subject.empty() && std::all_of(row.subject.begin(), row.subject.end(),
                                             [&](const auto& setting) { return has(declaration, setting, values); });
}

std::vector<KeyDifference> protocol_differences(const Row& row, const workloads::Declaration& declaration,
                                                const Values& values) {
  std::vector<KeyDifference> out;
  for (const auto& setting : row.protocol)
    if (!has(declaration, setting, values))
      out.push_back({setting.key,
                     values.contains(setting.key) ? results::text_of(values.at(setting.key)) : "no such key",
                     setting.value});
  return out;
}

std::vector<KeyDifference> data_differences(const workloads::Declaration& declaration, const Values& values) {
  std::vector<KeyDifference> out;
  for (const std::string& key : data_keys)
    if (const auto* parameter = workloads::find_parameter(declaration, key))
      if (values.at(key) != parameter->fallback)
        out.push_back({key, results::text_of(values.at(key)), results::text_of(parameter->fallback)});
  return out;
}

}  // namespace retrial::published
