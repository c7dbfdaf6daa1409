#include "workloads/pipeline/analysis/quadratic.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>

#include "results/text/text.hpp"
#include "variance/numbers/error.hpp"
#include "workloads/pipeline/arithmetic/spike.hpp"

namespace retrial::pipeline::inline analysis {
namespace {

using Prediction = QuadraticMethod::Prediction;

const std::array<QuadraticMethod, 7>& quadratic_methods() {
  static const std::array<QuadraticMethod, 7> rows{
      {{.name = "SGDM"},
       {.name = "SC", .spikes = 1},
       {.name = "LWP", .horizon = 1, .prediction = Prediction::velocity},
       {.name = "LWPv+SC", .spikes = 1, .horizon = 1, .prediction = Prediction::velocity},
       {.name = "LWPw+SC", .spikes = 1, .horizon = 1, .prediction = Prediction::difference},
       {.name = "SC_2D", .spikes = 2},
       {.name = "LWP_2D", .horizon = 2, .prediction = Prediction::velocity}}};
  return rows;
}

std::string method_names() {
  std::string out;
  for (const auto& row : quadratic_methods()) out += row.name + ", ";
  return out + "GSC(a,b)";
}

/// "GSC(0.5,1.5)".
std::optional<QuadraticMethod> generalized(const std::string& name) {
  const auto comma = name.find(',');
  if (!name.starts_with("GSC(") || !name.ends_with(")") || comma == std::string::npos) return {};
  const auto a = results::parse_double(name.substr(4, comma - 4));
  const auto b = results::parse_double(name.substr(comma + 1, name.size() - comma - 2));
  if (!a || !b) return {};
  return QuadraticMethod{.name = name, .a = *a, .b = *b};
}

/// Coefficients of an update and the horizon H, for one momentum and delay.
struct UpdateCoefficients {
  double a, b, horizon;
};

UpdateCoefficients update_of(const QuadraticMethod& method, double m, std::int64_t D) {
  const double horizon = method.horizon * static_cast<double>(D);
  if (method.spikes == 0) return {method.a, method.b, horizon};
  const auto spike = sc_coefficients(m, D * static_cast<std::int64_t>(method.spikes));
  return {spike.a, spike.b, horizon};
}

/// The steps that j and its kappa span, as a number of grid points.
std::int64_t span_of(double kappa) {
  for (const int power : {1, 2, 3})
    if (kappa == std::pow(10.0, power)) return 100 * power;
  throw InvalidInput("kappa", results::text_of(kappa), "10, 100, 1000");
}

/// The characteristic polynomial A + x B at z = e^(i angle): A conj(B), whose angle is 180 degrees where some x > 0
/// makes z a root, and that x.
struct OnUnitCircle {
  std::complex<double> product;
  double x;
};

OnUnitCircle on_unit_circle(const std::vector<double>& B, double m, double angle) {
  using namespace std::complex_literals;
  // z - 1 without cancellation at small angles.
  const std::complex<double> z = std::polar(1.0, angle),
                             less_one = 2i * std::sin(angle / 2) * std::polar(1.0, angle / 2);
  const std::size_t n = B.size();
  const std::complex<double> a = less_one * (less_one + (1 - m)) * std::polar(1.0, angle * static_cast<double>(n - 3));
  const std::complex<double> b = (B[n - 3] * z + B[n - 2]) * z + B[n - 1];
  const std::complex<double> product = a * std::conj(b);
  return {product, -product.real() / std::norm(b)};
}

/// Every x at which a root has modulus 1: real solutions of x = -A(z) / B(z) on the unit circle, by the changes of sign
/// of the imaginary part. It is positive just above angle 0, and turns at most once between two angles of a grid much
/// finer than the powers of z.
std::vector<double> steps_of_unit_roots(const QuadraticMethod& method, double m, std::int64_t D) {
  std::vector<double> B = characteristic_polynomial(method, m, 1, D);
  const auto A = characteristic_polynomial(method, m, 0, D);
  for (std::size_t i = 0; i < B.size(); ++i) B[i] -= A[i];
  const auto turned = [&](double angle) { return on_unit_circle(B, m, angle).product.imag() < 0; };
  const double width = std::numbers::pi / (16 * static_cast<double>(B.size()));
  std::vector<double> angles;
  for (int i = 300; i > 0; --i) angles.push_back(width * std::pow(10, -i / 50.0));
  for (double angle = width; angle < std::numbers::pi; angle += width) angles.push_back(angle);
  std::vector<double> found{on_unit_circle(B, m, std::numbers::pi).x};
  for (std::size_t i = 0; i + 1 < angles.size(); ++i) {
    double low = angles[i], high = angles[i + 1];
    const bool before = turned(low);
    if (before == turned(high)) continue;
    for (double middle = (low + high) / 2; middle != low && middle != high; middle = (low + high) / 2)
      (turned(middle) == before ? low : high) = middle;
    found.push_back(on_unit_circle(B, m, high).x);
  }
  return found;
}

}  // namespace

QuadraticMethod quadratic_method_named(std::string_view name) {
  for (const auto& row : quadratic_methods())
    if (row.name == name) return row;
  if (const auto method = generalized(std::string(name))) return *method;
  throw InvalidInput("method", std::string(name), method_names());
}

std::vector<double> quadratic_trajectory(const QuadraticMethod& method, double m, double eta, double lambda,
                                         std::int64_t D, std::int64_t steps, double w0, double v0) {
  const UpdateCoefficients update = update_of(method, m, D);
  std::vector<double> weights, predicted{w0};
  double w = w0, v = v0;
  for (std::int64_t t = 0; t < steps; ++t) {
    const double before = w;
    const double g = lambda * predicted[static_cast<std::size_t>(std::max<std::int64_t>(0, t - D))];
    v = m * v + g;
    w -= eta * (update.a * v + update.b * g);
    weights.push_back(w);
    const double ahead = method.prediction == Prediction::velocity     ? -eta * update.horizon * v
                         : method.prediction == Prediction::difference ? update.horizon * (w - before)
                                                                       : 0;
    predicted.push_back(w + ahead);
  }
  return weights;
}

// Every method is (z - 1)(z - m) z^D times a power of z, plus x times what its gradient reads.
std::vector<double> characteristic_polynomial(const QuadraticMethod& method, double m, double x, std::int64_t D) {
  const auto [a, b, H] = update_of(method, m, D);
  const bool differs = method.prediction == Prediction::difference;
  std::vector<double> out(static_cast<std::size_t>(D) + (differs ? 4 : 3));
  out[0] = 1, out[1] = -(1 + m), out[2] = m;
  const auto last = out.rbegin();
  if (differs) {
    last[2] += x * (a + b) * (1 + H);
    last[1] -= x * ((a + b) * H + m * b * (1 + H));
    last[0] += x * m * b * H;
  } else {
    last[1] += x * (H + a + b);
    last[0] -= x * (H + m * b);
  }
  // Without prediction and spike the last coefficient is 0 at every x.
  if (D > 0 && H == 0 && b == 0) out.pop_back();
  return out;
}

double spectral_radius(const QuadraticMethod& method, double m, double x, std::int64_t D) {
  return largest_root(characteristic_polynomial(method, m, x, D));
}

std::optional<double> stability_limit(const QuadraticMethod& method, double m, std::int64_t D) {
  constexpr double lowest = 1e-6, highest = 4;
  if (spectral_radius(method, m, lowest, D) >= 1) return lowest;
  double first = std::numeric_limits<double>::infinity();
  for (const double x : steps_of_unit_roots(method, m, D))
    if (x > lowest) first = std::min(first, x);
  return first <= highest ? std::optional(first) : std::nullopt;
}

std::optional<double> half_life(double radius) {
  if (radius >= 1) return {};
  return radius == 0 ? 0 : std::log(2.0) / -std::log(radius);
}

double grid_momentum(std::int64_t k) {
  return k == 0 ? 0 : 1 - std::pow(10.0, -static_cast<double>(k) / 50);
}

double grid_step(std::int64_t j) {
  return std::pow(10.0, -7 + static_cast<double>(j) / 100);
}

HalfLife half_life_at(const QuadraticMethod& method, std::int64_t D, double kappa, double m, double x_max) {
  const std::int64_t span = span_of(kappa);
  HalfLife out{.k = std::llround(-50 * std::log10(1 - m)), .j = std::llround(100 * (std::log10(x_max) + 7))};
  if (out.k > last_momentum) throw InvalidInput("m", results::text_of(m), "0 to 0.9999");
  if (out.j < span || out.j > last_step)
    throw InvalidInput("x_max", results::text_of(x_max),
                       results::text_of(grid_step(span)) + " to " + results::text_of(grid_step(last_step)));
  out.m = grid_momentum(out.k), out.x_max = grid_step(out.j);
  double worst = 0;
  for (std::int64_t i = out.j - span; i <= out.j; ++i)
    worst = std::max(worst, spectral_radius(method, out.m, grid_step(i), D));
  out.updates = half_life(worst);
  return out;
}

HalfLife best_half_life(const QuadraticMethod& method, std::int64_t D, double kappa) {
  const std::int64_t span = span_of(kappa);
  double best = std::numeric_limits<double>::infinity();
  HalfLife out;
  std::vector<double> radii(static_cast<std::size_t>(last_step) + 1);
  for (std::int64_t k = 0; k <= last_momentum; ++k) {
    for (std::int64_t j = 0; j <= last_step; ++j)
      radii[static_cast<std::size_t>(j)] = spectral_radius(method, grid_momentum(k), grid_step(j), D);
    for (std::int64_t j = span; j <= last_step; ++j) {
      const double worst = *std::max_element(radii.begin() + (j - span), radii.begin() + j + 1);
      if (worst >= best) continue;
      best = worst;
      out = {.updates = half_life(worst), .m = grid_momentum(k), .x_max = grid_step(j), .k = k, .j = j};
    }
  }
  return out;
}

}  // namespace retrial::pipeline::inline analysis
