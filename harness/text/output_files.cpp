#include "harness/text/output_files.hpp"

#include <fstream>
#include <string_view>

#include "harness/text/output.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline text {
namespace {

namespace fs = std::filesystem;

fs::path spelled_out(const fs::path& file) {
  std::error_code ignored;
  const auto absolute = fs::absolute(file, ignored);
  auto canonical = fs::weakly_canonical(absolute, ignored);
  return ignored ? absolute.lexically_normal() : canonical;
}

bool same_file(const fs::path& a, const fs::path& b) {
  std::error_code ignored;
  return fs::equivalent(a, b, ignored) || spelled_out(a) == spelled_out(b);
}

bool is_study(const fs::path& file) {
  std::error_code ignored;
  return file.extension() == ".toml" && fs::is_regular_file(file, ignored);
}

[[noreturn]] void refuse_output(const OutputFile& output, const std::string& problem) {
  throw Error({.code = "output.would_destroy",
               .field = output.option,
               .value = results::one_line(output.path.string(), 200),
               .problem = problem,
               .help = "choose another file; nothing was written"});
}

}  // namespace

bool is_store(const fs::path& file) {
  constexpr std::string_view magic = "SQLite format 3";
  std::error_code ignored;
  if (!fs::is_regular_file(file, ignored)) return false;
  std::string start(magic.size(), '\0');
  std::ifstream in(file, std::ios::binary);
  return in.read(start.data(), static_cast<std::streamsize>(start.size())) && start == magic;
}

void demand_separate(const std::vector<OutputFile>& outputs, const std::vector<fs::path>& inputs) {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const auto& [option, path] = outputs[i];
    for (const auto& input : inputs)
      if (same_file(path, input))
        refuse_output(outputs[i], "is also an input: " + results::one_line(input.string(), 200));
    if (is_store(path)) refuse_output(outputs[i], "is a store, which would be lost");
    if (is_study(path)) refuse_output(outputs[i], "is a study file, which would be lost");
    for (std::size_t j = 0; j < i; ++j)
      if (same_file(path, outputs[j].path)) refuse_output(outputs[i], "is also the file of " + outputs[j].option);
  }
}

void write_new_output(const std::string& file, const std::string& bytes, bool force) {
  if (!force && fs::is_regular_file(file))
    throw Error({.code = "output.exists",
                 .where = results::one_line(file, 200),
                 .problem = "already exists",
                 .help = "use --force to replace it"});
  write_output(file, bytes);
}

}  // namespace retrial::harness::inline text
