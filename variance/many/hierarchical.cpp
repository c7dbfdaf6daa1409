#include "variance/many/hierarchical.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "variance/numbers/check.hpp"
#include "variance/numbers/distributions.hpp"
#include "variance/random/rng.hpp"
#include "variance/samples/summary.hpp"

namespace retrial::variance::inline many {
namespace {

/// The sufficient statistics of one data set, in units of the mean spread within sets.
struct Set {
  double n, sum, squares;
};

struct Bounds {
  double low, high;
};

/// One draw from a density by stepping out and shrinking (Neal 2003). The level is an exponential below log f(x).
template <typename LogDensity>
double slice(LogDensity&& f, double x, double width, Bounds bounds, Stream& stream) {
  const double level = f(x) - exponential(stream.next());
  double low = x - width * uniform_open(stream.next()), high = low + width;
  for (int i = 0; i < 100 && low > bounds.low && f(low) > level; ++i) low -= width;
  for (int i = 0; i < 100 && high < bounds.high && f(high) > level; ++i) high += width;
  low = std::max(low, bounds.low);
  high = std::min(high, bounds.high);
  for (int i = 0; i < 200; ++i) {
    const double drawn = low + (high - low) * uniform_open(stream.next());
    if (f(drawn) >= level) return drawn;
    (drawn < x ? low : high) = drawn;
  }
  return x;  // the interval shrank to the point itself
}

/// Gamma of shape >= 1 and scale 1 (Marsaglia and Tsang 2000).
double gamma_draw(double shape, Stream& stream) {
  const double d = shape - 1.0 / 3.0, c = 1.0 / std::sqrt(9.0 * d);
  for (;;) {
    const double z = normal(stream.next()), v = 1.0 + c * z, cube = v * v * v;
    const double u = uniform_open(stream.next());
    if (v > 0.0 && log(u) < z * z / 2.0 + d - d * cube + d * log(cube)) return d * cube;
  }
}

struct Scales {
  double within = 1.0;   ///< s-bar, by which everything is divided
  double between = 1.0;  ///< s_0, in units of it
  double largest = 0.0;  ///< |x|, in units of it
};

double population_sd(std::span<const double> values) {
  const double n = static_cast<double>(values.size());
  return values.size() < 2 ? 0.0 : std::sqrt(*sample_variance(values) * (n - 1.0) / n);
}

Scales scales_of(std::span<const std::vector<double>> differences) {
  std::vector<double> spreads, means;
  double largest = 0.0;
  for (const auto& set : differences) {
    spreads.push_back(population_sd(set));
    means.push_back(*mean(set));
    for (const double x : set) largest = std::max(largest, std::fabs(x));
  }
  Scales scales{.within = *mean(spreads), .between = population_sd(means)};
  if (scales.within == 0.0) scales.within = scales.between;
  if (scales.within == 0.0) throw InvalidInput("differences", "all equal", "differences that vary");
  scales.between = scales.between > 0.0 ? scales.between / scales.within : 1.0;
  scales.largest = largest / scales.within;
  return scales;
}

/// One chain; all lengths in units of the mean spread within sets.
class Chain {
 public:
  Chain(const std::vector<Set>& sets, const Scales& scales, const HierarchicalOptions& options, std::uint64_t key,
        std::uint64_t number)
      : sets_(sets), scales_(scales), rho_(options.rho), key_(key) {
    const bool baycomp = options.prior == DegreesPrior::baycomp;
    shape_ = baycomp ? Bounds{1.0, 2.0} : Bounds{0.5, 5.0};
    rate_ = baycomp ? Bounds{0.01, 0.1} : Bounds{0.05, 0.15};
    a_ = (shape_.low + shape_.high) / 2.0;
    b_ = (rate_.low + rate_.high) / 2.0;
    for (const Set& set : sets) {
      const double centre = set.sum / set.n;
      delta_.push_back(centre);
      sigma_.push_back(std::clamp(std::sqrt(std::max(0.0, set.squares / set.n - centre * centre)), 0.1, 100.0));
      weight_.push_back(1.0);
    }
    // Chains start apart, so that their agreement is informative.
    sigma0_ = scales.between * (0.5 + static_cast<double>(number));
    nu_ = 3.0 + 10.0 * static_cast<double>(number);
  }

  void step(std::uint64_t iteration) {
    iteration_ = iteration;
    for (std::size_t i = 0; i < sets_.size(); ++i) draw_set(i);
    draw_nu();
    for (std::size_t i = 0; i < sets_.size(); ++i) {
      Stream stream = stream_of(8 + 3 * i + 2);
      const double z = (delta_[i] - delta0_) / sigma0_;
      weight_[i] = (nu_ + z * z) / 2.0 / gamma_draw((nu_ + 1.0) / 2.0, stream);
    }
    draw_common();
    move_common();
  }
  [[nodiscard]] double delta() const { return delta0_; }
  [[nodiscard]] double sigma() const { return sigma0_; }
  [[nodiscard]] double nu() const { return nu_; }

 private:
  [[nodiscard]] Stream stream_of(std::uint64_t parameter) const { return Stream(derive(key_, parameter), iteration_); }

  [[nodiscard]] Bounds between_bounds() const { return {1e-6 * scales_.between, 1000.0 * scales_.between}; }

  /// Precision of the mean of a set, given its delta.
  [[nodiscard]] double precision_of(std::size_t i) const {
    const double n = sets_[i].n;
    return n / (sigma_[i] * sigma_[i] * (1.0 + (n - 1.0) * rho_));
  }

  void draw_set(std::size_t i) {
    const Set& set = sets_[i];
    const double prior = 1.0 / (sigma0_ * sigma0_ * weight_[i]), precision = precision_of(i);
    const double total = precision + prior;
    Stream of_delta = stream_of(8 + 3 * i), of_sigma = stream_of(8 + 3 * i + 1);
    delta_[i] = (precision * set.sum / set.n + prior * delta0_) / total + normal(of_delta.next()) / std::sqrt(total);
    const double d = delta_[i], centred = set.sum - set.n * d;
    const double squares = std::max(0.0, set.squares - 2.0 * d * set.sum + set.n * d * d);
    const double quadratic = correlated_form(static_cast<std::int64_t>(set.n), centred, squares, rho_).quadratic;
    sigma_[i] = slice([&](double s) { return -set.n * log(s) - quadratic / (2.0 * s * s); }, sigma_[i], 1.0,
                      {1e-6, 1000.0}, of_sigma);
  }

  /// nu without the weights, which are redrawn right after it: given them, nu would hardly move.
  void draw_nu() {
    const double k = static_cast<double>(sets_.size());
    const auto density = [&](double nu) {
      double tails = 0.0;
      for (const double delta : delta_) {
        const double z = (delta - delta0_) / sigma0_;
        tails += log(1.0 + z * z / nu);
      }
      return k * (portable_log_gamma((nu + 1.0) / 2.0) - portable_log_gamma(nu / 2.0) - log(nu) / 2.0) -
             (nu + 1.0) / 2.0 * tails + (a_ - 1.0) * log(nu - 1.0) - b_ * (nu - 1.0);
    };
    Stream of_nu = stream_of(2), of_a = stream_of(3), of_b = stream_of(4);
    nu_ = slice(density, nu_, 30.0, {1.0 + 1e-6, 1e4}, of_nu);
    const double excess = nu_ - 1.0, log_excess = log(excess), log_b = log(b_);
    a_ = slice([&](double a) { return a * log_b - portable_log_gamma(a) + (a - 1.0) * log_excess; }, a_, 1.0, shape_,
               of_a);
    b_ = slice([&](double b) { return a_ * log(b) - b * excess; }, b_, 0.05, rate_, of_b);
  }

  void draw_common() {
    double precision = 0.0, weighted = 0.0;
    for (std::size_t i = 0; i < delta_.size(); ++i) {
      precision += 1.0 / weight_[i];
      weighted += delta_[i] / weight_[i];
    }
    Stream of_delta = stream_of(0), of_sigma = stream_of(1);
    const double centre = weighted / precision, variance = sigma0_ * sigma0_ / precision;
    delta0_ = slice([&](double d) { return -(d - centre) * (d - centre) / (2.0 * variance); }, delta0_,
                    2.0 * scales_.between, {-scales_.largest, scales_.largest}, of_delta);
    double squares = 0.0;
    for (std::size_t i = 0; i < delta_.size(); ++i)
      squares += (delta_[i] - delta0_) * (delta_[i] - delta0_) / weight_[i];
    const double k = static_cast<double>(delta_.size());
    sigma0_ = slice([&](double s) { return -k * log(s) - squares / (2.0 * s * s); }, sigma0_, scales_.between,
                    between_bounds(), of_sigma);
  }

  /// The same two again, now with z = (delta - delta_0) / sigma_0 of every set kept (interweaving: Yu and Meng 2011).
  /// Where all sets are alike, their deltas and sigma_0 hold each other in place, and draw_common hardly moves.
  void move_common() {
    std::vector<double> z, precision;
    for (std::size_t i = 0; i < sets_.size(); ++i) {
      z.push_back((delta_[i] - delta0_) / sigma0_);
      precision.push_back(precision_of(i));
    }
    const auto density = [&](double delta0, double sigma0) {
      double squares = 0.0;
      for (std::size_t i = 0; i < sets_.size(); ++i) {
        const double rest = sets_[i].sum / sets_[i].n - delta0 - sigma0 * z[i];
        squares += precision[i] * rest * rest;
      }
      return -squares / 2.0;
    };
    Stream of_delta = stream_of(5), of_sigma = stream_of(6);
    delta0_ = slice([&](double d) { return density(d, sigma0_); }, delta0_, 2.0 * scales_.between,
                    {-scales_.largest, scales_.largest}, of_delta);
    sigma0_ =
        slice([&](double s) { return density(delta0_, s); }, sigma0_, scales_.between, between_bounds(), of_sigma);
    for (std::size_t i = 0; i < sets_.size(); ++i) delta_[i] = delta0_ + sigma0_ * z[i];
  }

  const std::vector<Set>& sets_;
  Scales scales_;
  double rho_;
  std::uint64_t key_, iteration_ = 0;
  Bounds shape_{}, rate_{};
  double a_ = 1.5, b_ = 0.05, delta0_ = 0.0, sigma0_ = 1.0, nu_ = 10.0;
  std::vector<double> delta_, sigma_, weight_;
};

using Draws = std::vector<std::vector<double>>;  ///< by chain

Mixing mixing_of(const Draws& chains) {
  Draws halves;
  for (const auto& chain : chains) {
    const auto middle = chain.begin() + static_cast<std::ptrdiff_t>(chain.size() / 2);
    halves.emplace_back(chain.begin(), middle);
    halves.emplace_back(middle, middle + static_cast<std::ptrdiff_t>(chain.size() / 2));
  }
  const double n = static_cast<double>(halves[0].size()), m = static_cast<double>(halves.size());
  std::vector<double> means, variances;
  for (const auto& half : halves) {
    means.push_back(*mean(half));
    variances.push_back(*sample_variance(half));
  }
  const double within = *mean(variances), between = *sample_variance(means);
  const double total = (n - 1.0) / n * within + between;
  // Geyer's initial positive sequence over lags, two at a time.
  double sum = 0.0;
  const auto correlation = [&](std::size_t lag) {
    double products = 0.0;
    for (std::size_t h = 0; h < halves.size(); ++h)
      for (std::size_t i = lag; i < halves[h].size(); ++i)
        products += (halves[h][i] - means[h]) * (halves[h][i - lag] - means[h]) / n;
    return 1.0 - (within - products / m) / total;
  };
  for (std::size_t lag = 1; lag + 1 < halves[0].size(); lag += 2) {
    const double two = correlation(lag) + correlation(lag + 1);
    if (two <= 0.0) break;
    sum += two;
  }
  return {std::sqrt(total / within), n * m / (1.0 + 2.0 * sum)};
}

double mean_of(const Draws& chains) {
  std::vector<double> means;
  for (const auto& chain : chains) means.push_back(*mean(chain));
  return *mean(means);
}

}  // namespace

Status status_of(const Hierarchical& found, double probability) {
  if (!found.mixed) return Status::invalid;
  if (found.next.right >= probability) return Status::better;
  if (found.next.left >= probability) return Status::worse;
  return found.next.rope >= probability ? Status::equivalent : Status::inconclusive;
}

CorrelatedForm correlated_form(std::int64_t n, double sum, double sum_of_squares, double rho) {
  const double count = static_cast<double>(n), inflation = 1.0 + (count - 1.0) * rho;
  return {.determinant = inflation * std::pow(1.0 - rho, count - 1.0),
          .quadratic = (sum_of_squares - rho / inflation * sum * sum) / (1.0 - rho)};
}

double portable_log_gamma(double x) {
  require_positive("x", x);
  // B_2k / (2k (2k - 1)): 1/12, -1/360, 1/1260, -1/1680, 1/1188, -691/360360, 1/156, -3617/122400.
  constexpr double series[] = {1.0 / 12,   -1.0 / 360,      1.0 / 1260, -1.0 / 1680,
                               1.0 / 1188, -691.0 / 360360, 1.0 / 156,  -3617.0 / 122400};
  constexpr double half_log_two_pi = 0.91893853320467274178;
  double shift = 1.0;
  while (x < 16.0) shift *= x, x += 1.0;
  const double inverse = 1.0 / x, square = inverse * inverse;
  double sum = 0.0;
  for (std::size_t k = std::size(series); k-- > 0;) sum = sum * square + series[k];
  return (x - 0.5) * log(x) - x + half_log_two_pi + sum * inverse - log(shift);
}

Hierarchical hierarchical(std::span<const std::vector<double>> differences, const HierarchicalOptions& options) {
  require_at_least("data sets", static_cast<std::int64_t>(differences.size()), 1);
  for (std::size_t i = 0; i < differences.size(); ++i) {
    const std::string field = "differences[" + std::to_string(i) + "]";
    require_at_least(field.c_str(), static_cast<std::int64_t>(differences[i].size()), 2);
    require_finite(field, differences[i]);
  }
  if (!(options.rho >= 0.0 && options.rho < 1.0))
    throw InvalidInput("rho", shortest(options.rho), "at least 0, below 1");
  require_not_negative("rope", options.rope);
  require_within("chains", options.chains, 2, 64);
  require_within("kept", options.kept, 100, 1'000'000);
  require_within("warm_up", options.warm_up, 0, 1'000'000);

  const Scales scales = scales_of(differences);
  std::vector<Set> sets;
  for (const auto& values : differences) {
    Set set{.n = static_cast<double>(values.size()), .sum = 0.0, .squares = 0.0};
    for (const double x : values) {
      set.sum += x / scales.within;
      set.squares += x / scales.within * (x / scales.within);
    }
    sets.push_back(set);
  }

  const double rope = options.rope / scales.within;
  Draws delta, sigma, nu;
  Hierarchical result;
  const double all = static_cast<double>(options.chains) * options.kept;
  for (std::uint64_t c = 0; c < static_cast<std::uint64_t>(options.chains); ++c) {
    Chain chain(sets, scales, options, derive(options.key, c), c);
    delta.emplace_back(), sigma.emplace_back(), nu.emplace_back();
    for (int i = 0; i < options.warm_up + options.kept; ++i) {
      chain.step(static_cast<std::uint64_t>(i));
      if (i < options.warm_up) continue;
      delta.back().push_back(chain.delta());
      sigma.back().push_back(chain.sigma());
      nu.back().push_back(chain.nu());
      const double left = student_cdf((-rope - chain.delta()) / chain.sigma(), chain.nu());
      const double right = student_cdf((chain.delta() - rope) / chain.sigma(), chain.nu());
      const double within = rope > 0.0 ? std::max(0.0, 1.0 - left - right) : 0.0;
      result.mean.left += left / all, result.mean.rope += within / all, result.mean.right += right / all;
      if (within > left && within > right)
        result.next.rope += 1.0 / all;
      else
        (left > right ? result.next.left : result.next.right) += 1.0 / all;
    }
  }
  result.delta = mean_of(delta) * scales.within;
  result.sigma = mean_of(sigma) * scales.within;
  result.nu = mean_of(nu);
  result.mixing_delta = mixing_of(delta);
  result.mixing_sigma = mixing_of(sigma);
  result.mixing_nu = mixing_of(nu);
  result.mixed =
      sets.size() >= min_sets && result.mixing_delta.good() && result.mixing_sigma.good() && result.mixing_nu.good();
  return result;
}

}  // namespace retrial::variance::inline many
