#include "harness/study_keys.hpp"

#include <algorithm>
#include <iterator>

#include "harness/design_table.hpp"

namespace retrial::harness {

namespace {

std::vector<StudyKey> keys_of_design() {
  std::vector<StudyKey> out;
  for (const auto& field : design_table()) {
    const auto fallback = field.fallback();
    out.push_back({"compare", field.name, field.form(),
                   field.meaning + (fallback.empty() ? "" : "; " + fallback + " when left out")});
  }
  return out;
}

std::vector<StudyKey> all_keys() {
  std::vector<StudyKey> keys{
      {"", "schema", "1", "the version of this format; required"},
      {"", "name", "text", "name of the study and of its store, NAME.db; left out: the workload's name"},
      {"", "workload", "text", "what is run: a name that retrial list shows, or command for programs of your own"},
      {"", "seed", "whole number, or text", "root seed, decimal or 0x and hex digits; left out: drawn once, stored"},
      {"", "pairs", "whole number", "trials of each variant; 20 when left out"},
      {"", "vary", "\"all\" or a list", "sources of variation that differ from pair to pair"},
      {"", "hold", "list", "sources that stay at pair 0 in all trials"},
      {"", "mode", "text or table", "kernel mode by name, or its axes: { deterministic = true, threads = 1 }"},
      {"", "set", "table", "keys of the workload, for every variant"},
      {"", "variant", "tables [variant.NAME]", "the variants, in the order of the file; the first is the baseline"},
      {"", "compare", "table", "the design: what is judged and how, declared before the first run"},
      {"", "claim", "tables [claim.NAME]",
       "what is claimed besides, declared before the first run (docs/method/claims.md)"},
      {"", "variance", "table", "a study of where the variance comes from: which seeds vary together"},
      {"", "search", "table", "keys are not given but searched for, by a validation metric; the source is called hopt"},
      {"variant.NAME", "preset", "text", "the workload's variant it starts from; left out: the one called NAME"},
      {"variant.NAME", "command", "text", "with workload = \"command\": the line that is started"},
      {"compare", "metric", "text", "the metric that is judged"},
      {"compare", "baseline", "text", "the variant compared against; the first listed when left out"},
      {"compare", "candidate", "text", "the variant that is judged; the next listed when left out"},
      {"claim.NAME", "says", "text", "the claim in your own words"},
      {"claim.NAME", "metric", "text, or list",
       "what is read of each trial: NAME, NAME[STEP] of a series; of a list the mean"},
      {"claim.NAME", "candidate", "text, or list",
       "the variant it is read of, of a list each by itself, \"*\" all others; may be left out where there is one"},
      {"claim.NAME", "baseline", "text", "the variant it is held against, pair by pair; left out: the same trial"},
      {"claim.NAME", "against", "text, or list", "what is read of the baseline; metric when left out"},
      {"claim.NAME", "value", "number", "instead of baseline and against: the number it is held against"},
      {"claim.NAME", "expect", "higher, lower, not-higher, not-lower or equal",
       "where the mean is claimed to lie; required"},
      {"claim.NAME", "margin", "number",
       "by how much, in units of the metric; of not-higher, not-lower and equal: by how much at most"},
      {"claim.NAME", "test", "text",
       "paired_permutation when left out; wilcoxon, sign, paired_t; equal has its own, two one-sided t tests"},
      {"variance", "design", "oat, crossed, nested, saltelli, matched, ideal or fix_hopt",
       "what varies with what (docs/method/variance.md); oat, one source at a time, when left out"},
      {"variance", "sources", "\"all\" or a list", "sources that are told apart; all that are varied when left out"},
      {"variance", "runs", "whole number", "runs of each source, of each group, rows of saltelli; 20 when left out"},
      {"variance", "groups", "whole number",
       "levels of the first source of crossed and nested; repetitions of fix_hopt"},
      {"variance", "replicates", "0, or 5 to 1000",
       "runs of the first trial with every seed frozen: the numerical noise; 5 when left out"},
      {"variance", "metric", "text", "the metric that is looked at"},
      {"search", "method", "random or noisy-grid", "random when left out"},
      {"search", "trials", "2 to 500", "trials of one search; of a grid: its cells"},
      {"search", "metric", "text", "the validation metric by which it chooses; never the judged one"},
      {"search", "keys", "table", "KEY = { low = 0.01, high = 1.0, log = true }; of a grid also points = 5"},
      {"search.keys.KEY", "low", "number", "least value that is tried"},
      {"search.keys.KEY", "high", "number", "greatest value that is tried"},
      {"search.keys.KEY", "log", "true or false", "even in the logarithm"},
      {"search.keys.KEY", "points", "whole number", "points of a noisy grid along this key"},
  };
  std::ranges::move(keys_of_design(), std::back_inserter(keys));
  return keys;
}

}  // namespace

const std::vector<StudyKey>& study_keys() {
  static const std::vector<StudyKey> keys = all_keys();
  return keys;
}

std::vector<std::string> study_key_names(std::string_view section) {
  std::vector<std::string> names;
  for (const StudyKey& key : study_keys())
    if (key.section == section) names.push_back(key.name);
  return names;
}

}  // namespace retrial::harness
