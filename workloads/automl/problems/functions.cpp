#include "workloads/automl/problems/functions.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace retrial::automl::inline problems {
namespace {

using std::numbers::pi;

constexpr double shift_share = 0.0731, sphere_center = 1.2345;

double branin(std::span<const double> x) {
  const double a = x[1] - 5.1 / (4 * pi * pi) * x[0] * x[0] + 5 * x[0] / pi - 6;
  return a * a + 10 * (1 - 1 / (8 * pi)) * std::cos(x[0]) + 10;
}

constexpr std::array<double, 4> hartmann_weights{1, 1.2, 3, 3.2};

template <std::size_t D>
double hartmann(std::span<const double> x, const std::array<std::array<double, D>, 4>& A,
                const std::array<std::array<double, D>, 4>& P) {
  double sum = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    double exponent = 0;
    for (std::size_t j = 0; j < D; ++j) exponent += A[i][j] * (x[j] - 1e-4 * P[i][j]) * (x[j] - 1e-4 * P[i][j]);
    sum -= hartmann_weights[i] * std::exp(-exponent);
  }
  return sum;
}

double hartmann6(std::span<const double> x) {
  constexpr std::array<std::array<double, 6>, 4> A{
      {{10, 3, 17, 3.5, 1.7, 8}, {.05, 10, 17, .1, 8, 14}, {3, 3.5, 1.7, 10, 17, 8}, {17, 8, .05, 10, .1, 14}}};
  constexpr std::array<std::array<double, 6>, 4> P{{{1312, 1696, 5569, 124, 8283, 5886},
                                                    {2329, 4135, 8307, 3736, 1004, 9991},
                                                    {2348, 1451, 3522, 2883, 3047, 6650},
                                                    {4047, 8828, 8732, 5743, 1091, 381}}};
  return hartmann<6>(x, A, P);
}

double hartmann3(std::span<const double> x) {
  constexpr std::array<std::array<double, 3>, 4> A{{{3, 10, 30}, {.1, 10, 35}, {3, 10, 30}, {.1, 10, 35}}};
  constexpr std::array<std::array<double, 3>, 4> P{
      {{3689, 1170, 2673}, {4699, 4387, 7470}, {1091, 8732, 5547}, {381, 5743, 8828}}};
  return hartmann<3>(x, A, P);
}

double ackley(std::span<const double> x) {
  double squares = 0, waves = 0;
  for (const double v : x) {
    squares += v * v;
    waves += std::cos(2 * pi * v);
  }
  const auto d = static_cast<double>(x.size());
  return -20 * std::exp(-.2 * std::sqrt(squares / d)) - std::exp(waves / d) + 20 + std::numbers::e;
}

double rosenbrock(std::span<const double> x) {
  double sum = 0;
  for (std::size_t i = 0; i + 1 < x.size(); ++i) {
    const double rise = x[i + 1] - x[i] * x[i];
    sum += 100 * rise * rise + (1 - x[i]) * (1 - x[i]);
  }
  return sum;
}

double rastrigin(std::span<const double> x) {
  double sum = 10 * static_cast<double>(x.size());
  for (const double v : x) sum += v * v - 10 * std::cos(2 * pi * v);
  return sum;
}

double levy(std::span<const double> x) {
  const auto w = [&](std::size_t i) { return 1 + (x[i] - 1) / 4; };
  const auto squared = [](double v) { return v * v; };
  double sum = squared(std::sin(pi * w(0)));
  for (std::size_t i = 0; i + 1 < x.size(); ++i) sum += squared(w(i) - 1) * (1 + 10 * squared(std::sin(pi * w(i) + 1)));
  const double last = w(x.size() - 1);
  return sum + squared(last - 1) * (1 + squared(std::sin(2 * pi * last)));
}

double camel6(std::span<const double> x) {
  const double a = x[0] * x[0], b = x[1] * x[1];
  return (4 - 2.1 * a + a * a / 3) * a + x[0] * x[1] + (4 * b - 4) * b;
}

double holder(std::span<const double> x) {
  const double r = std::sqrt(x[0] * x[0] + x[1] * x[1]);
  return -std::fabs(std::sin(x[0]) * std::cos(x[1]) * std::exp(std::fabs(1 - r / pi)));
}

double styblinski(std::span<const double> x) {
  double sum = 0;
  for (const double v : x) sum += v * v * v * v - 16 * v * v + 5 * v;
  return sum / 2;
}

double sphere(std::span<const double> x) {
  double sum = 0;
  for (const double v : x) sum += (v - sphere_center) * (v - sphere_center);
  return sum;
}

double zero(int) {
  return 0;
}

using Box = std::pair<double, double>;

template <int low, int high>
Box cube(int) {
  return {low, high};
}

}  // namespace

const std::vector<TestFunction>& test_functions() {
  static const std::vector<TestFunction> all{
      {"branin", "three equal minima", 2, branin, [](int) { return 0.397887357729738; },
       [](int i) {
         return i == 0 ? Box{-5, 10} : Box{0, 15};
       }},
      {"hartmann6", "four hollows, one of them the deepest", 6, hartmann6, [](int) { return -3.32236801141551; },
       cube<0, 1>},
      {"hartmann3", "the same in three dimensions", 3, hartmann3, [](int) { return -3.86277978695; }, cube<0, 1>},
      {"ackley", "a funnel under waves", 0, ackley, zero,
       [](int) {
         return Box{-32.768, 32.768};
       },
       true},
      {"rosenbrock", "a curved valley", 0, rosenbrock, zero, cube<-5, 10>},
      {"rastrigin", "a bowl under waves", 0, rastrigin, zero,
       [](int) {
         return Box{-5.12, 5.12};
       },
       true},
      {"levy", "a bowl under waves of several lengths", 0, levy, zero, cube<-10, 10>},
      {"camel6", "six hollows, two of them the deepest", 2, camel6, [](int) { return -1.03162845348988; },
       [](int i) {
         return i == 0 ? Box{-3, 3} : Box{-2, 2};
       },
       true},
      {"holder", "four equal minima near the corners", 2, holder, [](int) { return -19.2085025678868; }, cube<-10, 10>},
      {"styblinski", "one deep hollow for each dimension", 0, styblinski, [](int d) { return -39.1661657037714 * d; },
       cube<-5, 5>, true},
      {"sphere", "a bowl", 0, sphere, zero, cube<-5, 5>},
  };
  return all;
}

const TestFunction* function_if_known(const std::string& name) {
  const auto found = std::ranges::find(test_functions(), name, &TestFunction::name);
  return found == test_functions().end() ? nullptr : &*found;
}

FunctionProblem::FunctionProblem(const TestFunction& function, int dimensions)
    : function_(function), dimensions_(dimensions) {}

/// The start is a fifth of the way from a corner: no optimum is there.
std::vector<Hyperparameter> FunctionProblem::space(std::size_t) const {
  std::vector<Hyperparameter> out;
  for (int i = 0; i < dimensions_; ++i) {
    const auto [low, high] = function_.box(i);
    out.push_back({.name = "x" + std::to_string(i), .low = low, .high = high, .init = low + .2 * (high - low)});
  }
  return out;
}

Outcome FunctionProblem::evaluate(const Evaluation& evaluation) const {
  std::vector<double> x;
  for (int i = 0; i < dimensions_; ++i) {
    const auto [low, high] = function_.box(i);
    const double moved = function_.shifted ? shift_share * (high - low) * (i % 2 == 0 ? 1 : -1) : 0;
    x.push_back(number(evaluation.configuration, "x" + std::to_string(i), 0) - moved);
  }
  return {.loss = function_.value(x), .cost = 1};
}

}  // namespace retrial::automl::inline problems
