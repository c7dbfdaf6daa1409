#include "workloads/command/line/environment.hpp"

#include "workloads/command/line/placeholders.hpp"
#include "workloads/command/process/process.hpp"
#include "workloads/command/reading/lists.hpp"
#include "workloads/command/reading/log_file.hpp"

namespace retrial::workloads::command::inline line {

namespace {

bool is_ours(const std::string& variable) {
  for (const std::string prefix :
       {"TRIAL_SEED=", "TRIAL_SEED64=", "TRIAL_SEED_", "TRIAL_PAIR=", "TRIAL_OUT=", "TRIAL_LOG="})
    if (variable.starts_with(prefix)) return true;
  return false;
}

/// "data-order" is "TRIAL_SEED_DATA_ORDER".
std::string variable_of(const std::string& source) {
  if (source == "seed") return "TRIAL_SEED";
  std::string name = "TRIAL_SEED_";
  for (const char c : source) name += c == '-' ? '_' : (c >= 'a' && c <= 'z') ? static_cast<char>(c - 'a' + 'A') : c;
  return name;
}

}  // namespace

std::vector<std::string> environment_of(const Trial& trial, const std::filesystem::path& out) {
  auto variables = own_environment();
  std::erase_if(variables, is_ours);
  variables.push_back("TRIAL_PAIR=" + std::to_string(trial.pair));
  variables.push_back("TRIAL_OUT=" + out.string());
  variables.push_back("TRIAL_LOG=" + log_file(out).string());
  for (const auto& [source, seed] : trial.seeds) {
    variables.push_back(variable_of(source) + "=" + short_seed(seed));
    if (source == "seed") variables.push_back("TRIAL_SEED64=" + std::to_string(seed));
  }
  return variables;
}

std::vector<std::string> environment_sources(const Values& values) {
  auto names = lines_of(text_in(values, "env_seeds"));
  if (flag_in(values, "env_seed")) names.insert(names.end(), {"seed", "data-order"});
  return names;
}

}  // namespace retrial::workloads::command::inline line
