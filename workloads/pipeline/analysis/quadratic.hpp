#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Training on the loss lambda w^2 / 2 with gradients that come D updates late: trajectories, characteristic
/// polynomials and the steps at which they are stable. x = eta * lambda.
namespace retrial::pipeline::inline analysis {

/// The methods whose closed forms are known: momentum alone, spike compensation (SC), linear weight prediction (LWP) by
/// the velocity or by the last difference (LWPw), both at once, and each for twice the delay.
///
///     SGDM  SC  LWP  LWPv+SC  LWPw+SC  SC_2D  LWP_2D  GSC(a,b)
struct QuadraticMethod {
  enum class Prediction { none, velocity, difference };
  std::string name = "SGDM";
  double a = 1, b = 0;  ///< coefficients of GSC: w -= eta (a v + b g)
  double spikes = 0;    ///< SC for this multiple of the delay; 0: a and b
  double horizon = 0;   ///< prediction over this multiple of the delay
  Prediction prediction = Prediction::none;
};
/// The method of this name; "GSC(0.5,1.5)" has its coefficients with it. Throws InvalidInput naming the methods.
[[nodiscard]] QuadraticMethod quadratic_method_named(std::string_view name);

/// w_1 to w_steps. Update t uses the gradient at the predicted weights of version max(0, t - D): the history is clamped
/// to w_0. Momentum as LibTorch has it: v = m v + g. Not finite where it diverged beyond a double.
[[nodiscard]] std::vector<double> quadratic_trajectory(const QuadraticMethod& method, double m, double eta,
                                                       double lambda, std::int64_t D, std::int64_t steps, double w0 = 1,
                                                       double v0 = 0);

/// Coefficients, those of the highest power first. Its root of largest modulus is the asymptotic factor per update.
[[nodiscard]] std::vector<double> characteristic_polynomial(const QuadraticMethod& method, double m, double x,
                                                            std::int64_t D);

/// Largest modulus of the roots of a polynomial whose first coefficient is not 0, by Aberth's iteration; accurate to
/// 1e-9, near a double root to 1e-7. 0 if all its roots are 0.
[[nodiscard]] double largest_root(std::vector<double> coefficients);

/// largest_root of the characteristic polynomial: below 1 the method converges.
[[nodiscard]] double spectral_radius(const QuadraticMethod& method, double m, double x, std::int64_t D);

/// Smallest x of [1e-6, 4] with a spectral radius of at least 1, from the points where the characteristic polynomial
/// has a root of modulus 1. Nothing where every step up to 4 is stable.
[[nodiscard]] std::optional<double> stability_limit(const QuadraticMethod& method, double m, std::int64_t D);

/// ln 2 / -ln r updates; nothing for r >= 1.
[[nodiscard]] std::optional<double> half_life(double radius);

/// The grid on which best_half_life is defined: m_0 = 0 and m_k = 1 - 10^(-k / 50) for k = 1 to 200, and
/// x_j = 10^(-7 + j / 100) for j = 0 to 769.
constexpr std::int64_t last_momentum = 200, last_step = 769;
[[nodiscard]] double grid_momentum(std::int64_t k);
[[nodiscard]] double grid_step(std::int64_t j);

struct HalfLife {
  std::optional<double> updates;  ///< nothing: no point of the grid is stable
  double m = 0, x_max = 0;
  std::int64_t k = 0, j = 0;  ///< indices of m and x_max on the grid
};
/// Fewest updates that halve every component of a quadratic problem whose curvatures span the ratio kappa (10, 100 or
/// 1000): for each m and x_max on the grid the largest radius over the steps down to x_max / kappa; the minimum of
/// these, ties by smaller k, then smaller j. Throws InvalidInput for another kappa.
[[nodiscard]] HalfLife best_half_life(const QuadraticMethod& method, std::int64_t D, double kappa);
/// The same at the point of the grid that is nearest to m and x_max. Throws InvalidInput where the steps down to x_max
/// / kappa leave the grid.
[[nodiscard]] HalfLife half_life_at(const QuadraticMethod& method, std::int64_t D, double kappa, double m,
                                    double x_max);

}  // namespace retrial::pipeline::inline analysis
