#include "variance/audit/error_rates.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "variance/comparisons/intervals.hpp"
#include "variance/numbers/check.hpp"
#include "variance/numbers/distributions.hpp"
#include "variance/random/rng.hpp"

namespace retrial::variance::inline audit {
namespace {

constexpr double root_two = 1.4142135623730951;

/// Thresholds of the criteria, which depend neither on data nor on the task, in units of sigma.
struct Rules {
  double delta = 0.0;
  std::int64_t published = 0, exact = 0;  ///< wins needed of k
  std::int64_t oracle_runs = 0;
  double oracle = 0.0;  ///< mean difference needed
};

Rules rules_of(const ErrorSettings& s) {
  require_levels(s.levels);
  require_within("k", s.k, 2, 100'000);
  Rules rules{.delta = delta_over_sigma(s.delta, required_gamma(s.levels))};
  rules.published = published_min_wins(s.k, s.levels);
  rules.exact = fixed_rule(s.k, s.levels).better_from.value_or(s.k + 1);
  const double effect = delta_over_sigma(DeltaConvention::consistent, required_gamma(s.levels));
  const double z = quantile(1.0 - s.levels.alpha) - quantile(s.levels.beta), root = z * root_two / effect;
  rules.oracle_runs = std::max<std::int64_t>(3, static_cast<std::int64_t>(std::ceil(root * root)));
  const double n = static_cast<double>(rules.oracle_runs);
  rules.oracle = student_quantile(1.0 - s.levels.alpha, n - 1.0) * root_two / std::sqrt(n);
  return rules;
}

/// Difference of the means, in units of sigma, at which the candidate wins a share p of the pairs.
double gap_of(double p) {
  require_between("p", p, 0.0, 1.0 + 1e-12);
  return quantile(std::min(p, 0.999)) * root_two;
}

/// Rates of acceptance if the means differ by `gap` and runs share nothing.
std::array<double, criterion_count> at_gap(double gap, const Rules& rules, std::int64_t k) {
  const double win = normal_cdf(gap / root_two), runs = static_cast<double>(k);
  const double oracle_runs = static_cast<double>(rules.oracle_runs);
  return {normal_cdf((gap - rules.delta) / root_two), normal_cdf((gap - rules.delta) / (root_two / std::sqrt(runs))),
          binomial_at_least(rules.published, k, win), binomial_at_least(rules.exact, k, win),
          normal_cdf((gap - rules.oracle) / (root_two / std::sqrt(oracle_runs)))};
}

/// One simulation: differences of paired runs, in units of sigma, and of the two shifts, in units of sigma_eps.
struct Draw {
  std::vector<double> ascending;  ///< the first k differences
  double single = 0.0, average = 0.0, oracle = 0.0, shift = 0.0;
};

void draw_pair(Draw& d, const Rules& rules, std::int64_t k, Stream stream) {
  const std::int64_t max_pairs = std::max(k, rules.oracle_runs);
  d.ascending.clear();
  double sum = 0.0;
  for (std::int64_t i = 0; i < max_pairs; ++i) {
    const double candidate = normal(stream.next()), difference = candidate - normal(stream.next());
    sum += difference;
    if (i == 0) d.single = difference;
    if (i < k) d.ascending.push_back(difference);
    if (i + 1 == k) d.average = sum / static_cast<double>(k);
    if (i + 1 == rules.oracle_runs) d.oracle = sum / static_cast<double>(rules.oracle_runs);
  }
  const double candidate = normal(stream.next());
  d.shift = candidate - normal(stream.next());
  std::ranges::sort(d.ascending);
}

/// Adds 1 for every criterion that accepts if all differences are shifted by `gap`.
void count_accepted(std::vector<double>& accepted, const Draw& d, double gap, const Rules& rules) {
  const auto lost = std::ranges::upper_bound(d.ascending, -gap) - d.ascending.begin();
  const std::int64_t wins = static_cast<std::int64_t>(d.ascending.size()) - lost;
  accepted[0] += d.single + gap > rules.delta ? 1.0 : 0.0;
  accepted[1] += d.average + gap > rules.delta ? 1.0 : 0.0;
  accepted[2] += wins >= rules.published ? 1.0 : 0.0;
  accepted[3] += wins >= rules.exact ? 1.0 : 0.0;
  accepted[4] += d.oracle + gap > rules.oracle ? 1.0 : 0.0;
}

void require_task(const ErrorTask& task) {
  require_positive("sigma", task.sigma);
  require_not_negative("sigma_eps", task.sigma_eps);
}

}  // namespace

double delta_over_sigma(DeltaConvention convention, double gamma) {
  require_between("gamma", gamma, 0.5, 1.0);
  constexpr double published = 1.9952;  // regression coefficient of published increments on sigma
  if (convention == DeltaConvention::published_text) return published;
  const double consistent = quantile(gamma) * root_two;
  return convention == DeltaConvention::published_code ? published * consistent : consistent;
}

std::vector<ErrorTask> published_error_tasks() {
  std::vector<ErrorTask> tasks;
  for (const PublishedTask& task : published_tasks())
    tasks.push_back({.name = std::string(task.name), .sigma = task.sigma, .sigma_eps = task.sigma_all_10});
  return tasks;
}

std::int64_t published_min_wins(std::int64_t k, const Levels& levels) {
  require_levels(levels);
  require_at_least("k", k, 1);
  for (std::int64_t wins = 0; wins <= k; ++wins) {
    const Estimate interval = percentile(wins, k, levels.alpha);
    if (*interval.low > 0.5 && *interval.high > required_gamma(levels)) return wins;
  }
  return k + 1;
}

ErrorRates exact_error_rates(const ErrorTask& task, double p, const ErrorSettings& settings) {
  require_task(task);
  const Rules rules = rules_of(settings);
  const double gap = gap_of(p), spread = root_two * task.sigma_eps / task.sigma;
  const auto ideal = at_gap(gap, rules, settings.k);
  ErrorRates rates{.p = p, .ideal = {ideal.begin(), ideal.end()}, .biased = {ideal.begin(), ideal.end()}};
  if (spread == 0.0) return rates;
  constexpr double reach = 9.0;  // standard deviations of the shift; omits 1e-19
  for (std::size_t c = 0; c < criterion_count; ++c)
    rates.biased[c] =
        integrate([&](double z) { return normal_density(z) * at_gap(gap + spread * z, rules, settings.k)[c]; }, -reach,
                  reach, 12);
  return rates;
}

std::vector<std::vector<ErrorRates>> simulate_error_rates(std::span<const ErrorTask> tasks,
                                                          std::span<const double> points,
                                                          const ErrorSimulation& simulation) {
  require_within("simulations", simulation.simulations, 1, 100'000'000);
  const Rules rules = rules_of(simulation.settings);
  std::vector<double> gaps;
  for (const double p : points) gaps.push_back(gap_of(p));
  std::vector<std::vector<ErrorRates>> rates(tasks.size());
  for (std::size_t t = 0; t < tasks.size(); ++t) {
    require_task(tasks[t]);
    for (const double p : points)
      rates[t].push_back({.p = p,
                          .ideal = std::vector<double>(criterion_count, 0.0),
                          .biased = std::vector<double>(criterion_count, 0.0)});
  }
  const std::uint64_t key = derive(simulation.key, "audit");
  Draw d;
  for (std::int64_t s = 0; s < simulation.simulations; ++s) {
    draw_pair(d, rules, simulation.settings.k, Stream(key, static_cast<std::uint64_t>(s)));
    for (std::size_t t = 0; t < tasks.size(); ++t)
      for (std::size_t i = 0; i < gaps.size(); ++i) {
        count_accepted(rates[t][i].ideal, d, gaps[i], rules);
        count_accepted(rates[t][i].biased, d, gaps[i] + d.shift * tasks[t].sigma_eps / tasks[t].sigma, rules);
      }
  }
  const double total = static_cast<double>(simulation.simulations);
  for (auto& task : rates)
    for (ErrorRates& point : task)
      for (std::size_t c = 0; c < criterion_count; ++c) {
        point.ideal[c] /= total;
        point.biased[c] /= total;
      }
  return rates;
}

std::vector<ErrorRates> mean_over_tasks(std::span<const std::vector<ErrorRates>> rates) {
  require_at_least("tasks", static_cast<std::int64_t>(rates.size()), 1);
  std::vector<ErrorRates> means(rates.front());
  const double tasks = static_cast<double>(rates.size());
  for (std::size_t i = 0; i < means.size(); ++i)
    for (std::size_t c = 0; c < criterion_count; ++c) {
      double ideal = 0.0, biased = 0.0;
      for (const auto& task : rates) {
        ideal += task[i].ideal[c];
        biased += task[i].biased[c];
      }
      means[i].ideal[c] = ideal / tasks;
      means[i].biased[c] = biased / tasks;
    }
  return means;
}

}  // namespace retrial::variance::inline audit
