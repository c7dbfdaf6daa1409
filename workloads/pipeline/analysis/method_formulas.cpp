#include <cmath>
#include <limits>

#include "variance/numbers/error.hpp"
#include "workloads/interface/formula.hpp"
#include "workloads/pipeline/analysis/quadratic.hpp"
#include "workloads/pipeline/arithmetic/spike.hpp"
#include "workloads/pipeline/methods/delays.hpp"
#include "workloads/pipeline/methods/scaling.hpp"

/// Rows of `retrial list formulas`: what methods compute, and what they do on a quadratic.
namespace retrial::pipeline::inline analysis {
namespace {

using std::string_literals::operator""s;
using workloads::Argument, workloads::FormulaArguments, workloads::Range, workloads::RegisterFormula;

constexpr double infinity = std::numeric_limits<double>::infinity();

Argument method_argument() {
  return {.value = {"method", "SGDM"s, "SGDM, SC, LWP, LWPv+SC, LWPw+SC, SC_2D, LWP_2D or GSC(a,b)", {}}};
}
Argument momentum_argument() {
  return {.value = {"m", 0.0, "momentum", Range{0, 1, false, true}}};
}
Argument step_argument() {
  return {.value = {"x", 0.0, "learning rate times curvature", Range{0, infinity, true, true}}};
}
Argument delay_argument(double highest = 256) {
  return {.value = {"D", std::int64_t{0}, "delay in updates", Range{0, highest}}};
}

QuadraticMethod method_in(const FormulaArguments& given) {
  return quadratic_method_named(given.text("method"));
}

Json number_or_null(std::optional<double> value) {
  return value && std::isfinite(*value) ? Json(*value) : Json();
}

Json numbers_or_null(const std::vector<double>& values) {
  Json out = Json::array();
  for (const double value : values) out.push_back(number_or_null(value));
  return out;
}

const RegisterFormula delays_row{
    {.name = "delays",
     .arguments = {{.value = {"model", "pb"s, "the delay model",
                              std::vector<std::string>{"none", "pb", "one_f_one_b", "uniform", "custom"}}},
                   {.value = {"stages", std::int64_t{1}, "stages", Range{1, 512}}},
                   {.value = {"uniform", std::int64_t{1}, "with model = uniform", Range{0, 4096}}, .optional = true},
                   {.value = {"custom", std::int64_t{0},
                              "with model = custom: one per stage, none above the one before", Range{0, 1e9}},
                    .shape = workloads::Shape::list,
                    .optional = true}},
     .meaning = "updates of each stage between the forward of a sample and its backward; stage 0 is at the input",
     .example = "model=pb stages=8",
     .function = [](const FormulaArguments& given) {
       const auto custom = given.integers("custom");
       if (!custom.empty() && given.text("model") != "custom")
         throw InvalidInput("custom", std::to_string(custom.size()) + " delays", "left out unless model = custom");
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
     .arguments = {{.value = {"lr", 0.1, "learning rate", Range{0, infinity, true, true}}},
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

const RegisterFormula trajectory_row{
    {.name = "quadratic_trajectory",
     .arguments = {method_argument(),
                   momentum_argument(),
                   {.value = {"eta", 0.0, "learning rate", Range{0, infinity, true, true}}},
                   {.value = {"lambda", 1.0, "curvature", Range{0, infinity, true, true}}},
                   delay_argument(4096),
                   {.value = {"steps", std::int64_t{1}, "updates", Range{1, 10'000}}},
                   {.value = {"w0", 1.0, "first weight", {}}, .optional = true},
                   {.value = {"v0", 0.0, "first velocity", {}}, .optional = true}},
     .meaning = "weights w_1 to w_steps on the loss lambda w^2 / 2 with delayed gradients; null beyond a double",
     .example = "method=LWPv+SC m=0.9 eta=0.05 lambda=1 D=4 steps=10",
     .function = [](const FormulaArguments& given) {
       return Json{
           {"weights", numbers_or_null(quadratic_trajectory(
                           method_in(given), given.number("m"), given.number("eta"), given.number("lambda"),
                           given.integer("D"), given.integer("steps"), given.number("w0"), given.number("v0")))}};
     }}};

const RegisterFormula polynomial_row{
    {.name = "characteristic_polynomial",
     .arguments = {method_argument(), momentum_argument(), step_argument(), delay_argument()},
     .meaning = "coefficients of the characteristic polynomial, highest power first",
     .example = "method=SC m=0.9 x=0.05 D=2",
     .function = [](const FormulaArguments& given) {
       return Json{{"coefficients", characteristic_polynomial(method_in(given), given.number("m"), given.number("x"),
                                                              given.integer("D"))}};
     }}};

const RegisterFormula radius_row{
    {.name = "spectral_radius",
     .arguments = {method_argument(), momentum_argument(), step_argument(), delay_argument()},
     .meaning = "asymptotic factor per update, and the updates that halve the error (null: it does not shrink)",
     .example = "method=LWP m=0.9 x=0.01 D=4",
     .function = [](const FormulaArguments& given) {
       const double radius =
           spectral_radius(method_in(given), given.number("m"), given.number("x"), given.integer("D"));
       return Json{{"radius", radius}, {"half_life", number_or_null(half_life(radius))}};
     }}};

const RegisterFormula limit_row{
    {.name = "stability_limit",
     .arguments = {method_argument(), momentum_argument(), delay_argument()},
     .meaning = "smallest learning rate times curvature at which the method no longer converges (null: none below 4)",
     .example = "method=SGDM m=0.9 D=1",
     .function = [](const FormulaArguments& given) {
       return Json{{"x", number_or_null(stability_limit(method_in(given), given.number("m"), given.integer("D")))}};
     }}};

const RegisterFormula half_life_row{
    {.name = "best_half_life",
     .arguments = {method_argument(),
                   delay_argument(16),
                   {.value = {"kappa", 10.0, "ratio of the curvatures: 10, 100 or 1000", {}}},
                   {.value = {"m", -1.0, "momentum, with x_max: the nearest point of the grid alone", Range{0, 1}},
                    .optional = true},
                   {.value = {"x_max", -1.0, "largest learning rate times curvature, with m",
                              step_argument().value.allowed},
                    .optional = true}},
     .meaning = "fewest updates that halve every component, over a grid of momenta and rates (seconds)",
     .example = "method=LWPw+SC D=1 kappa=100",
     .function = [](const FormulaArguments& given) {
       const double m = given.number("m"), x_max = given.number("x_max");
       if ((m < 0) != (x_max < 0))
         throw InvalidInput(m < 0 ? "m" : "x_max", "none", "a number, as m and x_max go together");
       const auto best = m < 0 ? best_half_life(method_in(given), given.integer("D"), given.number("kappa"))
                               : half_life_at(method_in(given), given.integer("D"), given.number("kappa"), m, x_max);
       return Json{{"half_life", number_or_null(best.updates)}, {"m", best.m}, {"x_max", best.x_max}};
     }}};

}  // namespace
}  // namespace retrial::pipeline::inline analysis
