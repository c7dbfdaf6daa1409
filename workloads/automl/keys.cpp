#include "workloads/automl/keys.hpp"

#include <algorithm>
#include <limits>

#include "workloads/automl/named.hpp"

namespace retrial::automl {
namespace {

using workloads::Parameter, workloads::Range, workloads::Reads;
using Choices = std::vector<std::string>;

constexpr double infinite = std::numeric_limits<double>::infinity(), any_count = 1e15, huge = 1e300;
constexpr const char* default_problem = "function:hartmann6/6";

Choices searcher_names() {
  Choices names{"flaml", "flow2", "random", "halton", "sobol", "tpe", "cma", "blend", "asha", "hyperband", "portfolio"};
  for (const char* reference : {"zero-shot", "forest500", "xgb-default", "lgbm-default", "constant"})
    names.emplace_back(reference);
  return names;
}

bool draws_nothing(const Values& values) {
  const std::string& searcher = text_in(values, "searcher");
  return is_function(values) && (searcher == "halton" || searcher == "sobol");
}

std::string word(const char* text) {
  return text;
}

}  // namespace

std::vector<Parameter> parameters() {
  const auto whole = [](std::int64_t value) { return value; };
  return {
      {"problem",
       word(default_problem),
       "function:NAME/DIMENSIONS, lcbench:TASK, data:NAME (retrial data), table, or costs:LEARNER; several "
       "are a suite",
       {}},
      {"data_dir", word(""), "folder of the data sets, and of the table", {}, Reads::place},
      {"table", word(""), "problem = table: a CSV or ARFF file in that folder", {}},
      {"target", word(""), "problem = table: name or number of the column to predict; empty: the last one", {}},
      {"task", word("auto"), "problem = table: what kind of target it is",
       Choices{"auto", "binary", "multiclass", "regression"}},
      {"header", word("auto"), "problem = table: whether the first line has the names",
       Choices{"auto", "none", "names"}},
      {"categorical", word(""), "problem = table: columns of categories that are written as numbers", {}},
      {"searcher", word("flaml"), "how the next evaluation is chosen; the last four train one configuration",
       searcher_names()},
      {"learners", word(""), "learners to search over; empty: those of the task (retrial list automl)", {}},
      {"metric", word(""), "metric to optimize; empty: that of the task (auc, logloss, r2)", {}},
      {"budget_cost", whole(0), "cost units of a search, about a microsecond each; 0: no limit", Range{0, any_count}},
      {"budget_evaluations", whole(100), "evaluations of a search; 0: no limit", Range{0, 1e7}},
      {"target_regret", 2.0, "regret of a test function or of lcbench whose cost is measured", Range{0, huge},
       Reads::training, false},
      {"cost_per_hour", whole(3'600'000'000), "cost units of an hour, for rules that are stated in hours",
       Range{1, any_count}},
      {"cost_scales", word(""), "factors of the cost of learners, xgboost=3/2,rf=1; empty: the fitted ones", {}},
      {"strict_budget", false, "the last evaluation may not exceed budget_cost either", {}},
      {"eci_rule", word("paper"), "estimated cost for improvement of a learner",
       Choices{"paper", "v01", "v26", "mlnet"}},
      {"gap_factor", 2.0, "eci_rule = paper: factor of the cost of catching up", Range{0, infinite, true, true}},
      {"flow2_rule", word("adaptive"), "step sizes of the walk; flaml26: as FLAML 2.6 ships it",
       Choices{"paper", "adaptive", "flaml26"}},
      {"growth", 1.3, "flow2_rule = adaptive: factor of the step after a better point", Range{1, 4, true, false}},
      {"shrink", 0.6, "flow2_rule = adaptive: factor of the step after misses", Range{0, 1, true, true}},
      {"shrink_after", whole(2), "flow2_rule = adaptive: misses", Range{1, 512}},
      {"wait_cap", whole(0), "flow2_rule = paper: misses before the step shrinks, at most; 0: 2^(d-1), at most 512",
       Range{0, 512}},
      {"restart", word("paper"), "where a walk that has ended starts again: around its start, or as CFO of FLAML does",
       Choices{"paper", "cfo"}},
      {"start", word("best"), "where walks start", Choices{"best", "low_cost"}},
      {"dead_region", whole(4),
       "evaluations per dimension without a better point, after which a walk starts elsewhere; 0: no limit",
       Range{0, 1000}},
      {"sampling", word("paper"), "when to train on more rows: the rule of the paper, of FLAML 0.1, of FLAML 2.6",
       Choices{"paper", "v01", "v26", "off"}},
      {"sample_factor", 2.0, "growth of the number of rows", Range{2, 16}},
      {"min_sample", whole(10'000), "rows to start with", Range{1, any_count}},
      {"resampling", word("auto"), "how a configuration is validated", Choices{"auto", "cv", "holdout"}},
      {"folds", whole(5), "folds of the cross-validation", Range{2, 1000}},
      {"holdout_ratio", 0.1, "share of the rows that are held out", Range{0, 0.5, true, false}},
      {"inner_split", word("fixed"), "whether every evaluation has the same folds", Choices{"fixed", "reshuffle"}},
      {"retrain_full",
       false,
       "after a hold-out the best configuration is trained on all rows; after cv it always is",
       {}},
      {"portfolio", true, "searcher = flaml: train known configurations first", {}},
      {"portfolio_fraction", 0.25, "share of the budget for them", Range{0, 1}},
      {"tpe_mode", word("v5"),
       "densities as in Optuna 5 or 4 (u: each parameter alone, m: together), or as in Hyperopt",
       Choices{"v5", "v4u", "v4m", "hyperopt"}},
      {"tpe_startup", whole(10), "random configurations first; tpe_mode = hyperopt: at least 20", Range{1, 1e6}},
      {"tpe_candidates", whole(24), "draws for each proposal", Range{1, 10'000}},
      {"eta", whole(3), "searcher = asha, hyperband: one in so many goes on, with so many times the fidelity",
       Range{2, 100}},
      {"r_min", whole(1), "least fidelity: rows of a hold-out, folds of a cross-validation, epochs of lcbench",
       Range{1, any_count}},
      {"r_max", whole(0), "largest fidelity; 0: that of the problem", Range{0, any_count}},
      {"pruner", word("promotion"), "searcher = asha: which configurations go on (docs/workloads/automl.md)",
       Choices{"promotion", "stopping", "median", "percentile", "threshold", "patient", "wilcoxon"}},
      {"prune_low", -huge, "pruner = threshold: a loss below stops", Range{-huge, huge}},
      {"prune_high", huge, "pruner = threshold: a loss above stops", Range{-huge, huge}},
      {"patience", whole(1), "pruner = patient: rungs without a gain", Range{1, 1000}},
      {"least_gain", 0.0, "pruner = patient: a smaller one is none", Range{0, huge}},
      {"virtual_workers", whole(1), "evaluations under way at a time, in virtual time", Range{1, 1024}},
      {"learner_threads", whole(1), "threads of a training", Range{1, 1024}, Reads::evaluation},
      {"real_threads", whole(1), "threads that train", Range{1, 1024}, Reads::evaluation},
      {"guard_bytes", whole(std::int64_t{4} << 30), "size of a model beyond which it is not trained",
       Range{1, any_count}, Reads::rare},
      {"cache", true, "a configuration that comes again is not trained again", {}, Reads::rare},
      {"outer_folds", whole(5), "folds of the table, one of which tests the result", Range{2, 1000}},
      {"outer_fold", whole(0), "the fold that tests", Range{0, 999}},
  };
}

namespace {

std::vector<std::string> reads_one(const Values& values) {
  if (kind_of(values) == "costs") return {"problem", "data_dir", "cost_scales"};
  std::vector<std::string> keys{"problem", "searcher"};
  const auto add = [&](std::initializer_list<const char*> more) { keys.insert(keys.end(), more.begin(), more.end()); };
  const bool searches = !is_reference(values), costs = integer_in(values, "budget_cost") > 0;
  if (kind_of(values) == "lcbench") add({"data_dir"});
  if (!is_function(values)) {
    add({"data_dir", "metric", "learner_threads", "guard_bytes", "outer_folds", "outer_fold"});
    if (text_in(values, "problem") == "table") add({"table", "target", "task", "header", "categorical"});
    if (searches) {
      if (costs) add({"cost_scales"});
      add({"learners", "resampling", "inner_split"});
      if (text_in(values, "resampling") != "holdout") add({"folds"});
      if (text_in(values, "resampling") != "cv") add({"holdout_ratio", "retrain_full"});
      if (text_in(values, "resampling") == "auto" && costs) add({"cost_per_hour"});
    }
  }
  if (!searches) return keys;
  add({"budget_cost", "budget_evaluations", "virtual_workers", "real_threads", "cache"});
  if (costs) add({"strict_budget"});
  if (costs && is_function(values)) add({"target_regret"});
  if (chooses_by_cost(values)) {
    add({"eci_rule"});
    if (text_in(values, "eci_rule") == "paper") add({"gap_factor"});
  }
  const std::string& searcher = text_in(values, "searcher");
  if (searcher == "flaml" && !is_function(values)) {
    add({"portfolio", "start", "sampling"});
    if (flag_in(values, "portfolio")) add({"portfolio_fraction"});
    if (text_in(values, "sampling") != "off") add({"sample_factor", "min_sample"});
  }
  if (walks(values)) {
    const std::string& rule = text_in(values, "flow2_rule");
    add({"flow2_rule"});
    if (searcher != "blend") add({"restart"});
    if (searcher != "blend" && rule != "flaml26") add({"dead_region"});
    if (rule == "adaptive") add({"growth", "shrink", "shrink_after"});
    if (rule == "paper") add({"wait_cap"});
  }
  if (estimates_densities(values)) add({"tpe_mode", "tpe_startup", "tpe_candidates"});
  if (halves(values)) {
    add({"eta", "r_min", "r_max"});
    const std::string& pruner = text_in(values, "pruner");
    if (searcher == "asha") add({"pruner"});
    if (searcher == "asha" && pruner == "threshold") add({"prune_low", "prune_high"});
    if (searcher == "asha" && pruner == "patient") add({"patience", "least_gain"});
  }
  return keys;
}

std::vector<std::string> honours_one(const Values& values) {
  if (kind_of(values) == "costs") return {"data-split", "data-order", "init", "hopt"};
  std::vector<std::string> names;
  if (!is_function(values)) {
    names = {"data-split", "data-order"};
    const auto given = learners_in(values);
    const bool linear = !is_reference(values) && !given.empty() &&
                        std::ranges::all_of(given, [](const auto& name) { return name.starts_with("lrl"); });
    if (!linear && text_in(values, "searcher") != "constant") names.emplace_back("init");
  }
  if (!is_reference(values) && !draws_nothing(values)) names.emplace_back("hopt");
  return names;
}

/// In the order of the first, each once.
std::vector<std::string> of_any(const Values& values, std::vector<std::string> (*of_one)(const Values&)) {
  std::vector<std::string> out;
  for (const auto& cell : suite_of(values))
    for (auto& name : of_one(cell.values))
      if (std::ranges::find(out, name) == out.end()) out.push_back(std::move(name));
  return out;
}

}  // namespace

std::vector<std::string> reads(const Values& values) {
  return of_any(values, reads_one);
}

std::vector<std::string> honours(const Values& values) {
  const auto any = of_any(values, honours_one);
  std::vector<std::string> ordered;
  for (const char* source : {"data-split", "data-order", "init", "hopt"})
    if (std::ranges::find(any, source) != any.end()) ordered.emplace_back(source);
  return ordered;
}

}  // namespace retrial::automl
