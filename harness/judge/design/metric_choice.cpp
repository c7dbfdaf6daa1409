#include "harness/judge/design/comparison.hpp"
#include "harness/stored/metric_summary.hpp"
#include "harness/text/output.hpp"
#include "results/text/error.hpp"

namespace retrial::harness::inline judge::inline design {
namespace {

std::string word_for(variance::Direction direction) {
  return direction == variance::Direction::lower ? "lower" : "higher";
}

/// The direction of a metric is its own; a chosen one fills the place of none.
results::MetricDef directed(results::MetricDef def, const ComparisonChoice& choice,
                            std::vector<std::string>& undeclared) {
  const std::string own(results::name_of(def.direction)), chosen = choice.direction ? word_for(*choice.direction) : own;
  if (own == chosen && def.direction != results::Direction::none) return def;
  if (!choice.direction)
    throw Error({.code = "metric.no_direction",
                 .field = "--metric",
                 .value = def.name,
                 .problem = "has no direction, so neither value is better",
                 .help = "add --higher or --lower; a new study declares it: --read " +
                         shell_word(def.name + ":higher") + " or " + shell_word(def.name + ":lower")});
  if (def.direction != results::Direction::none)
    throw Error({.code = "usage.option_value",
                 .field = "--" + chosen,
                 .problem = "contradicts the store: " + own + " is better for metric " + def.name,
                 .allowed = "--" + own});
  def.direction = results::direction_from(chosen);
  undeclared.push_back("the direction of " + def.name + ", " + chosen + " is better, was chosen after the runs");
  return def;
}

}  // namespace

results::MetricDef metric_to_compare(const results::Store& store, const StudyView& study,
                                     const ComparisonChoice& choice, std::vector<std::string>& undeclared) {
  const auto defs = store.metric_defs();
  if (choice.metric || study.metric)
    return directed(metric_named(defs, choice.metric ? *choice.metric : *study.metric), choice, undeclared);
  for (const auto& def : defs)
    if (def.nature == results::Nature::outcome && def.axis == results::Axis::none &&
        def.direction != results::Direction::none)
      return directed(def, choice, undeclared);
  throw Error({.code = "metric.none",
               .field = "--metric",
               .problem = "no outcome metric of this store has a direction",
               .help = "name one with --metric"});
}

}  // namespace retrial::harness::inline judge::inline design
