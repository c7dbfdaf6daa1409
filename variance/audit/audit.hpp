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
#include "variance/comparisons/status.hpp"
#include "variance/wins/decide.hpp"

/// Tests of decision rules: scores with a known truth are simulated, every rule sees the same scores, and the frequency
/// of each verdict is compared with the promise of the rule. Rules that promise an error rate must keep it. Recipes
/// that are known to fail are in the table too and must be seen failing, which proves that the audit can detect a bad
/// rule.
namespace retrial::variance::inline audit {

enum class AuditTruth {
  null,  ///< identical variants; with unequal spreads, each wins half of the independent pairs
  gamma  ///< the candidate wins gamma of the independent pairs
};
[[nodiscard]] std::string_view name_of(AuditTruth truth);

/// One simulated setting. The key of its draws depends only on model, truth and runs, so a cell with a correlation,
/// another spread or clusters uses the same draws as the plain cell.
struct AuditCell {
  ScoreModel model = ScoreModel::gaussian;
  AuditTruth truth = AuditTruth::null;
  std::int64_t runs = 10;     ///< per variant, the max a rule may use
  double spread = 1.0;        ///< spread of the baseline's scores, in units of the candidate's: 1 or 2
  double correlation = 0.0;   ///< correlation of the two scores of a pair
  double cluster_sd = 0.0;    ///< spread of the shift that runs of one search share, in standard deviations of a run
  std::int64_t clusters = 5;  ///< searches; no more than runs
};
/// "audit/<model>/<truth>/<runs>".
[[nodiscard]] std::string comparison_id(const AuditCell& cell);
/// "gaussian, null, N 10", followed by the differences from the plain cell.
[[nodiscard]] std::string text_of(const AuditCell& cell);

/// One simulation, as a rule sees it.
struct AuditData {
  std::span<const double> candidate, baseline, differences;
  double tie = 0.0;  ///< differences of at most this size are ties
  std::optional<double> resolution;
  std::uint64_t key = 0;  ///< key of the rule's own draws, by purpose
};
struct AuditAnswer {
  Status status = Status::inconclusive;
  std::int64_t pairs = 0;  ///< pairs used until then
};
/// May be called by several threads at once.
using AuditJudge = std::function<AuditAnswer(const AuditData&)>;

struct AuditSettings {
  Levels levels = {};
  std::int64_t reps = 20'000;
  std::int64_t drawing_reps = 20'000;  ///< simulations for rules that draw, or enumerate, a law in every simulation
  std::int64_t resamples = 1'000;      ///< draws per simulation for those rules
  std::uint64_t seed = 0;
  std::size_t threads = 1;  ///< changes only the run time
};

enum class AuditLabel {
  valid,   ///< promises an error rate and must keep it
  exhibit  ///< a recipe in use that does not keep its promise and must be seen failing
};
enum class AuditSize {
  better,  ///< alpha is the probability of a false BETTER
  both     ///< alpha is the probability of a false BETTER or a false WORSE
};
/// The known error rate of an exhibit in a cell.
struct AuditReference {
  std::optional<double> rate;  ///< absent: known only to be above alpha
  double tolerance = 0.0;      ///< accuracy of the reference itself
};
struct AuditRule {
  std::string_view name;
  AuditLabel label = AuditLabel::valid;
  AuditSize size = AuditSize::better;
  std::string_view rule;    ///< the rule in words
  std::string_view covers;  ///< valid rules: the cells that the promise covers, in words; exhibits: the failure
  bool (*promises)(const AuditCell&) = nullptr;  ///< the same, cell by cell; null for an exhibit
  std::optional<AuditReference> (*reference)(const AuditCell&, const AuditSettings&) = nullptr;  ///< exhibits only
  bool (*draws)(const AuditCell&) = nullptr;  ///< true: simulated `drawing_reps` times; null: never
  AuditJudge (*prepare)(const AuditCell&, const AuditSettings&) = nullptr;
};
/// Every rule: one row each.
[[nodiscard]] std::span<const AuditRule> all_audit_rules();
/// Null for a name that is not in the table.
[[nodiscard]] const AuditRule* find_audit_rule(std::string_view name);

enum class AuditOutcome {
  none,       ///< no promise in this cell
  pass,       ///< size at most alpha + 3 standard errors
  failed,     ///< size above that limit
  shown,      ///< the exhibit fails at its known rate
  not_shown,  ///< the exhibit does not: the audit could not detect a bad rule either
};
[[nodiscard]] std::string_view name_of(AuditOutcome outcome);

/// Result of one rule in one cell.
struct AuditRow {
  AuditCell cell;
  const AuditRule* rule = nullptr;
  std::int64_t reps = 0, pairs = 0;        ///< `pairs`: sum over all simulations
  std::array<std::int64_t, 6> verdicts{};  ///< by Status
  std::optional<AuditReference> reference;
  AuditOutcome outcome = AuditOutcome::none;
  [[nodiscard]] double share(Status status) const;
  /// Under the null, the size; otherwise the power, the share of BETTER.
  [[nodiscard]] double rate() const;
  [[nodiscard]] double se() const;  ///< sqrt(rate (1 - rate) / reps)
  [[nodiscard]] double mean_pairs() const;
};

/// Results of all rules in one cell.
struct AuditEntry {
  AuditCell cell;
  std::vector<const AuditRule*> rules;
};
/// InvalidInput{reps}, {drawing_reps}, {resamples}, {threads}; levels as in `require_levels`.
void require_audit(const AuditSettings& settings);
/// InvalidInput{reps}, {resamples}, {threads}, {runs}; levels as in `require_levels`.
[[nodiscard]] std::vector<AuditRow> audit_cell(const AuditEntry& entry, const AuditSettings& settings);
/// True if no row failed and every exhibit was seen failing.
[[nodiscard]] bool passes(std::span<const AuditRow> rows);

/// Choice of cells and rules; empty: all.
struct AuditChoice {
  std::vector<const AuditRule*> rules = {};
  std::vector<ScoreModel> models = {};
  std::vector<AuditTruth> truths = {};
  std::vector<std::int64_t> runs = {};
  std::optional<double> spread = {}, correlation = {}, cluster_sd = {};
  std::optional<std::int64_t> clusters = {};
  bool quick = false;  ///< options at their first value, runs 5, 10 and 29
};
/// Without `quick`: runs 2, 3, 5, 10, 20, 29, 50, and options that were not chosen vary one at a time. Without any
/// choice, a cell asks the rules that promise something there, whose error there is known, or for their power. Two
/// further cells of normal scores have identical variants: one with 3 runs, where the published rule accepts one in
/// eight, and one with 200, for rules that decide after every pair.
[[nodiscard]] std::vector<AuditEntry> audit_grid(const AuditChoice& choice);

}  // namespace retrial::variance::inline audit
