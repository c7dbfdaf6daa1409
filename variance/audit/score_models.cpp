#include "variance/audit/score_models.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "variance/numbers/check.hpp"
#include "variance/numbers/distributions.hpp"

namespace retrial::variance::inline audit {
namespace {

constexpr std::array models{
    ScoreModelRow{ScoreModel::gaussian, "gaussian", "normal"},
    ScoreModelRow{ScoreModel::t3, "t3", "Student's t with 3 degrees of freedom: heavy tails"},
    ScoreModelRow{ScoreModel::lognormal, "lognormal", "exp of a normal: skewed", false},
    ScoreModelRow{ScoreModel::binomial, "binomial", "right answers of 872 at .95: coarse and skewed, ties common",
                  false},
    ScoreModelRow{ScoreModel::bimodal, "bimodal",
                  "two normals, three to either side: runs that work and runs that do not"},
};

// Size of the test set of SST-2 and a typical accuracy on it.
constexpr std::int64_t items = 872;
constexpr double accuracy = 0.95;
constexpr double integral_reach = 9.0;  // standard deviations of an integral; omits 1e-19
constexpr double mode = 1.5, mode_sd = 0.5;
const double bimodal_sd = std::sqrt(mode * mode + mode_sd * mode_sd);
const double lognormal_mean = std::exp(0.5), lognormal_sd = std::sqrt((std::numbers::e - 1.0) * std::numbers::e);

/// One step of the candidate's count, in standard deviations of its score.
double step() {
  return 1.0 / std::sqrt(static_cast<double>(items) * accuracy * (1.0 - accuracy));
}

/// P(X <= k), k = 0 .. n, from the mode outwards, since the recurrence from 0 would start below the smallest double.
std::vector<double> binomial_law(std::int64_t n, double p) {
  std::vector<double> law(static_cast<std::size_t>(n) + 1, 0.0);
  const auto top = std::clamp<std::int64_t>(static_cast<std::int64_t>(static_cast<double>(n + 1) * p), 0, n);
  const double odds = p / (1.0 - p);
  const auto at = [&](std::int64_t k) -> double& { return law[static_cast<std::size_t>(k)]; };
  at(top) = 1.0;
  for (std::int64_t k = top; k < n; ++k)
    at(k + 1) = at(k) * odds * static_cast<double>(n - k) / static_cast<double>(k + 1);
  for (std::int64_t k = top; k > 0; --k)
    at(k - 1) = at(k) / odds * static_cast<double>(k) / static_cast<double>(n - k + 1);
  double sum = 0.0, below = 0.0;
  for (const double weight : law) sum += weight;
  for (double& weight : law) weight = below += weight / sum;
  law.back() = 1.0;
  return law;
}

/// P(A > B) + P(A = B) / 2 of two counts; one count of the baseline is worth `worth` counts of the candidate.
double binomial_win(std::span<const double> candidate, std::span<const double> baseline, std::size_t worth) {
  double win = 0.0;
  for (std::size_t b = 0; b < baseline.size(); ++b) {
    const double weight = baseline[b] - (b > 0 ? baseline[b - 1] : 0.0);
    const std::size_t a = std::min(b * worth, candidate.size() - 1);
    const double below = a > 0 ? candidate[a - 1] : 0.0;
    win += weight * (1.0 - candidate[a] + 0.5 * (candidate[a] - below));
  }
  return win;
}

/// P(X <= x) of the standardized score.
double cdf(ScoreModel model, double x) {
  switch (model) {
    case ScoreModel::t3:  // x = t / sqrt 3
      return 0.5 + (x / (1.0 + x * x) + std::atan(x)) / std::numbers::pi;
    case ScoreModel::lognormal: {
      const double y = x * lognormal_sd + lognormal_mean;
      return y > 0.0 ? normal_cdf(std::log(y)) : 0.0;
    }
    case ScoreModel::bimodal: {
      const double y = x * bimodal_sd;
      return 0.5 * (normal_cdf((y - mode) / mode_sd) + normal_cdf((y + mode) / mode_sd));
    }
    default:
      return normal_cdf(x);
  }
}

/// E f(X) of the standardized score, over its underlying law.
template <typename F>
double expectation(ScoreModel model, F&& f) {
  constexpr int panels = 24;
  if (model == ScoreModel::t3) {  // t / sqrt 3 = tan(angle) has density 2 / pi cos^2
    const auto g = [&](double a) { return 2.0 / std::numbers::pi * std::cos(a) * std::cos(a) * f(std::tan(a)); };
    return integrate(g, -std::numbers::pi / 2.0, std::numbers::pi / 2.0, panels);
  }
  const auto g = [&](double z) {
    if (model == ScoreModel::lognormal) return normal_density(z) * f((std::exp(z) - lognormal_mean) / lognormal_sd);
    if (model == ScoreModel::gaussian) return normal_density(z) * f(z);
    const double low = (-mode + mode_sd * z) / bimodal_sd, high = (mode + mode_sd * z) / bimodal_sd;
    return normal_density(z) * 0.5 * (f(low) + f(high));
  };
  return integrate(g, -integral_reach, integral_reach, panels);
}

/// x in [low, high] with rises(x) = target.
template <typename Rising>
double solve_rising(double low, double high, double target, Rising&& rises) {
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (low + high);
    (rises(middle) < target ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

double mean_shift(const PairModel& m) {
  if (m.model == ScoreModel::gaussian) return quantile(m.win) * std::sqrt(1.0 + m.spread * m.spread);
  if (m.spread == 1.0 && m.win == 0.5) return 0.0;
  return solve_rising(-20.0, 20.0, m.win, [&](double shift) {
    return expectation(m.model, [&](double x) { return cdf(m.model, (x + shift) / m.spread); });
  });
}

void require_model(const PairModel& m) {
  require_between("win", m.win, 0.01, 0.99);
  if (m.spread != 1.0 && m.spread != 2.0) throw InvalidInput("spread", shortest(m.spread), "1, 2");
  if (!(m.correlation >= 0.0 && m.correlation < 1.0))
    throw InvalidInput("correlation", shortest(m.correlation), "from 0 to less than 1");
  require_not_negative("cluster_sd", m.cluster_sd);
  require_within("clusters", m.clusters, 1, 100'000);
}

/// Independent part of a score; for counts, the uniform number that selects one.
double part(ScoreModel model, Stream& stream) {
  switch (model) {
    case ScoreModel::t3: {  // chi-squared with 3 degrees of freedom is twice a Gamma(1/2) plus an exponential
      const double z = normal(stream.next()), half = gamma_half(stream.next()), rest = exponential(stream.next());
      return z / std::sqrt(2.0 * (half + rest));
    }
    case ScoreModel::lognormal:
      return (std::exp(normal(stream.next())) - lognormal_mean) / lognormal_sd;
    case ScoreModel::bimodal: {
      const double side = uniform(stream.next()) < 0.5 ? -mode : mode;
      return (side + mode_sd * normal(stream.next())) / bimodal_sd;
    }
    case ScoreModel::binomial:
      return uniform_open(stream.next());
    default:
      return normal(stream.next());
  }
}

double count_of(double u, std::span<const double> law) {
  return static_cast<double>(std::ranges::lower_bound(law, u) - law.begin());
}

}  // namespace

std::span<const ScoreModelRow> all_score_models() {
  return models;
}

const ScoreModelRow& row_of(ScoreModel model) {
  return *std::ranges::find(models, model, &ScoreModelRow::model);
}

PairSource::PairSource(const PairModel& model) : model_(model) {
  require_model(model);
  if (model.model != ScoreModel::binomial) {
    shift_ = mean_shift(model);
    return;
  }
  // A spread of 2 means a test set of a quarter of the size.
  const auto worth = static_cast<std::int64_t>(model.spread * model.spread);
  baseline_law_ = binomial_law(items / worth, accuracy);
  double right = accuracy;
  if (model.spread != 1.0 || model.win != 0.5)
    right = solve_rising(0.5, 1.0 - 1e-9, model.win, [&](double p) {
      return binomial_win(binomial_law(items, p), baseline_law_, static_cast<std::size_t>(worth));
    });
  candidate_law_ = binomial_law(items, right);
  shift_ = (right - accuracy) * static_cast<double>(items) * step();
}

std::optional<double> PairSource::resolution() const {
  return candidate_law_.empty() ? std::nullopt : std::optional(step());
}

void PairSource::draw(Stream stream, std::size_t pairs, ScorePairs& out) const {
  out.candidate.resize(pairs);
  out.baseline.resize(pairs);
  for (std::size_t i = 0; i < pairs; ++i) {
    out.candidate[i] = part(model_.model, stream);
    out.baseline[i] = part(model_.model, stream);
  }
  if (model_.correlation > 0.0) correlate(stream, out);
  const double expected = static_cast<double>(items) * accuracy, worth = model_.spread * model_.spread;
  for (std::size_t i = 0; i < pairs; ++i) {
    double &a = out.candidate[i], &b = out.baseline[i];
    const bool counts = !candidate_law_.empty();
    a = counts ? (count_of(a, candidate_law_) - expected) * step() : a + shift_;
    b = counts ? (worth * count_of(b, baseline_law_) - expected) * step() : model_.spread * b;
  }
  if (model_.cluster_sd > 0.0) cluster(stream, out);
}

void PairSource::correlate(Stream& stream, ScorePairs& out) const {
  const double shared = std::sqrt(model_.correlation), own = std::sqrt(1.0 - model_.correlation);
  for (std::size_t i = 0; i < out.candidate.size(); ++i) {
    if (candidate_law_.empty()) {
      const double common = shared * part(model_.model, stream);
      out.candidate[i] = common + own * out.candidate[i];
      out.baseline[i] = common + own * out.baseline[i];
      continue;
    }
    // Counts have no parts: the normals of their uniform numbers share one.
    const double common = shared * normal(stream.next());
    for (double* u : {&out.candidate[i], &out.baseline[i]}) *u = normal_cdf(common + own * quantile(*u));
  }
}

void PairSource::cluster(Stream& stream, ScorePairs& out) const {
  const std::size_t n = out.candidate.size();
  const auto clusters = std::min<std::int64_t>(model_.clusters, static_cast<std::int64_t>(n));
  std::vector<double> of_candidate, of_baseline;
  for (std::int64_t c = 0; c < clusters; ++c) {
    of_candidate.push_back(model_.cluster_sd * normal(stream.next()));
    of_baseline.push_back(model_.cluster_sd * normal(stream.next()));
    if (candidate_law_.empty()) continue;
    // Shifted counts remain counts.
    for (double* shift : {&of_candidate.back(), &of_baseline.back()}) *shift = std::round(*shift / step()) * step();
  }
  for (std::size_t i = 0; i < n; ++i) {
    out.candidate[i] += of_candidate[cluster_of(i, n, clusters)];
    out.baseline[i] += of_baseline[cluster_of(i, n, clusters)];
  }
}

}  // namespace retrial::variance::inline audit
