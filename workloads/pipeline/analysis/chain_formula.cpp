#include <cmath>
#include <limits>

#include "workloads/interface/formula.hpp"
#include "workloads/pipeline/analysis/chain.hpp"

/// A row of `retrial list formulas`.
namespace retrial::pipeline::inline analysis {
namespace {

using std::string_literals::operator""s;
using workloads::Argument, workloads::FormulaArguments, workloads::Range, workloads::RegisterFormula, workloads::Shape;

const ScalarChain& defaults() {
  static const ScalarChain chain;
  return chain;
}

Argument optional_number(const std::string& name, double fallback, const std::string& meaning, Range allowed) {
  return {.value = {name, fallback, meaning, allowed}, .optional = true};
}

/// The words are checked by scalar_chain, which knows what goes with what.
Argument word_argument(const std::string& name, const std::string& meaning) {
  return {.value = {name, ""s, meaning, {}}};
}

std::vector<Argument> chain_arguments() {
  constexpr double infinity = std::numeric_limits<double>::infinity(), most = 100'000;
  const ScalarChain& d = defaults();
  return {{.value = {"w", 1.0, "initial weights, one per stage", {}}, .shape = Shape::list},
          {.value = {"y", 0.0, "target", {}}},
          {.value = {"lr", 0.1, "learning rate", Range{0, infinity, true, true}}},
          {.value = {"momentum", 0.0, "momentum", Range{0, 1, false, true}}},
          word_argument("activation", "lin or tanh, after each stage"),
          word_argument("delay", "none, pb, one_f_one_b, uniform or custom"),
          word_argument("semantics", "which weights each pass reads: the key of the workload"),
          word_argument("corrector", "the correction of the delay: the key of the workload"),
          {.value = {"samples", std::int64_t{1}, "samples of the run", Range{1, most}}},
          {.value = {"uniform_delay", d.uniform_delay, "with delay = uniform", Range{0, 4096}}, .optional = true},
          {.value = {"delay_list", std::int64_t{0}, "with delay = custom: one per stage", Range{0, most}},
           .shape = Shape::list,
           .optional = true},
          optional_number("horizon", d.horizon, "prediction over this multiple of the delay", {0, 8}),
          optional_number("spike", d.spike, "spike compensation for this multiple of the delay", {0, 8}),
          {.value = {"corrector_delay", d.corrector_delay, "nominal or measured", {}}, .optional = true},
          {.value = {"microbatches", d.microbatches, "samples per update", Range{1, most}}, .optional = true},
          optional_number("weight_decay", d.weight_decay, "weight decay", {0, infinity, false, true}),
          {.value = {"decay_kind", d.decay_kind, "coupled or decoupled", {}}, .optional = true},
          {.value = {"lr_schedule", 0.0, "rows sample,factor: from that sample on the rate is factor * lr",
                     Range{0, infinity, false, true}},
           .shape = Shape::rows,
           .optional = true},
          optional_number("gsc_a", d.gsc_a, "with corrector = gsc", {-infinity, infinity}),
          optional_number("gsc_b", d.gsc_b, "with corrector = gsc", {-infinity, infinity}),
          optional_number("dc_lambda", d.dc_lambda, "with corrector = dc_asgd", {-infinity, infinity}),
          optional_number("pipemare_samples", d.pipemare_samples, "samples with lowered rates; 0: none", {0, infinity}),
          optional_number("pipemare_decay", d.pipemare_decay, "with corrector = pipemare", {0, 1, true, true})};
}

ScalarChain chain_in(const FormulaArguments& given) {
  auto schedule = given.rows("lr_schedule");
  if (schedule.size() == 1 && schedule.front().empty()) schedule.clear();
  return {.w = given.numbers("w"),
          .y = given.number("y"),
          .lr = given.number("lr"),
          .momentum = given.number("momentum"),
          .activation = given.text("activation"),
          .delay = given.text("delay"),
          .semantics = given.text("semantics"),
          .corrector = given.text("corrector"),
          .samples = given.integer("samples"),
          .uniform_delay = given.integer("uniform_delay"),
          .delay_list = given.integers("delay_list"),
          .horizon = given.number("horizon"),
          .spike = given.number("spike"),
          .corrector_delay = given.text("corrector_delay"),
          .microbatches = given.integer("microbatches"),
          .weight_decay = given.number("weight_decay"),
          .decay_kind = given.text("decay_kind"),
          .lr_schedule = std::move(schedule),
          .gsc_a = given.number("gsc_a"),
          .gsc_b = given.number("gsc_b"),
          .dc_lambda = given.number("dc_lambda"),
          .pipemare_samples = given.number("pipemare_samples"),
          .pipemare_decay = given.number("pipemare_decay")};
}

/// null for a weight beyond a double.
Json table_json(const std::vector<std::vector<double>>& rows) {
  Json out = Json::array();
  for (const auto& row : rows) {
    Json& items = out.emplace_back(Json::array());
    for (const double value : row) items.push_back(std::isfinite(value) ? Json(value) : Json());
  }
  return out;
}

const RegisterFormula chain_row{
    {.name = "scalar_chain",
     .arguments = chain_arguments(),
     .meaning = "weights of the smallest pipelines, after each update of a stage and (delay = pb) after each tick",
     .example =
         "w=1.2,0.9,1.1 y=0.3 lr=0.05 momentum=0.5 activation=lin delay=pb semantics=inconsistent corrector=none "
         "samples=12",
     .function = [](const FormulaArguments& given) {
       const auto found = scalar_chain(chain_in(given));
       return Json{{"versions", table_json(found.versions)}, {"ticks", table_json(found.ticks)}};
     }}};

}  // namespace
}  // namespace retrial::pipeline::inline analysis
