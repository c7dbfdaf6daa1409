#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "variance/samples/score_bound.hpp"
#include "variance/verdict/verdict.hpp"

/// Is this commit worse? Two sides of a suite in, a verdict for each benchmark and metric out. The unit of evidence is
/// the process: repetitions within one are reduced to one value first.
namespace retrial::harness::inline gate {

enum class Statistic { automatic, min, q1, median, mean, last };
/// signflip: the mean of paired differences against all changes of their signs. win: pairs won, whatever their size.
enum class GateTest { automatic, rank, paired, signflip, win, counts };
enum class GateFailure { refuse, loss, drop };

struct GateSettings {
  double alpha = 0.01;                               ///< for the whole suite: Holm over its claims
  double min_effect = 0.02, margin = 0.05;           ///< shares of the baseline
  std::optional<double> min_effect_abs, margin_abs;  ///< in the unit of the metric, for claims that are absolute
  double equiv_alpha = 0.05, power = 0.90;
  Statistic statistic = Statistic::automatic;  ///< min where lower is better, else last
  GateTest test = GateTest::automatic;         ///< paired where the runs have pair numbers, else rank
  GateFailure failure = GateFailure::refuse;
  bool allow_sequential = false;
  std::uint64_t root = 0;               ///< of the draws of signflip, which has them above 20 pairs
  std::string inconclusive = "fail";    ///< fail, warn, pass
  std::vector<std::string> allow_diff;  ///< facts of the machine that may differ

  std::vector<std::string> metrics;   ///< empty: those of the suite
  std::optional<std::int64_t> pairs;  ///< for suites that the gate runs
  bool until_decided = false;
  std::int64_t max_pairs = 20;
  std::int64_t launches = 1;                ///< calls of the gate that share the pairs
  std::optional<std::int64_t> repetitions;  ///< of each benchmark in a process; nothing: as its command says
  bool mid_p = false;                       ///< show the mid-p of rank tests, which decides nothing
  bool count_instructions = false;

  /// One decision per pair, of sides with shared pair numbers.
  [[nodiscard]] bool by_pairs() const {
    return test == GateTest::paired || test == GateTest::signflip || test == GateTest::win;
  }
  [[nodiscard]] double least(bool absolute) const { return absolute ? min_effect_abs.value_or(0.0) : min_effect; }
  [[nodiscard]] double within(bool absolute) const { return absolute ? margin_abs.value_or(0.0) : margin; }
};

/// Where a process ran, and in which launch of the gate. What a boot or a launch has of its own (memory layout, order
/// of links, neighbors) is the same for all of its processes, so processes are compared within one.
struct GatePlace {
  std::string host, boot, launch;
  auto operator<=>(const GatePlace&) const = default;
};

/// One process.
struct GateTrial {
  std::vector<double> values = {};                           ///< its repetitions, in order
  bool failed = false;                                       ///< it, or one of its repetitions, has no value
  variance::ScoreBound bound = variance::ScoreBound::exact;  ///< of a value that is only a limit
  bool censored = false;  ///< behind every process that is not: it did not reach its target
  std::optional<std::int64_t> pair = {}, started = {};
  std::optional<GatePlace> place = {};   ///< where a store says it
  std::optional<double> clock_mhz = {};  ///< of the GPU while it ran
  std::string record = {};               ///< the first 16 hex digits of its record's digest, of a store
};

/// Subscripts of everything that exists once per side.
constexpr std::size_t base = 0, head = 1;

/// A benchmark and a metric, as measured.
struct GateClaim {
  std::string workload, metric, unit;
  variance::Direction direction = variance::Direction::lower;
  bool absolute = false;                ///< judged by differences, else by ratios
  GateTest test = GateTest::automatic;  ///< counts: a counter's value, which repeats
  std::string incomparable = {};        ///< why its sides cannot be compared; empty: they can
  std::array<std::vector<GateTrial>, 2> trials = {};
  std::optional<std::size_t> alone = {};  ///< the only side that has it: nothing was run
  std::string against = {};               ///< the anchor that it compares with; empty: the baseline
};

struct MachineDifference {
  std::string key, baseline, candidate;
};

struct GateSuite {
  std::string baseline, candidate;  ///< names of the sides
  std::vector<GateClaim> claims;    ///< sorted by workload and metric
  std::vector<MachineDifference> differences;
  std::vector<std::string> notes;
};

struct GateVerdict {
  std::string workload, metric, unit;
  std::string against = {};  ///< the anchor that it compares with; empty: the baseline
  variance::Direction direction = variance::Direction::lower;
  bool absolute = false;
  std::string verdict, reason;                   ///< words of docs/gate.md
  std::optional<double> effect;                  ///< of the candidate: a share of the baseline, or a difference
  std::optional<variance::Estimate> ci95, ci90;  ///< ci90: level 1 - 2 equiv_alpha
  std::optional<double> p_worse, p_better, p_worse_adjusted, p_better_adjusted;
  std::array<std::int64_t, 2> n{}, failures{};
  std::array<std::optional<double>, 2> median{};
  std::optional<double> mde;  ///< infinite if the design cannot reject
  std::optional<std::int64_t> pairs_needed;
  double min_p = 1.0;
  std::optional<double> mid_p_worse;  ///< of the rank test, where it was asked for
  std::int64_t strata = 1;            ///< groups of processes that are compared among themselves only
  /// Launches of the gate, boots and hosts that a side was measured in; absent where that is not known.
  struct Origins {
    std::int64_t launches = 0, boots = 0, hosts = 0;
    bool operator==(const Origins&) const = default;
  };
  std::array<std::optional<Origins>, 2> origins = {};
  std::array<std::vector<std::string>, 2> records = {};  ///< of the processes, in their order; empty for score files
  std::string test, order;                               ///< "interleaved", "sequential", "unknown"
  std::vector<std::string> warnings;

  [[nodiscard]] bool tested() const { return p_worse.has_value() || test == "counts"; }
};

/// What every verdict on counts says.
inline constexpr const char* not_time = "instructions, not time: caches, threads, memory and waiting are not in it";

/// False alarms of this gate on machines of this kind, as `retrial calibrate` measured them.
struct GateCalibration {
  std::string digest;
  double rate = 0, upper95 = 1;
  std::int64_t suites = 0, alarms = 0, hogs = 0, measured_ns = 0;
  bool stale = false;  ///< older than 90 days
  /// How many suites with this slow-down were called regressed.
  struct Power {
    double slow_down = 0;
    bool by_work = false;  ///< of the processes themselves; else of their values
    std::int64_t found = 0, suites = 0, hogs = 0, measured_ns = 0;
  };
  std::vector<Power> power = {};  ///< by slow-down
};

struct GateResult {
  std::string baseline, candidate, verdict;
  int exit = 0;
  std::vector<GateVerdict> claims;  ///< sorted by workload and metric
  std::vector<MachineDifference> differences;
  std::vector<std::string> warnings;
  /// Of a suite that the gate ran: its store, the digests of its studies, pairs run and planned.
  std::optional<std::string> store = {};
  std::vector<std::string> studies = {};
  std::optional<std::array<std::int64_t, 2>> pairs = {};
  std::array<std::optional<std::string>, 2> commits = {};  ///< of baseline and candidate, where they are known
  std::optional<GateCalibration> calibration = {};

  [[nodiscard]] std::int64_t count(const std::string& word) const;
  [[nodiscard]] std::int64_t tested() const;
  /// What a reader looks for first: regressed, failed, missing, incomparable, inconclusive, improved, the rest.
  [[nodiscard]] std::vector<const GateVerdict*> worst_first() const;
};

/// The suite with every value of the candidate made worse by this share: a gate that does not call that regressed sees
/// nothing.
[[nodiscard]] GateSuite slowed_down(GateSuite suite, double share);

/// The candidate is judged against an anchor, too: a release that stays, so that many small steps add up. The claims of
/// both share one error rate. Facts of the machine that differ make the claims against the anchor incomparable.
void add_anchor(GateSuite& suite, GateSuite anchored, const std::vector<std::string>& allow_diff);

[[nodiscard]] GateResult judge_suite(const GateSuite& suite, const GateSettings& settings);
/// The verdict and exit code of the suite from those of its claims. A gate that measured nothing does not pass.
void conclude(GateResult& result, const GateSettings& settings);

/// Every verdict word in the order of worst_first(), with the exit code that it asks for.
struct VerdictWord {
  const char* word;
  int exit;
};
[[nodiscard]] const std::vector<VerdictWord>& gate_words();

}  // namespace retrial::harness::inline gate
