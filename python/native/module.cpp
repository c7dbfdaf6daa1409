// The functions of the statistics for Python: numbers and dictionaries in, dictionaries out. What a user calls is in
// retrial/statistics.py. InvalidInput becomes ValueError with the same text.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <utility>

#include "variance/audit/audit.hpp"
#include "variance/bootstrap/aggregate.hpp"
#include "variance/comparisons/comparisons.hpp"
#include "variance/comparisons/deciding_p.hpp"
#include "variance/designs/pilot_power.hpp"
#include "variance/designs/planned_tests.hpp"
#include "variance/designs/power.hpp"
#include "variance/numbers/error.hpp"
#include "variance/random/rng.hpp"
#include "variance/version.hpp"
#include "variance/wins/decide.hpp"

namespace nb = nanobind;
namespace rv = retrial::variance;

namespace {

using Numbers = std::vector<double>;
using Tasks = std::vector<Numbers>;

constexpr std::int64_t max_planned = 1'000'000;

/// The value of a name in a list of names and values.
template <typename Value>
Value chosen(const char* field, const std::string& name,
             std::initializer_list<std::pair<std::string_view, Value>> all) {
  std::string allowed;
  for (const auto& [known, value] : all) {
    if (name == known) return value;
    allowed += (allowed.empty() ? "" : ", ") + std::string(known);
  }
  throw rv::InvalidInput(field, name, allowed);
}

/// The rows of a table of the library that have these names.
template <typename Row>
const Row& row_named(const char* field, const std::string& name, std::span<const Row> rows) {
  const auto found = std::ranges::find(rows, name, &Row::name);
  if (found != rows.end()) return *found;
  std::string allowed;
  for (const Row& row : rows) allowed += (allowed.empty() ? "" : ", ") + std::string(row.name);
  throw rv::InvalidInput(field, name, allowed);
}

/// Settings that were given, by name; the others keep the defaults of the library.
class Given {
 public:
  explicit Given(nb::dict values) : values_(std::move(values)) {}

  template <typename Value, typename Member>
  void take(const char* name, Member& member) const {
    if (values_.contains(name)) member = nb::cast<Value>(values_[name]);
  }
  void take(const char* name, double& member) const { take<double>(name, member); }
  void take(const char* name, std::optional<double>& member) const { take<double>(name, member); }
  void take(const char* name, std::int64_t& member) const { take<std::int64_t>(name, member); }
  void take(const char* name, bool& member) const { take<bool>(name, member); }
  template <typename Value>
  void take(const char* name, Value& member, std::initializer_list<std::pair<std::string_view, Value>> all) const {
    if (values_.contains(name)) member = chosen(name, nb::cast<std::string>(values_[name]), all);
  }

 private:
  nb::dict values_;
};

rv::Sides sides_named(const std::string& name) {
  return chosen<rv::Sides>("sides", name, {{"one", rv::Sides::one}, {"two", rv::Sides::two}});
}

nb::dict dict_of(const rv::Estimate& estimate) {
  nb::dict out;
  out["point"] = estimate.point;
  out["low"] = estimate.low;
  out["high"] = estimate.high;
  out["level"] = estimate.level;
  out["method"] = estimate.method;
  return out;
}

nb::dict dict_of(const rv::ComparisonTest& test) {
  nb::dict out;
  out["name"] = test.name;
  out["asks"] = test.asks;
  out["when"] = test.when;
  out["paired"] = test.pairing == rv::Pairing::paired;
  out["scores"] = test.scores == rv::ScoreKind::bits          ? "bits"
                  : test.scores == rv::ScoreKind::five_by_two ? "five_by_two"
                                                              : "numbers";
  out["min_runs"] = test.min_runs;
  out["reads"] = test.reads;
  out["needs"] = test.needs;
  return out;
}

nb::dict dict_of(const rv::TestOutcome& outcome, rv::Sides sides) {
  const auto deciding = rv::deciding_p(outcome, sides);
  nb::dict out;
  out["test"] = outcome.test;
  out["verdict"] = rv::name_of(outcome.status);
  out["reason"] = outcome.reason ? nb::cast(rv::name_of(*outcome.reason)) : nb::none();
  out["p"] = outcome.p;
  out["p_better"] = outcome.p_better;
  out["p_worse"] = outcome.p_worse;
  out["p_deciding"] = deciding ? nb::cast(deciding->p) : nb::none();
  out["statistic"] = outcome.statistic;
  out["df"] = outcome.df;
  out["df_within"] = outcome.df_within;
  nb::dict posterior;
  if (outcome.posterior) {
    posterior["worse"] = outcome.posterior->left;
    posterior["rope"] = outcome.posterior->rope;
    posterior["better"] = outcome.posterior->right;
  }
  out["posterior"] = outcome.posterior ? nb::object(posterior) : nb::none();
  out["estimand"] = outcome.estimand;
  // As on the page: nothing was estimated from invalid data.
  out["estimate"] = outcome.status == rv::Status::invalid ? nb::none() : nb::object(dict_of(outcome.estimate));
  out["method"] = outcome.method;
  out["exact"] = outcome.exact;
  out["drawn"] = outcome.drawn;
  out["candidate_runs"] = outcome.candidate_runs;
  out["baseline_runs"] = outcome.baseline_runs;
  nb::dict details;
  for (const auto& [name, value] : outcome.details) details[name.c_str()] = value;
  out["details"] = details;
  out["notes"] = outcome.notes;
  return out;
}

rv::TestSettings settings_of(const Given& given) {
  rv::TestSettings out;
  given.take("direction", out.direction, {{"higher", rv::Direction::higher}, {"lower", rv::Direction::lower}});
  given.take("sides", out.sides, {{"one", rv::Sides::one}, {"two", rv::Sides::two}});
  given.take("interval", out.interval,
             {{"clopper_pearson", rv::WinMethod::clopper_pearson},
              {"mid_p", rv::WinMethod::mid_p},
              {"wilson", rv::WinMethod::wilson},
              {"percentile", rv::WinMethod::percentile}});
  given.take("alpha", out.alpha);
  given.take("beta", out.beta);
  given.take("gamma", out.gamma);
  given.take("resolution", out.resolution);
  given.take("margin", out.margin);
  given.take("overlap", out.overlap);
  given.take("rho", out.rho);
  given.take("rope", out.rope);
  given.take("tau", out.tau);
  given.take("reps", out.resamples);
  return out;
}

/// `subject`: the names of both variants, of which the key of the draws is made, as in the program.
nb::dict compare(const std::string& test, Numbers candidate, Numbers baseline, const nb::dict& settings,
                 std::optional<std::uint64_t> seed, const std::string& subject) {
  rv::TestSettings chosen_settings = settings_of(Given(settings));
  if (seed) chosen_settings.key = rv::derive(*seed, "comparison:" + subject);
  rv::TestOutcome outcome;
  {
    const nb::gil_scoped_release others_may_run;
    outcome = rv::compare(test, std::move(candidate), std::move(baseline), chosen_settings);
  }
  return dict_of(outcome, chosen_settings.sides);
}

/// The exact sign rule: the pairs that it needs, and what `n` pairs would do.
nb::dict sign_power(double alpha, double beta, double gamma, const std::string& sides, std::optional<std::int64_t> n) {
  const double claim_alpha = sides_named(sides) == rv::Sides::two ? alpha / 2.0 : alpha;
  const rv::Levels levels{.alpha = claim_alpha, .beta = beta, .gamma = gamma};
  nb::dict out;
  if (!n) {
    const auto design = rv::exact_sign_design(levels);
    out["n"] = design.pairs;
    out["power"] = design.power;
    out["size"] = design.size;
    out["wins_needed"] = design.wins_needed;
    return out;
  }
  if (*n < 1 || *n > max_planned) throw rv::InvalidInput("n", std::to_string(*n), "1 to 1000000");
  const auto rule = rv::fixed_rule(*n, levels);
  out["n"] = *n;
  out["power"] = rule.power;
  out["size"] = rule.size;
  out["wins_needed"] = rule.better_from;
  out["detectable_gamma"] = rv::detectable_share(rule, beta);
  return out;
}

nb::dict dict_of(const rv::PlannedTest& test) {
  nb::dict out;
  out["name"] = test.name;
  out["equivalence"] = test.equivalence;
  out["overlap"] = test.overlap;
  out["min_runs"] = test.min_runs;
  return out;
}

nb::list planned_tests() {
  nb::list out;
  for (const auto& test : rv::all_planned_tests()) out.append(dict_of(test));
  return out;
}

/// Calls `f`; an error about an argument of the library names the one that the user gave.
template <typename Call>
void naming(const char* field, const std::string& given, const Call& f) {
  try {
    f();
  } catch (const rv::InvalidInput& mistake) {
    if (mistake.field != field) throw;
    throw rv::InvalidInput(given, mistake.value, mistake.allowed);
  }
}

/// A test for normal scores: runs for a size, the power of n runs for it, or the size that n runs find. None where no
/// number of runs, or no size, is enough. The size is called an effect or a margin.
nb::dict planned_power(const std::string& name, const nb::dict& settings, std::optional<double> size,
                       std::optional<std::int64_t> n) {
  const auto& test = row_named("test", name, rv::all_planned_tests());
  const Given given(settings);
  rv::PowerSettings how;
  given.take("alpha", how.alpha);
  given.take("beta", how.beta);
  given.take("overlap", how.overlap);
  given.take("difference", how.difference);
  given.take("sides", how.sides, {{"one", rv::Sides::one}, {"two", rv::Sides::two}});
  if (n && (*n < test.min_runs || *n > max_planned))
    throw rv::InvalidInput("n", std::to_string(*n), std::to_string(test.min_runs) + " to 1000000");
  std::optional<double> found_size = size, power;
  std::optional<std::int64_t> runs = n;
  naming("size", test.equivalence ? "margin" : "effect", [&] {
    const nb::gil_scoped_release others_may_run;
    if (!n) runs = rv::runs_for(test, size.value(), how);
    if (!size) found_size = rv::detectable_size(test, n.value(), how);
    if (runs && found_size) power = test.power(*runs, *found_size, how);
  });
  nb::dict out;
  out["n"] = runs;
  out["size"] = found_size;
  out["power"] = power;
  return out;
}

/// Power by drawing runs from a pilot. The key of the draws is made as in the program.
nb::dict pilot_power(const std::string& test, Numbers candidate, Numbers baseline, std::int64_t n,
                     const nb::dict& settings, std::int64_t studies, std::size_t threads, std::uint64_t seed,
                     const std::string& subject) {
  const rv::Pilot pilot{.candidate = std::move(candidate), .baseline = std::move(baseline)};
  rv::PilotPlan plan{.test = test,
                     .settings = settings_of(Given(settings)),
                     .studies = studies,
                     .key = rv::derive(rv::derive(seed, "comparison:" + subject), "pilot"),
                     .threads = threads};
  rv::Estimate effect, power;
  std::optional<rv::Estimate> low, high;
  naming("runs", "n", [&] {
    const nb::gil_scoped_release others_may_run;
    effect = rv::pilot_effect(pilot, plan);
    plan.claim = rv::pilot_claim(effect, plan);
    power = rv::simulated_power(pilot, n, 0.0, plan);
    if (rv::shiftable(plan) && effect.low && effect.high) {
      low = rv::simulated_power(pilot, n, *effect.low - effect.point, plan);
      high = rv::simulated_power(pilot, n, *effect.high - effect.point, plan);
    }
  });
  nb::dict out;
  out["claim"] = rv::name_of(plan.claim);
  out["effect"] = dict_of(effect);
  out["power"] = dict_of(power);
  out["power_at_low"] = low ? nb::cast(low->point) : nb::none();
  out["power_at_high"] = high ? nb::cast(high->point) : nb::none();
  return out;
}

/// `baseline`: absent for the aggregate of one variant. The key of the draws is made as in the program.
nb::dict aggregate(const std::string& how, Tasks candidate, std::optional<Tasks> baseline, const nb::dict& settings,
                   std::optional<std::uint64_t> seed, const std::string& subject) {
  const Given given(settings);
  rv::AggregateOptions options;
  given.take("alpha", options.alpha);
  given.take("target", options.gamma);
  given.take("reps", options.resamples);
  given.take("task_bootstrap", options.resample_tasks);
  given.take("paired", options.paired);
  given.take("method", options.method,
             {{"percentile", rv::BootstrapMethod::percentile},
              {"basic", rv::BootstrapMethod::basic},
              {"bca", rv::BootstrapMethod::bca}});
  if (seed) options.key = rv::derive(rv::derive(*seed, "comparison:" + subject), "bootstrap");
  const rv::TaskScores of{std::move(candidate)};
  const bool share = how == "poi" && baseline.has_value();
  const rv::Aggregate which = share ? rv::Aggregate::mean : row_named("how", how, rv::all_aggregates()).aggregate;
  rv::Estimate found;
  {
    const nb::gil_scoped_release others_may_run;
    if (!baseline)
      found = rv::aggregate_interval(of, which, options);
    else if (share)
      found = rv::improvement_interval(of, {std::move(*baseline)}, options);
    else
      found = rv::aggregate_difference(of, {std::move(*baseline)}, which, options);
  }
  return dict_of(found);
}

nb::dict dict_of(const rv::AuditRow& row) {
  nb::dict out, verdicts;
  for (const auto status : {rv::Status::better, rv::Status::worse, rv::Status::equivalent, rv::Status::not_meaningful,
                            rv::Status::inconclusive, rv::Status::invalid})
    verdicts[std::string(rv::name_of(status)).c_str()] = row.share(status);
  out["rule"] = row.rule->name;
  out["label"] = row.rule->label == rv::AuditLabel::valid ? "valid" : "exhibit";
  out["cell"] = rv::text_of(row.cell);
  out["model"] = rv::row_of(row.cell.model).name;
  out["truth"] = rv::name_of(row.cell.truth);
  out["n"] = row.cell.runs;
  out["reps"] = row.reps;
  out["rate"] = row.rate();
  out["rate_is"] = row.cell.truth == rv::AuditTruth::null ? "size" : "power";
  out["se"] = row.se();
  out["mean_pairs"] = row.mean_pairs();
  out["outcome"] = row.outcome == rv::AuditOutcome::none ? nb::none() : nb::cast(rv::name_of(row.outcome));
  out["verdicts"] = verdicts;
  return out;
}

/// Rows of every chosen cell, and whether all of them pass. Ctrl-C ends it between two cells.
nb::dict audit(const std::vector<std::string>& rules, const std::vector<std::string>& models,
               const std::vector<std::string>& truths, const std::vector<std::int64_t>& runs, bool quick,
               const nb::dict& settings, std::uint64_t seed) {
  rv::AuditChoice choice{.runs = runs, .quick = quick};
  for (const auto& name : rules) choice.rules.push_back(&row_named("rules", name, rv::all_audit_rules()));
  for (const auto& name : models) choice.models.push_back(row_named("models", name, rv::all_score_models()).model);
  for (const auto& name : truths)
    choice.truths.push_back(
        chosen<rv::AuditTruth>("truths", name, {{"null", rv::AuditTruth::null}, {"gamma", rv::AuditTruth::gamma}}));
  const Given given(settings);
  rv::AuditSettings how;
  how.seed = seed;
  given.take("reps", how.reps);
  given.take("drawing_reps", how.drawing_reps);
  given.take<std::size_t>("threads", how.threads);
  std::vector<rv::AuditRow> rows;
  nb::list listed;
  for (const auto& entry : rv::audit_grid(choice)) {
    std::vector<rv::AuditRow> some;
    {
      const nb::gil_scoped_release others_may_run;
      some = rv::audit_cell(entry, how);
    }
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    for (const auto& row : some) listed.append(dict_of(row));
    rows.insert(rows.end(), some.begin(), some.end());
  }
  nb::dict out;
  out["passes"] = rv::passes(rows);
  out["rows"] = listed;
  return out;
}

nb::list tests() {
  nb::list out;
  for (const auto& test : rv::all_comparisons()) out.append(dict_of(test));
  return out;
}

}  // namespace

NB_MODULE(_native, module) {
  using namespace nb::literals;
  module.attr("version") = rv::version;
  module.def("tests", &tests);
  module.def("compare", &compare, "test"_a, "candidate"_a, "baseline"_a, "settings"_a, "seed"_a.none(), "subject"_a);
  module.def("sign_power", &sign_power, "alpha"_a, "beta"_a, "gamma"_a, "sides"_a, "n"_a.none());
  module.def("planned_tests", &planned_tests);
  module.def("planned_power", &planned_power, "test"_a, "settings"_a, "size"_a.none(), "n"_a.none());
  module.def("pilot_power", &pilot_power, "test"_a, "candidate"_a, "baseline"_a, "n"_a, "settings"_a, "studies"_a,
             "threads"_a, "seed"_a, "subject"_a);
  module.def("aggregate", &aggregate, "how"_a, "candidate"_a, "baseline"_a.none(), "settings"_a, "seed"_a.none(),
             "subject"_a);
  module.def("audit", &audit, "rules"_a, "models"_a, "truths"_a, "runs"_a, "quick"_a, "settings"_a, "seed"_a);
}
