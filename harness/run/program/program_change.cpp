#include "harness/run/program/program_change.hpp"

#include "results/text/text.hpp"
#include "workloads/interface/declaration.hpp"

namespace retrial::harness::inline run::inline program {
namespace {

constexpr std::size_t shown_digits = 12;

std::string shown(const results::Digest& digest) {
  return results::hex(digest).substr(0, shown_digits);
}

bool is_list(const Json& program, std::size_t size) {
  return program.is_array() && program.size() == size;
}

}  // namespace

std::string name_of_source(const std::filesystem::path& source, const std::filesystem::path& base) {
  const auto relative = source.lexically_relative(base);
  return relative.empty() || *relative.begin() == ".." ? source.string() : relative.string();
}

std::string file_change(const std::string& name, const results::Digest& before,
                        const std::optional<results::Digest>& now) {
  const auto file = results::one_line(name, 200);
  if (!now) return file + " is gone (sha256 " + shown(before) + ")";
  return file + " changed (sha256 " + shown(before) + " -> " + shown(*now) + ")";
}

std::string program_change(const TrialBody& body, const Json& before, const Json& now) {
  const auto& declaration = body.declaration();
  if (declaration.program_files) {
    const auto files = declaration.program_files(body.trial().values).files;
    std::vector<std::string> changes;
    if (is_list(before, files.size()) && is_list(now, files.size()))
      for (std::size_t i = 0; i < files.size(); ++i)
        if (before.at(i) != now.at(i))
          changes.push_back(file_change(files[i].name,
                                        results::digest_from_hex(before.at(i).get<std::string>(), "program"),
                                        results::digest_from_hex(now.at(i).get<std::string>(), "program")));
    if (!changes.empty()) return results::joined(changes);
  }
  return "stored " + results::canonical(before) + ", now " + results::canonical(now);
}

}  // namespace retrial::harness::inline run::inline program
