#include "variance/verdict/replication.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "variance/numbers/distributions.hpp"
#include "variance/random/rng.hpp"
#include "variance/samples/ties.hpp"
#include "variance/verdict/complete_pairs.hpp"
#include "variance/verdict/pair_outcomes.hpp"

namespace retrial::variance::inline verdict {
namespace {

constexpr std::int64_t max_counted_pairs = 2'000, min_resampled_runs = 5;
constexpr std::size_t win_shares = 400, tie_shares = 20, weightings = 200;
constexpr std::int64_t max_studies_each = 50, min_studies_each = 10;
constexpr double negligible = 1e-15;

/// The value of rank ceil(q n): half of what is left out of the interval is below the low end.
Estimate predictive(double point, std::vector<double> probabilities, double alpha, std::string method) {
  std::ranges::sort(probabilities);
  const auto at = [&](double q) {
    const auto place = std::ceil(q * static_cast<double>(probabilities.size()) - 1e-9);
    return probabilities[static_cast<std::size_t>(std::max(place, 1.0)) - 1];
  };
  return {.point = std::clamp(point, 0.0, 1.0),
          .low = at(alpha / 2.0),
          .high = at(1.0 - alpha / 2.0),
          .level = 1.0 - alpha,
          .method = std::move(method)};
}

Status status_of_counts(const FixedRule& rule, std::int64_t wins, const Design& design) {
  const Status status = rule.verdict(wins);
  if (!design.band || status == Status::better || status == Status::worse) return status;
  const Estimate share = win_interval({.wins = wins, .losses = rule.pairs - wins}, 2.0 * design.levels().alpha);
  const bool inside = share.low && share.high && *share.low >= design.band->first && *share.high <= design.band->second;
  return inside ? Status::equivalent : status;
}

/// Numbers of wins, first to last, that give one status.
using WinRanges = std::vector<std::pair<std::int64_t, std::int64_t>>;

/// Wins that give the verdict, for this number of ties; none if they are too many for any verdict.
WinRanges wins_for(Status status, std::int64_t pairs, std::int64_t ties, const Design& design) {
  const std::int64_t untied = pairs - ties;
  WinRanges ranges;
  if (untied == 0 || static_cast<double>(ties) / static_cast<double>(pairs) > design.tie_limit) return ranges;
  const FixedRule rule = fixed_rule(untied, design.levels());
  for (std::int64_t wins = 0; wins <= untied; ++wins) {
    if (status_of_counts(rule, wins, design) != status) continue;
    if (!ranges.empty() && ranges.back().second == wins - 1)
      ranges.back().second = wins;
    else
      ranges.emplace_back(wins, wins);
  }
  return ranges;
}

/// P(k of n) if the probability of each has a Beta(a, b) law.
double beta_binomial(std::int64_t k, std::int64_t n, double a, double b) {
  const double x = static_cast<double>(k), size = static_cast<double>(n);
  return std::exp(log_choose(n, k) + log_gamma(a + x) + log_gamma(b + size - x) - log_gamma(a + b + size) +
                  log_gamma(a + b) - log_gamma(a) - log_gamma(b));
}

/// Equally likely values of a Beta(a, b) law.
std::vector<double> beta_places(std::size_t count, double a, double b) {
  std::vector<double> places;
  for (std::size_t i = 0; i < count; ++i)
    places.push_back(beta_quantile((static_cast<double>(i) + 0.5) / static_cast<double>(count), a, b));
  return places;
}

double within(const WinRanges& ranges, std::int64_t n, double share) {
  double sum = 0.0;
  for (const auto& [first, last] : ranges)
    sum += binomial_at_most(last, n, share) - binomial_at_most(first - 1, n, share);
  return sum;
}

/// Dirichlet posterior of the shares: ties ~ Beta(ties, untied + 1), wins among the untied ~ Beta(wins + 1/2,
/// losses + 1/2), independent of each other.
struct SharePosterior {
  double ties, untied, wins, losses;
};

}  // namespace

Replication replication_of_counts(const PairedWin& counts, Status status, const Design& design) {
  const std::int64_t n = counts.pairs();
  if (n > max_counted_pairs) return {.probability = {}, .why = "not computed beyond 2000 pairs"};
  const SharePosterior posterior{.ties = static_cast<double>(counts.ties),
                                 .untied = static_cast<double>(counts.untied()) + 1.0,
                                 .wins = static_cast<double>(counts.wins) + 0.5,
                                 .losses = static_cast<double>(counts.losses) + 0.5};
  const bool ties = counts.ties > 0;
  const auto win_places = beta_places(win_shares, posterior.wins, posterior.losses);
  const auto tie_places = ties ? beta_places(tie_shares, posterior.ties, posterior.untied) : std::vector<double>{0.0};
  std::vector<double> probabilities(win_places.size() * tie_places.size(), 0.0), at_share(win_places.size());
  double point = 0.0;
  for (std::int64_t tied = 0; tied <= (ties ? n : 0); ++tied) {
    const double weight = ties ? beta_binomial(tied, n, posterior.ties, posterior.untied) : 1.0;
    if (weight < negligible) continue;
    const WinRanges ranges = wins_for(status, n, tied, design);
    for (const auto& [first, last] : ranges)
      for (std::int64_t wins = first; wins <= last; ++wins)
        point += weight * beta_binomial(wins, n - tied, posterior.wins, posterior.losses);
    for (std::size_t i = 0; i < win_places.size(); ++i) at_share[i] = within(ranges, n - tied, win_places[i]);
    for (std::size_t j = 0; j < tie_places.size(); ++j) {
      const double so_many = binomial_exactly(tied, n, tie_places[j]);
      for (std::size_t i = 0; i < win_places.size(); ++i)
        probabilities[j * win_places.size() + i] += so_many * at_share[i];
    }
  }
  return {.probability =
              predictive(point, std::move(probabilities), design.alpha,
                         ties ? "posterior predictive, trinomial law" : "posterior predictive, binomial law")};
}

namespace {

/// Places of the runs of one variant, or of pairs, drawn again with random weights.
class WeightedPlaces {
 public:
  WeightedPlaces(std::size_t count, Stream& draws) : upto_(count) {
    for (double& place : upto_) place = total_ += exponential(draws.next());
  }
  void draw(std::vector<std::size_t>& places, Stream& draws) const {
    places.resize(upto_.size());
    for (std::size_t& place : places) {
      const auto found = std::ranges::upper_bound(upto_, uniform(draws.next()) * total_);
      place = std::min(static_cast<std::size_t>(found - upto_.begin()), upto_.size() - 1);
    }
  }

 private:
  std::vector<double> upto_;
  double total_ = 0.0;
};

struct Resampling {
  std::size_t candidate = 0, baseline = 0;  ///< runs; without runs of the baseline the candidate's are pairs
  std::int64_t studies_each = max_studies_each;
  double alpha = 0.05;
  std::uint64_t key = 0;
};

/// `same(candidate places, baseline places)`: such a study has the same verdict.
template <typename Same>
Replication resampled(const Resampling& how, Same&& same) {
  const std::uint64_t key = derive(how.key, "replication");
  std::vector<double> shares;
  std::vector<std::size_t> candidate, baseline;
  std::int64_t all = 0;
  for (std::size_t r = 0; r < weightings; ++r) {
    Stream draws(key, static_cast<std::uint64_t>(r));
    const WeightedPlaces of_candidate(how.candidate, draws), of_baseline(how.baseline, draws);
    std::int64_t alike = 0;
    for (std::int64_t s = 0; s < how.studies_each; ++s) {
      of_candidate.draw(candidate, draws);
      of_baseline.draw(baseline, draws);
      alike += same(candidate, baseline) ? 1 : 0;
    }
    all += alike;
    shares.push_back(static_cast<double>(alike) / static_cast<double>(how.studies_each));
  }
  const std::int64_t studies = static_cast<std::int64_t>(weightings) * how.studies_each;
  return {.probability = predictive(static_cast<double>(all) / static_cast<double>(studies), std::move(shares),
                                    how.alpha, "posterior predictive, runs drawn again by a Bayesian bootstrap"),
          .studies = studies};
}

/// Studies per weighting that half a second allows, by the number of operations of the test's exact law.
std::int64_t affordable(std::string_view test, double n, double m) {
  const double runs = n + m;
  const double work = test == "wilcoxon" ? n * n * n / 8.0 : test == "mann_whitney" ? n * n * n * m / 4.0 : 20.0 * runs;
  return std::min(max_studies_each, static_cast<std::int64_t>(5e8 / (static_cast<double>(weightings) * work)));
}

std::string why_not_resampled(const ComparisonTest& row, const TestSettings& settings, std::size_t n, std::size_t m) {
  if (row.scores == ScoreKind::five_by_two) return "not computed: the runs have an order";
  if (row.reads_setting("reps")) return "not computed: this test draws or enumerates on its own";
  if (static_cast<std::int64_t>(std::min(n, m)) < min_resampled_runs) return "not computed below five runs";
  if (affordable(row.name, static_cast<double>(n), static_cast<double>(m)) < min_studies_each)
    return "not computed: drawing that many runs again would take too long";
  return settings.key ? "" : "not computed: give a seed to draw the runs again (--seed)";
}

Replication replication_of_sign_rule(const ComparisonTest& row, const std::vector<double>& candidate,
                                     const std::vector<double>& baseline, const TestSettings& settings, Status status) {
  Design design{
      .alpha = settings.alpha, .beta = settings.beta, .tie_limit = settings.tie_limit, .sides = settings.sides};
  if (row.name == "pab_exact") design.gamma = settings.gamma;
  const bool higher = settings.direction == Direction::higher;
  return replication_of_counts(
      paired_win(higher ? candidate : baseline, higher ? baseline : candidate, settings.resolution), status, design);
}

}  // namespace

Replication replication_of_test(std::string_view test, const std::vector<double>& candidate,
                                const std::vector<double>& baseline, const TestSettings& settings, Status status) {
  const ComparisonTest* const row = find_comparison(test);
  if (row == nullptr) throw InvalidInput("test", std::string(test), "a name of the table of tests");
  if (test == "pab_exact" || test == "sign")
    return replication_of_sign_rule(*row, candidate, baseline, settings, status);
  const std::string why = why_not_resampled(*row, settings, candidate.size(), baseline.size());
  if (!why.empty()) return {.probability = {}, .why = why};
  const bool paired = row->pairing == Pairing::paired;
  const Resampling how{
      .candidate = candidate.size(),
      .baseline = paired ? 0 : baseline.size(),
      .studies_each = affordable(test, static_cast<double>(candidate.size()), static_cast<double>(baseline.size())),
      .alpha = settings.alpha,
      .key = *settings.key};
  std::vector<double> a, b;
  return resampled(how, [&](const auto& of_candidate, const auto& of_baseline) {
    a.clear(), b.clear();
    for (const std::size_t place : of_candidate) a.push_back(candidate[place]);
    for (const std::size_t place : paired ? of_candidate : of_baseline) b.push_back(baseline[place]);
    return compare(test, a, b, settings).status == status;
  });
}

namespace {

/// pab_exact with a margin: the pairs that count, and the differences of complete ones for the margin.
Replication replication_with_margin(const Verdict& v, const PairedScores& scores) {
  const auto outcomes = pair_outcomes(scores, v.design);
  if (!v.design.key) return {.probability = {}, .why = "not computed: the study has no seed to draw with"};
  if (v.complete_pairs < min_resampled_runs) return {.probability = {}, .why = "not computed below five runs"};
  const CompletePairs complete = complete_pairs(scores);
  const double noise = tie_tolerance(std::nullopt, complete.candidate, complete.baseline);
  const Resampling how{.candidate = outcomes.size(), .alpha = v.design.alpha, .key = *v.design.key};
  std::vector<PairOutcome> drawn;
  std::vector<double> differences;
  return resampled(how, [&](const auto& places, const auto&) {
    drawn.clear(), differences.clear();
    for (const std::size_t i : places) {
      drawn.push_back(outcomes[i]);
      const auto &a = scores.candidate[i], &b = scores.baseline[i];
      if (a && b && std::isfinite(*a) && std::isfinite(*b)) differences.push_back(*a - *b);
    }
    const PairedWin wins = counts_of(drawn).wins;
    if (wins.untied() == 0 || wins.tie_share() > v.design.tie_limit) return false;
    Status status = status_of_counts(fixed_rule(wins.untied(), v.design.levels()), wins.wins, v.design);
    const bool directional = status == Status::better || status == Status::worse;
    if (!directional && differences.size() > 1 &&
        tost(differences, *v.design.margin, {.alpha = v.design.alpha, .tolerance = noise})->equivalent)
      status = Status::equivalent;
    return status == v.status;
  });
}

}  // namespace

std::optional<Replication> replication_of(const Verdict& v, const PairedScores& scores) {
  if (v.status == Status::invalid || v.sequential) return std::nullopt;
  if (v.design.test == "pab_exact") {
    if (v.design.margin) return replication_with_margin(v, scores);
    return replication_of_counts(v.counts, v.status, v.design);
  }
  const CompletePairs complete = complete_pairs(scores);
  return replication_of_test(v.design.test, complete.candidate, complete.baseline, settings_of_test(scores, v.design),
                             v.status);
}

}  // namespace retrial::variance::inline verdict
