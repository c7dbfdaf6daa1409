#include "harness/study/declared/gate_keys.hpp"

#include <algorithm>

namespace retrial::harness::inline study::inline declared {

std::string GateKey::option() const {
  if (name == "metrics") return "metric";
  std::string out = name;
  std::ranges::replace(out, '_', '-');
  return out;
}

const std::vector<GateKey>& gate_keys() {
  using enum GateKeyKind;
  static const std::vector<GateKey> keys{
      {"alpha", number, "number", "probability that a suite without a change is called regressed (default 0.01)"},
      {"min_effect", number, "number", "a smaller change is none: share (default 0.02; 0.005 for counts)"},
      {"margin", number, "number",
       "changes within it are equivalent: share (default 0.05; 0: equivalence is not judged)"},
      {"min_effect_abs", number, "number", "the same in the unit of the metric, for scores such as an accuracy"},
      {"margin_abs", number, "number", "the same in the unit of the metric"},
      {"equiv_alpha", number, "number", "error rate of equivalence, per side (default 0.05)"},
      {"power", number, "number", "power of the detectable changes on the page (default 0.9)"},
      {"pairs", whole, "2 to 1000", "processes per side and benchmark (default 10; 3 for counts)"},
      {"until_decided", flag, "true or false", "look four times and stop when every claim is decided"},
      {"max_pairs", whole, "4 to 1000", "the last look of until_decided (default 20)"},
      {"launches", whole, "1 to 20",
       "calls of the gate that share the pairs, best after reboots or on several hosts (default 1)"},
      {"repetitions", whole, "1 to 1000",
       "repetitions of each benchmark in a process of Google Benchmark (read_google_benchmark; default: as the command "
       "says)"},
      {"statistic",
       text,
       "min, q1, median, mean or last",
       "how repetitions in one process become one value (default: min where lower is better, else last)",
       {"min", "q1", "median", "mean", "last"}},
      {"test",
       text,
       "auto, rank, paired, signflip, win or counts",
       "exact rank test of processes, signed ranks of pairs, sign flips of their mean difference, pairs won, or counts "
       "that repeat (default auto: counts for instructions, rank for other costs, else paired where runs have pair "
       "numbers)",
       {"auto", "rank", "paired", "signflip", "win", "counts"}},
      {"count",
       text,
       "none or instructions",
       "count the instructions of your programs under valgrind: exact on a noisy machine, but no time",
       {"none", "instructions"}},
      {"metrics", texts, "list",
       "metrics to judge, costs and scores alike (default: wall_s and what is read; the times of benchmarks where "
       "they are read)"},
      {"failure",
       text,
       "refuse, loss or drop",
       "a failed process: the claim fails, it is a loss, or up to 5 % are left out (default refuse)",
       {"refuse", "loss", "drop"}},
      {"inconclusive",
       text,
       "fail, warn or pass",
       "exit code of an inconclusive suite: 3, 0 with a warning, or 0 (default fail)",
       {"fail", "warn", "pass"}},
      {"allow_sequential", flag, "true or false", "judge sides that did not take turns; a drift looks like a change"},
      {"allow_diff", texts, "list", "facts of the machine that may differ between the sides"}};
  return keys;
}

}  // namespace retrial::harness::inline study::inline declared
