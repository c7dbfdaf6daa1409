#include "harness/study/file/study_keys.hpp"

#include <algorithm>
#include <iterator>

#include "harness/study/declared/design_table.hpp"
#include "harness/study/declared/gate_keys.hpp"
#include "workloads/interface/registry.hpp"

namespace retrial::harness::inline study::inline file {

namespace {

/// Keys that a flag sets for each variant: the only keys of a workload that have a row here.
std::vector<StudyKey> keys_of_variants() {
  std::vector<StudyKey> rows;
  for (const auto& declaration : workloads::all_workloads())
    for (const auto& flag : declaration.contributes.flags)
      if (flag.names_variant)
        rows.push_back(
            {"variant.NAME", flag.key, "text", "with workload = \"" + declaration.name + "\": " + flag.meaning});
  return rows;
}

std::vector<StudyKey> keys_of_design() {
  std::vector<StudyKey> out;
  for (const auto& field : design_table()) out.push_back({"compare", field.name, field.form(), field.help()});
  return out;
}

std::vector<StudyKey> all_keys() {
  std::vector<StudyKey> keys{
      {"", "schema", "1", "version of this format; required"},
      {"", "name", "text", "name of the study and of its store, NAME.db; default: the name of the workload"},
      {"", "workload", "text", "the workload to run (retrial list)"},
      {"", "seed", "whole number, or text", "root seed, decimal or 0x and hex digits; default: drawn once and stored"},
      {"", "pairs", "whole number", "trials per variant; default 20"},
      {"", "vary", "\"all\" or a list", "sources of variation that differ from pair to pair"},
      {"", "hold", "list", "sources that keep the seeds of pair 0 in all trials"},
      {"", "mode", "text or table", "kernel mode by name, or its axes: { deterministic = true, device = \"cuda\" }"},
      {"", "set", "table", "keys of the workload, for every variant"},
      {"", "variant", "tables [variant.NAME]", "the variants, in the order of the file; the first is the baseline"},
      {"", "grid", "table",
       "KEY = [VALUE, VALUE, ...] for each key: every combination becomes a variant (docs/sweeps.md)"},
      {"", "compare", "table", "the design: what is judged and how, declared before the first run"},
      {"", "claim", "tables [claim.NAME]", "further claims, declared before the first run (docs/method/claims.md)"},
      {"", "claims_about", "resamples",
       "claims about new divisions of the same rows, not about new rows: tests for independent pairs are then allowed "
       "where the division is redrawn"},
      {"", "variance", "table", "a study of variance by source: which seeds vary together"},
      {"", "search", "table", "keys found by a search on a validation metric; its source of variation is hopt"},
      {"", "profile", "table", "of retrial profile: how the cost of profiling is measured (docs/method/profiling.md)"},
      {"", "gate", "table", "of retrial gate: what a change is, and how surely (docs/gate.md)"},
      {"", "bench", "tables [bench.NAME]",
       "of retrial gate: benchmarks, each a study; the rest of the file is their default"},
      {"variant.NAME", "preset", "text", "variant of the workload to start from; default: the one called NAME"},
      {"compare", "metric", "text", "metric to judge"},
      {"compare", "baseline", "text", "variant to compare with; default: the first one listed"},
      {"compare", "candidate", "text", "variant to judge; default: the next one listed"},
      {"claim.NAME", "says", "text", "the claim in your own words"},
      {"claim.NAME", "metric", "text, or list",
       "the number read from each trial: NAME, or NAME[STEP] for a series; the mean of a list"},
      {"claim.NAME", "candidate", "text, or list",
       "the variant it is read from; a list makes one claim per variant, \"*\" all others; optional with one variant"},
      {"claim.NAME", "baseline", "text, or list",
       "the variant it is compared with, pair by pair; default: the same trial; a list with share"},
      {"claim.NAME", "against", "text, or list", "the number read from the baseline; default: metric"},
      {"claim.NAME", "value", "number", "instead of baseline and against: the number it is compared with"},
      {"claim.NAME", "share", "number",
       "the share of several sets in which the candidate is ahead in a pair is held against this one: a list of "
       "metrics, "
       "or lists of candidates and baselines side by side"},
      {"claim.NAME", "contrast", "{ VARIANT = weight, ... }",
       "instead of candidate, baseline and against: the weighted sum of the metric over variants, pair by pair"},
      {"claim.NAME", "expect", "higher, lower, not-higher, not-lower or equal",
       "the claimed position of the mean; required"},
      {"claim.NAME", "margin", "number",
       "size of the difference in units of the metric; for not-higher, not-lower and equal the tolerance"},
      {"claim.NAME", "test", "text",
       "paired_permutation (default), wilcoxon, sign, paired_t, or corrected_t where the division of one data set is "
       "redrawn; with share also binomial; equal always uses two one-sided t tests, corrected by corrected_t"},
      {"variance", "design", "oat, crossed, nested, saltelli, matched, ideal or fix_hopt",
       "which sources vary together (docs/method/variance.md); default: oat, one source at a time"},
      {"variance", "sources", "\"all\" or a list", "sources to separate; default: all that vary"},
      {"variance", "runs", "whole number", "runs per source or group, rows of saltelli; default 20"},
      {"variance", "groups", "whole number", "levels of the first source (crossed, nested); repetitions (fix_hopt)"},
      {"variance", "replicates", "0, or 5 to 1000",
       "runs of the first trial with every seed frozen, to measure numerical noise; default 5"},
      {"variance", "metric", "text", "metric to analyze"},
      {"profile", "blocks", "0, or 5 to 1000", "blocks of calibration; 0: none, and no correction; default 5"},
      {"profile", "tolerance", "number",
       "largest bias of the corrected time for a valid profile, in percent; default 5"},
      {"profile", "collector", "native, kineto, cupti or none", "what sees calls into LibTorch; default: native"},
      {"profile", "level", "annotations, hooks or full", "operations alone, layers alone, or both; default: full"},
      {"search", "method", "random or noisy-grid", "default: random"},
      {"search", "trials", "2 to 500", "trials per search; for a grid the number of its cells"},
      {"search", "metric", "text", "validation metric that the search selects by; never the judged one"},
      {"search", "keys", "table", "KEY = { low = 0.01, high = 1.0, log = true }; for a grid also points = 5"},
      {"search.keys.KEY", "low", "number", "smallest value to try"},
      {"search.keys.KEY", "high", "number", "largest value to try"},
      {"search.keys.KEY", "log", "true or false", "spaced evenly in the logarithm"},
      {"search.keys.KEY", "points", "whole number", "noisy grid only: points along this key"},
  };
  std::ranges::move(keys_of_design(), std::back_inserter(keys));
  for (const GateKey& key : gate_keys()) keys.push_back({"gate", key.name, key.form, key.meaning});
  for (const char* name : {"workload", "vary", "hold", "mode", "set", "variant", "compare"})
    keys.push_back({"bench.NAME", name, "as above", "the same for this benchmark alone"});
  for (StudyKey& key : keys_of_variants()) keys.push_back(std::move(key));
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

}  // namespace retrial::harness::inline study::inline file
