#include "harness/plan/trial_name.hpp"

#include <algorithm>

#include "harness/text/output.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "workloads/interface/registry.hpp"
#include "workloads/interface/script_name.hpp"

namespace retrial::harness::inline plan {
namespace {

constexpr std::size_t min_prefix = 6, max_listed = 8;
constexpr const char* forms = "VARIANT/PAIR such as kd/7, #PLACE such as #17, or at least 6 hex digits of an identity";

/// The requested trial, and the store that was named.
struct Asked {
  const std::string& name;
  const std::string& store;
};

[[noreturn]] void refuse_trial(Exit exit, const std::string& code, const Asked& asked, const std::string& problem,
                               const std::string& allowed, const std::string& help) {
  throw Error({.exit = exit,
               .code = code,
               .where = asked.store,
               .field = "TRIAL",
               .value = results::one_line(asked.name, 100),
               .problem = problem,
               .allowed = allowed,
               .help = help});
}

/// Variant, pair and replicate of "kd/7" or "kd/7.1".
struct Place {
  std::string variant;
  std::int64_t pair = 0;
  std::uint32_t replicate = 0;
  bool replicate_named = false;
};

std::optional<Place> place_of(const std::string& name) {
  const auto slash = name.rfind('/');
  if (slash == std::string::npos) return {};
  Place out{.variant = name.substr(0, slash)};
  std::string number = name.substr(slash + 1);
  if (const auto dot = number.find('.'); dot != std::string::npos) {
    const auto replicate = results::parse_int(number.substr(dot + 1));
    if (!replicate || *replicate < 0) return {};
    out.replicate = static_cast<std::uint32_t>(*replicate);
    out.replicate_named = true;
    number.resize(dot);
  }
  const auto pair = results::parse_int(number);
  if (!pair || *pair < 0) return {};
  out.pair = *pair;
  return out;
}

std::string variants_and_pairs(const std::vector<results::PlanEntry>& plan) {
  std::vector<std::string> names;
  std::int64_t last = 0;
  for (const auto& entry : plan) {
    if (std::find(names.begin(), names.end(), entry.variant) == names.end()) names.push_back(entry.variant);
    last = std::max(last, entry.pair_index);
  }
  return results::joined(names) + " with pairs 0 to " + std::to_string(last);
}

const results::PlanEntry& by_place(const std::vector<results::PlanEntry>& plan, const Place& place,
                                   const Asked& asked) {
  const auto found = std::find_if(plan.begin(), plan.end(), [&](const auto& entry) {
    return entry.variant == place.variant && entry.pair_index == place.pair &&
           (!place.replicate_named || entry.replicate == place.replicate);
  });
  if (found == plan.end())
    refuse_trial(Exit::incomparable, "trial.missing", asked, "no such trial in the plan", variants_and_pairs(plan), "");
  return *found;
}

const results::PlanEntry& by_ordinal(const std::vector<results::PlanEntry>& plan, const Asked& asked) {
  const auto ordinal = results::parse_int(asked.name.substr(1));
  const auto found =
      std::find_if(plan.begin(), plan.end(), [&](const auto& entry) { return ordinal && entry.ordinal == *ordinal; });
  if (found == plan.end())
    refuse_trial(
        ordinal ? Exit::incomparable : Exit::usage, "trial.missing", asked, "no such place in the plan",
        plan.empty() ? "" : "#" + std::to_string(plan.front().ordinal) + " to #" + std::to_string(plan.back().ordinal),
        "");
  return *found;
}

std::string listed_trials(const std::vector<const results::PlanEntry*>& entries) {
  std::vector<std::string> out;
  for (const auto* entry : entries) {
    if (out.size() == max_listed) {
      out.push_back("and " + std::to_string(entries.size() - max_listed) + " more");
      break;
    }
    out.push_back(trial_name(*entry) + " (" + results::hex(entry->identity).substr(0, 12) + ")");
  }
  return results::joined(out);
}

/// Entries that share one identity are replicates of one trial; the first is returned.
const results::PlanEntry& by_identity(const std::vector<results::PlanEntry>& plan, const Asked& asked) {
  std::vector<const results::PlanEntry*> found;
  for (const auto& entry : plan) {
    const bool known =
        std::any_of(found.begin(), found.end(), [&](const auto* f) { return f->identity == entry.identity; });
    if (results::hex(entry.identity).starts_with(asked.name) && !known) found.push_back(&entry);
  }
  if (found.empty())
    refuse_trial(Exit::incomparable, "trial.missing", asked,
                 "no trial of the plan has an identity that begins with this", "",
                 "retrial show " + shell_word(asked.store) + " --metrics lists the trials");
  if (found.size() > 1)
    refuse_trial(Exit::usage, "trial.ambiguous", asked, "matches several trials", listed_trials(found),
                 "give more digits");
  return *found.front();
}

bool is_hex(const std::string& text) {
  return text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

}  // namespace

std::string trial_name(const results::PlanEntry& entry) {
  const std::string name = entry.variant + "/" + std::to_string(entry.pair_index);
  return entry.replicate == 0 ? name : name + "." + std::to_string(entry.replicate);
}

std::string replay_line(const std::string& store, const results::PlanEntry& entry, const TrialBody& body) {
  const auto* workload = workloads::workload_if_known(entry.workload);
  std::string line = "retrial replay " + shell_word(store) + " " + shell_word(trial_name(entry));
  if (workload == nullptr) return line;
  if (workload->argv) line += " --allow-commands";
  const auto scripts = workloads::scripts_read(*workload, body.trial().values);
  if (!scripts.empty()) line += " --allow-scripts";
  for (const auto& script : scripts) line += " --set " + script.key + "=script:FILE";
  return line;
}

const results::PlanEntry& find_trial(const std::vector<results::PlanEntry>& plan, const std::string& name,
                                     const std::string& store) {
  const Asked asked{.name = name, .store = store};
  if (name.starts_with('#')) return by_ordinal(plan, asked);
  if (const auto place = place_of(name)) return by_place(plan, *place, asked);
  if (name.size() >= min_prefix && is_hex(name)) return by_identity(plan, asked);
  refuse_trial(Exit::usage, "trial.form", asked, "not the name of a trial", forms, "");
}

}  // namespace retrial::harness::inline plan
