#include "workloads/automl/searchers/evolution/cma.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "variance/random/rng.hpp"
#include "workloads/automl/searchers/evolution/eigen.hpp"
#include "workloads/automl/streams/streams.hpp"

namespace retrial::automl::inline searchers::inline evolution {
namespace {

constexpr double first_sigma = 1.0 / 6, contracted = 1e-12, least_eigenvalue = 1e-30;
constexpr std::uint64_t attempts = 100;  // to draw a point within the box

double norm(std::span<const double> v) {
  return std::sqrt(std::inner_product(v.begin(), v.end(), v.begin(), 0.0));
}

}  // namespace

CmaConstants cma_constants(std::size_t dimensions, std::size_t lambda) {
  const auto d = static_cast<double>(dimensions);
  CmaConstants out{.lambda = lambda > 0 ? lambda : static_cast<std::size_t>(4 + std::floor(3 * std::log(d)))};
  const std::size_t mu = out.lambda / 2;
  for (std::size_t i = 1; i <= mu; ++i)
    out.weights.push_back(std::log((static_cast<double>(out.lambda) + 1) / 2) - std::log(static_cast<double>(i)));
  const double sum = std::accumulate(out.weights.begin(), out.weights.end(), 0.0);
  double squares = 0;
  for (double& w : out.weights) {
    w /= sum;
    squares += w * w;
  }
  const double m = out.mu_eff = 1 / squares;
  out.c_sigma = (m + 2) / (d + m + 5);
  out.c_c = (4 + m / d) / (d + 4 + 2 * m / d);
  out.c_1 = 2 / ((d + 1.3) * (d + 1.3) + m);
  out.c_mu = std::min(1 - out.c_1, 2 * (m - 2 + 1 / m) / ((d + 2) * (d + 2) + m));
  out.d_sigma = 1 + 2 * std::max(0.0, std::sqrt((m - 1) / (d + 1)) - 1) + out.c_sigma;
  out.chi = std::sqrt(d) * (1 - 1 / (4 * d) + 1 / (21 * d * d));
  return out;
}

CmaState::CmaState(Coordinates mean, double sigma, std::size_t lambda)
    : constants_(cma_constants(mean.size(), lambda)),
      mean_(std::move(mean)),
      sigma_(sigma),
      covariance_(mean_.size() * mean_.size(), 0.0),
      sigma_path_(mean_.size(), 0.0),
      path_(mean_.size(), 0.0) {
  for (std::size_t i = 0; i < mean_.size(); ++i) covariance_[i * mean_.size() + i] = 1;
  decompose();
}

void CmaState::decompose() {
  const Eigen found = eigen_of(covariance_, mean_.size());
  vectors_ = found.vectors;
  lengths_.clear();
  for (const double value : found.values) lengths_.push_back(std::sqrt(std::max(value, least_eigenvalue)));
}

std::vector<double> CmaState::stretched(std::span<const double> z) const {
  const std::size_t d = mean_.size();
  std::vector<double> y(d, 0.0);
  for (std::size_t i = 0; i < d; ++i)
    for (std::size_t k = 0; k < d; ++k) y[i] += vectors_[i * d + k] * lengths_[k] * z[k];
  return y;
}

double CmaState::spread() const {
  return sigma_ * *std::ranges::max_element(lengths_);
}

void CmaState::update(std::span<const std::vector<double>> ranked) {
  const CmaConstants& c = constants_;
  const std::size_t d = mean_.size();
  std::vector<double> step(d, 0.0), white(d, 0.0), straight(d, 0.0);
  for (std::size_t k = 0; k < c.weights.size(); ++k)
    for (std::size_t i = 0; i < d; ++i) step[i] += c.weights[k] * ranked[k][i];
  for (std::size_t k = 0; k < d; ++k)
    for (std::size_t i = 0; i < d; ++i) white[k] += vectors_[i * d + k] * step[i] / lengths_[k];
  for (std::size_t i = 0; i < d; ++i)
    for (std::size_t k = 0; k < d; ++k) straight[i] += vectors_[i * d + k] * white[k];
  for (std::size_t i = 0; i < d; ++i) {
    mean_[i] += sigma_ * step[i];
    sigma_path_[i] = (1 - c.c_sigma) * sigma_path_[i] + std::sqrt(c.c_sigma * (2 - c.c_sigma) * c.mu_eff) * straight[i];
  }
  const double length = norm(sigma_path_), dimensions = static_cast<double>(d);
  sigma_ *= std::exp(c.c_sigma / c.d_sigma * (length / c.chi - 1));
  const double fresh = std::sqrt(1 - std::pow(1 - c.c_sigma, 2 * static_cast<double>(generation_)));
  const double h = length / fresh < (1.4 + 2 / (dimensions + 1)) * c.chi ? 1 : 0;
  for (std::size_t i = 0; i < d; ++i)
    path_[i] = (1 - c.c_c) * path_[i] + h * std::sqrt(c.c_c * (2 - c.c_c) * c.mu_eff) * step[i];
  const double kept = 1 - c.c_1 - c.c_mu + c.c_1 * (1 - h) * c.c_c * (2 - c.c_c);
  for (std::size_t i = 0; i < d; ++i)
    for (std::size_t j = 0; j < d; ++j) {
      double learned = c.c_1 * path_[i] * path_[j];
      for (std::size_t k = 0; k < c.weights.size(); ++k) learned += c.c_mu * c.weights[k] * ranked[k][i] * ranked[k][j];
      covariance_[i * d + j] = kept * covariance_[i * d + j] + learned;
    }
  ++generation_;
  decompose();
}

namespace {

class Cma final : public Sampler {
 public:
  Cma(const Space& space, const Draws& draws, const Chosen& start)
      : space_(space), draws_(draws), state_(space.normalised(start), first_sigma) {}

  std::optional<Suggestion> propose(std::int64_t id) override {
    if (space_.dimensions() == 0 && !members_.empty()) return std::nullopt;  // its one configuration was tried
    if (members_.size() == state_.constants().lambda) return std::nullopt;   // the generation is under way
    Member made = draw(members_.size());
    made.id = id;
    members_.push_back(std::move(made));
    return Suggestion{.configuration = space_.chosen_at(members_.back().point), .origin = "cma"};
  }

  void observe(std::int64_t id, double loss, double) override {
    const auto found = std::ranges::find(members_, id, &Member::id);
    if (found == members_.end()) return;
    found->loss = loss;
    if (++delivered_ < state_.constants().lambda || space_.dimensions() == 0) return;
    std::ranges::stable_sort(members_, {}, &Member::loss);
    std::vector<std::vector<double>> ranked;
    for (Member& member : members_) ranked.push_back(std::move(member.y));
    members_.clear();
    delivered_ = 0;
    state_.update(ranked);
    ++generation_;
    if (state_.spread() >= contracted) return;
    generation_ = 1;
    state_ = CmaState(halton_point(++restart_, space_.dimensions()), first_sigma, 2 * state_.constants().lambda);
  }

 private:
  struct Member {
    std::int64_t id = 0;
    Coordinates point;
    std::vector<double> y;
    double loss = 0;
  };

  [[nodiscard]] Member draw(std::uint64_t k) const {
    const std::size_t d = space_.dimensions();
    const auto key = stream_key(draws_.seed, "sampler", draws_.learner, restart_, generation_);
    Member out{.point = state_.mean(), .y = {}};
    std::vector<double> z(d);
    for (std::uint64_t a = 0; a < attempts; ++a) {
      const std::uint64_t first = (a * state_.constants().lambda + k) * d;
      for (std::size_t i = 0; i < d; ++i) z[i] = variance::normal(word(key, first + i));
      out.y = state_.stretched(z);
      bool inside = true;
      for (std::size_t i = 0; i < d; ++i) {
        out.point[i] = state_.mean()[i] + state_.sigma() * out.y[i];
        inside = inside && out.point[i] >= 0 && out.point[i] <= 1;
      }
      if (inside) return out;
    }
    out.point = projected(std::move(out.point));
    for (std::size_t i = 0; i < d; ++i) out.y[i] = (out.point[i] - state_.mean()[i]) / state_.sigma();
    return out;
  }

  Space space_;
  Draws draws_;
  CmaState state_;
  std::vector<Member> members_;
  std::size_t delivered_ = 0;
  std::uint64_t restart_ = 0, generation_ = 1;
};

}  // namespace

std::unique_ptr<Sampler> cma_sampler(const Space& space, const Draws& draws, const Chosen& start) {
  return std::make_unique<Cma>(space, draws, start);
}

}  // namespace retrial::automl::inline searchers::inline evolution
