#include "harness/study/study_keys.hpp"

#include "workloads/interface/registry.hpp"

namespace retrial::harness::inline study {

namespace {

/// Keys that a flag sets for each variant: the only ones of a workload that have a row.
std::vector<StudyKey> keys_of_variants() {
  std::vector<StudyKey> rows;
  for (const auto& declaration : workloads::all_workloads())
    for (const auto& flag : declaration.contributes.flags)
      if (flag.names_variant)
        rows.push_back(
            {"variant.NAME", flag.key, "text", "with workload = \"" + declaration.name + "\": " + flag.meaning});
  return rows;
}

std::vector<StudyKey> all_keys() {
  std::vector<StudyKey> keys{
      {"", "schema", "1", "the version of this format; required"},
      {"", "name", "text", "name of the study and of its store, NAME.db; left out: the workload's name"},
      {"", "workload", "text", "what is run: a name that retrial list shows"},
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
      {"compare", "metric", "text", "the metric that is judged"},
      {"compare", "baseline", "text", "the variant compared against; the first listed when left out"},
      {"compare", "candidate", "text", "the variant that is judged; the next listed when left out"},
      {"compare", "alpha", "0 to 0.5", "false-positive rate; 0.05 when left out"},
      {"compare", "beta", "0 to 0.5", "rate of missed differences of at least gamma; 0.05 when left out"},
      {"compare", "gamma", "0.5 to 1", "least P(candidate beats baseline) called meaningful; 0.75 when left out"},
      {"compare", "tie_limit", "0 to 1", "share of tied pairs above which the pairs cannot decide; 0.5 when left out"},
      {"compare", "margin", "number", "differences below it count as equal, in units of the metric"},
      {"compare", "failure", "loss, drop or refuse",
       "what a trial that gave no score does to its pair; loss when left out"},
      {"compare", "family", "text",
       "when one looks: fixed when left out; the others stop on the way (retrial list designs)"},
      {"compare", "test", "text",
       "of a fixed design: a test of two variants (retrial list tests); pab_exact when left out"},
      {"compare", "sides", "one or two", "alpha for each of better and worse, or for both together; one when left out"},
      {"compare", "n_max", "whole number", "of a sequential family: most pairs that are run; stands for pairs"},
      {"compare", "looks", "whole number, or list",
       "of group_sequential and group_permutation: how many looks, or the pairs at each; 5 when left out"},
      {"compare", "spending", "obrien_fleming or pocock", "of group_sequential: strict early, or early stopping"},
      {"compare", "gamma_mode", "paired or unpaired",
       "what gamma is a share of: pairs that share seeds, or independent runs"},
      {"compare", "correlation", "-1 to 1",
       "of paired scores, with gamma_mode = \"unpaired\": what gamma is converted by"},
      {"compare", "band", "two numbers", "shares of pairs won around 0.5 that count as equal: [0.4, 0.6]"},
      {"compare", "range", "two numbers", "of betting: least and largest score there can be: [0, 100]"},
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

}  // namespace retrial::harness::inline study
