#include <limits>

#include "workloads/interface/formula.hpp"
#include "workloads/pipeline/arithmetic/spike.hpp"
#include "workloads/pipeline/methods/delays.hpp"
#include "workloads/pipeline/methods/scaling.hpp"

/// Rows of `retrial list formulas` for what methods compute.
namespace retrial::pipeline::inline analysis {
namespace {

using std::string_literals::operator""s;
using workloads::FormulaArguments, workloads::Range, workloads::RegisterFormula, workloads::Shape;

const RegisterFormula delays_row{
    {.name = "delays",
     .arguments = {{.value = {"model", "pb"s, "the delay model",
                              std::vector<std::string>{"none", "pb", "one_f_one_b", "uniform", "custom"}}},
                   {.value = {"stages", std::int64_t{1}, "stages", Range{1, 512}}},
                   {.value = {"uniform", std::int64_t{1}, "with model = uniform", Range{0, 4096}}, .optional = true},
                   {.value = {"custom", std::int64_t{0},
                              "with model = custom: one per stage, none above the one before", Range{0, 1e9}},
                    .shape = Shape::list,
                    .optional = true}},
     .meaning = "updates of each stage between the forward of a sample and its backward; stage 0 is at the input",
     .example = "model=pb stages=8",
     .function = [](const FormulaArguments& given) {
       const auto custom = given.integers("custom");
       return Json{{"delays", delays(delay_model_named(given.text("model")), given.integer("stages"),
                                     given.integer("uniform"), custom)}};
     }}};

const RegisterFormula spike_row{
    {.name = "sc_coefficients",
     .arguments = {{.value = {"m", 0.0, "momentum", Range{0, 1}}},
                   {.value = {"D", std::int64_t{0}, "delay in updates", Range{0, 1e9}}}},
     .meaning = "spike compensation: the update w -= lr (a v + b g) that gives a late gradient what it missed",
     .example = "m=0.9 D=4",
     .function = [](const FormulaArguments& given) {
       const auto found = sc_coefficients(given.number("m"), given.integer("D"));
       return Json{{"a", found.a}, {"b", found.b}};
     }}};

const RegisterFormula scaling_row{
    {.name = "scale_hyperparameters",
     .arguments = {{.value = {"lr", 0.1, "learning rate",
                              Range{0, std::numeric_limits<double>::infinity(), true, true}}},
                   {.value = {"momentum", 0.9, "momentum", Range{0, 1, false, true}}},
                   {.value = {"from", 1.0, "samples per update that they were tuned for", Range{1, 1e12}}},
                   {.value = {"to", 1.0, "samples per update now", Range{1, 1e12}}}},
     .meaning = "rates for updates of another number of samples, with the same half-life and contribution per sample",
     .example = "lr=0.1 momentum=0.9 from=128 to=1",
     .function = [](const FormulaArguments& given) {
       const auto found = scale_hyperparameters(given.number("lr"), given.number("momentum"), given.number("from"),
                                                given.number("to"));
       return Json{{"lr", found.lr}, {"momentum", found.momentum}};
     }}};

}  // namespace
}  // namespace retrial::pipeline::inline analysis
