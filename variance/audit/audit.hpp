#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "variance/audit/score_models.hpp"
#include "variance/two_variants/decide.hpp"
#include "variance/two_variants/status.hpp"

/// Decision rules put to the test: scores are simulated whose truth is known, every rule sees the same ones, and how
/// often each says what is compared with what it promises. Rules that promise an error rate must keep it; recipes that
/// are known not to are in the table too and must be seen failing, which proves that the audit can see a bad rule.
namespace retrial::variance::inline audit {

enum class AuditTruth {
  null,  ///< identical variants; with unequal spreads: each wins half of the independent pairs
  gamma  ///< the candidate wins gamma of the independent pairs
};
[[nodiscard]] std::string_view name_of(AuditTruth truth);

/// One simulated setting. The key of its draws knows model, truth and runs alone, so that a cell with a correlation,
/// another spread or clusters has the draws of the one without.
struct AuditCell {
  ScoreModel model = ScoreModel::gaussian;
  AuditTruth truth = AuditTruth::null;
  std::int64_t runs = 10;     ///< of each variant, the most a rule may use
  double spread = 1.0;        ///< of the baseline's scores, in units of the candidate's: 1 or 2
  double correlation = 0.0;   ///< of the two scores of a pair
  double cluster_sd = 0.0;    ///< of the luck that runs of one search share, in standard deviations of a run
  std::int64_t clusters = 5;  ///< searches; no more than runs
};
/// "audit/<model>/<truth>/<runs>".
[[nodiscard]] std::string comparison_id(const AuditCell& cell);
/// "gaussian, null, N 10", and what differs from the plain cell.
[[nodiscard]] std::string text_of(const AuditCell& cell);

/// One simulation, as a rule sees it.
struct AuditData {
  std::span<const double> candidate, baseline, differences;
  double tie = 0.0;  ///< differences no larger are ties
  std::optional<double> resolution;
  std::uint64_t key = 0;  ///< of the rule's own draws, by purpose
};
struct AuditAnswer {
  Status status = Status::inconclusive;
  std::int64_t pairs = 0;  ///< used until then
};
/// May be called by several threads at once.
using AuditJudge = std::function<AuditAnswer(const AuditData&)>;

struct AuditSettings {
  Levels levels;
  std::int64_t reps = 20'000;
  std::int64_t drawing_reps = 20'000;  ///< of rules that draw, or count out, a law for every simulation
  std::int64_t resamples = 1'000;      ///< of those
  std::uint64_t seed = 0;
  std::size_t threads = 1;  ///< changes nothing but the time
};

enum class AuditLabel {
  valid,   ///< promises an error rate, and must keep it
  exhibit  ///< a recipe in use that does not keep its promise, and must be seen failing
};
enum class AuditSize {
  better,  ///< alpha is the chance of a false BETTER
  both     ///< alpha is the chance of a false BETTER or a false WORSE
};
/// The known error rate of an exhibit in a cell.
struct AuditReference {
  std::optional<double> rate;  ///< absent: only that the rate is above alpha
  double tolerance = 0.0;      ///< of the reference itself
};
struct AuditRule {
  std::string_view name;
  AuditLabel label = AuditLabel::valid;
  AuditSize size = AuditSize::better;
  std::string_view rule;    ///< what it does, in words
  std::string_view covers;  ///< the cells that its promise covers, in words; of an exhibit: what goes wrong
  bool (*promises)(const AuditCell&) = nullptr;  ///< the same, cell by cell; absent of an exhibit
  std::optional<AuditReference> (*reference)(const AuditCell&, const AuditSettings&) = nullptr;  ///< of an exhibit
  bool (*draws)(const AuditCell&) = nullptr;  ///< simulated `drawing_reps` times; absent: never
  AuditJudge (*prepare)(const AuditCell&, const AuditSettings&) = nullptr;
};
/// Every rule: one row each.
[[nodiscard]] std::span<const AuditRule> all_audit_rules();
/// Nothing for a name that is not in the table.
[[nodiscard]] const AuditRule* find_audit_rule(std::string_view name);

enum class AuditOutcome {
  none,       ///< nothing was promised here
  pass,       ///< size at most alpha + 3 standard errors
  failed,     ///< of a valid rule: above
  shown,      ///< the exhibit errs as it is known to
  not_shown,  ///< it does not: the audit would not see a bad rule either
};
[[nodiscard]] std::string_view name_of(AuditOutcome outcome);

/// One rule in one cell.
struct AuditRow {
  AuditCell cell;
  const AuditRule* rule = nullptr;
  std::int64_t reps = 0, pairs = 0;        ///< `pairs`: over all simulations
  std::array<std::int64_t, 6> verdicts{};  ///< by Status
  std::optional<AuditReference> reference;
  AuditOutcome outcome = AuditOutcome::none;
  [[nodiscard]] double share(Status status) const;
  /// Under the null the size; else the power, the share of BETTER.
  [[nodiscard]] double rate() const;
  [[nodiscard]] double se() const;  ///< sqrt(rate (1 - rate) / reps)
  [[nodiscard]] double mean_pairs() const;
};

/// A cell and the rules that are tried there.
struct AuditEntry {
  AuditCell cell;
  std::vector<const AuditRule*> rules;
};
/// InvalidInput{reps}, {resamples}, {threads}, {runs}; the levels as `require_levels`.
[[nodiscard]] std::vector<AuditRow> audit_cell(const AuditEntry& entry, const AuditSettings& settings);
/// No row failed, none that should be seen failing was not.
[[nodiscard]] bool passes(std::span<const AuditRow> rows);

/// Which cells and rules; empty: all.
struct AuditChoice {
  std::vector<const AuditRule*> rules;
  std::vector<ScoreModel> models;
  std::vector<AuditTruth> truths;
  std::vector<std::int64_t> runs;
  std::optional<double> spread, correlation, cluster_sd;
  std::optional<std::int64_t> clusters;
  bool quick = false;  ///< options at their first value, runs 5, 10 and 29
};
/// Without `quick`: runs 2, 3, 5, 10, 20, 29, 50, and options that were not chosen varied one at a time. Two cells of
/// normal scores go beyond: identical variants with 3 runs, where the published rule accepts one in eight, and with
/// 200, where rules are that may be asked after every pair.
[[nodiscard]] std::vector<AuditEntry> audit_grid(const AuditChoice& choice);

}  // namespace retrial::variance::inline audit
