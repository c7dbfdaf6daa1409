#include <limits>

#include "workloads/interface/formula.hpp"
#include "workloads/pipeline/arithmetic/kernels.hpp"
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

const RegisterFormula velocity_row{
    {.name = "predict_velocity",
     .arguments = {{.value = {"weight", 0.0, "weight now", {}}},
                   {.value = {"velocity", 0.0, "velocity of the momentum", {}}},
                   {.value = {"lr", 0.1, "learning rate",
                              Range{0, std::numeric_limits<double>::infinity(), true, true}}},
                   {.value = {"horizon", 0.0, "updates to look ahead", Range{0, 1e9}}}},
     .meaning = "linear weight prediction by the velocity: weight - lr * horizon * velocity",
     .example = "weight=1 velocity=0.5 lr=0.1 horizon=4",
     .function = [](const FormulaArguments& given) {
       return Json{{"predicted", predict_velocity(given.number("weight"), given.number("velocity"), given.number("lr"),
                                                  given.number("horizon"))}};
     }}};

const RegisterFormula difference_row{
    {.name = "predict_difference",
     .arguments = {{.value = {"weight", 0.0, "weight now", {}}},
                   {.value = {"before", 0.0, "weight one update earlier", {}}},
                   {.value = {"horizon", 0.0, "updates to look ahead", Range{0, 1e9}}}},
     .meaning = "linear weight prediction by the last difference: weight + horizon * (weight - before)",
     .example = "weight=1 before=1.05 horizon=4",
     .function = [](const FormulaArguments& given) {
       return Json{
           {"predicted", predict_difference(given.number("weight"), given.number("before"), given.number("horizon"))}};
     }}};

}  // namespace
}  // namespace retrial::pipeline::inline analysis
