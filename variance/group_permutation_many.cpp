#include "variance/group_permutation_many.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <string>

#include "variance/check.hpp"
#include "variance/labelling.hpp"

namespace retrial::variance {
namespace {

using Arms = std::span<const std::vector<double>>;

void require(Arms arms, std::span<const ArmPair> comparisons, const GroupPermutation& design) {
  require_at_least("arms", static_cast<std::int64_t>(arms.size()), 2);
  for (std::size_t v = 0; v < arms.size(); ++v) require_finite("arms[" + std::to_string(v) + "]", arms[v]);
  for (std::size_t i = 0; i < comparisons.size(); ++i) {
    const auto [first, second] = comparisons[i];
    const auto same = [&, first = first, second = second](const ArmPair& p) {
      return std::minmax(p.first, p.second) == std::minmax(first, second);
    };
    if (first < arms.size() && second < arms.size() && first != second &&
        std::count_if(comparisons.begin(), comparisons.end(), same) == 1)
      continue;
    throw InvalidInput("comparisons[" + std::to_string(i) + "]", std::to_string(first) + ", " + std::to_string(second),
                       "two different variants of " + std::to_string(arms.size()) + ", each pair once");
  }
  if (design.exchange != Exchange::runs) throw InvalidInput("exchange", "pairs", "runs");
  (void)GroupPermutationTest(design);
}

class Test {
 public:
  Test(Arms arms, std::span<const ArmPair> comparisons, const GroupPermutation& design)
      : arms_(arms), comparisons_(comparisons), design_(design), open_(comparisons.size(), true) {
    const std::uint64_t key = derive(design.key, "permutation");
    for (std::int64_t r = 0; r < design.draws; ++r) streams_.emplace_back(key, static_cast<std::uint64_t>(r));
    result_.runs.assign(arms.size(), 0);
  }

  ManyArms run() {
    for (std::size_t k = 0; k < design_.looks.size() && any_open() && reached(k); ++k) {
      add_block(k);
      decide(k);
    }
    for (std::size_t c = 0; c < open_.size(); ++c)
      if (open_[c]) result_.open.push_back(comparisons_[c]);
    return result_;
  }

 private:
  [[nodiscard]] bool any_open() const { return std::ranges::find(open_, true) != open_.end(); }
  [[nodiscard]] bool needed(std::size_t arm) const {
    for (std::size_t c = 0; c < open_.size(); ++c)
      if (open_[c] && (comparisons_[c].first == arm || comparisons_[c].second == arm)) return true;
    return false;
  }
  [[nodiscard]] bool reached(std::size_t k) const {
    for (std::size_t v = 0; v < arms_.size(); ++v)
      if (needed(v) && static_cast<std::int64_t>(arms_[v].size()) < design_.looks[k]) return false;
    return true;
  }

  /// Sums of this look: those of the last one plus the mean differences of the new block, under every draw.
  void add_block(std::size_t k) {
    const auto from = static_cast<std::size_t>(k > 0 ? design_.looks[k - 1] : 0);
    const std::size_t runs = static_cast<std::size_t>(design_.looks[k]) - from, draws = streams_.size();
    std::vector<double> pool;
    std::vector<std::size_t> place(arms_.size(), 0);  // of a needed variant's mean
    std::size_t groups = 0;
    for (std::size_t v = 0; v < arms_.size(); ++v) {
      if (!needed(v)) continue;
      place[v] = groups++;
      pool.insert(pool.end(), arms_[v].begin() + static_cast<std::ptrdiff_t>(from),
                  arms_[v].begin() + static_cast<std::ptrdiff_t>(from + runs));
      result_.runs[v] = design_.looks[k];
    }
    for (const double x : pool) scale_ += std::fabs(x);
    sums_.push_back(k > 0 ? sums_.back() : std::vector<double>(draws * comparisons_.size(), 0.0));
    std::vector<std::uint32_t> order(pool.size());
    std::vector<double> mean(groups);
    for (std::size_t r = 0; r < draws; ++r) {
      std::iota(order.begin(), order.end(), 0U);
      if (r > 0) permute(order, streams_[r]);
      for (std::size_t g = 0; g < groups; ++g) {
        mean[g] = 0.0;
        for (std::size_t i = 0; i < runs; ++i) mean[g] += pool[order[g * runs + i]];
        mean[g] /= static_cast<double>(runs);
      }
      for (std::size_t c = 0; c < comparisons_.size(); ++c)
        if (open_[c]) sum(k, r, c) += mean[place[comparisons_[c].first]] - mean[place[comparisons_[c].second]];
    }
  }

  [[nodiscard]] double& sum(std::size_t k, std::size_t r, std::size_t c) { return sums_[k][r * open_.size() + c]; }
  /// Largest absolute statistic of the open comparisons.
  [[nodiscard]] double largest(std::size_t k, std::size_t r) {
    double most = 0.0;
    for (std::size_t c = 0; c < open_.size(); ++c)
      if (open_[c]) most = std::max(most, std::fabs(sum(k, r, c)));
    return most;
  }

  /// Least b with P(crossed at an earlier look, or beyond b here) <= (k + 1) alpha / looks, for what is open now.
  [[nodiscard]] std::optional<double> boundary(std::size_t k) {
    const double share = static_cast<double>(k + 1) / static_cast<double>(design_.looks.size());
    const double slack = 1e-12 * scale_;
    auto allowed =
        static_cast<std::int64_t>(std::floor(design_.alpha * share * static_cast<double>(streams_.size()) + 1e-9));
    std::vector<double> alive;
    for (std::size_t r = 0; r < streams_.size(); ++r) {
      bool before = false;
      for (std::size_t l = 0; l < k && !before; ++l) before = boundaries_[l] && largest(l, r) > *boundaries_[l] + slack;
      if (before)
        --allowed;
      else
        alive.push_back(largest(k, r));
    }
    const auto place = static_cast<std::size_t>(std::max<std::int64_t>(0, allowed));
    if (place >= alive.size()) return {};
    std::nth_element(alive.begin(), alive.begin() + static_cast<std::ptrdiff_t>(place), alive.end(), std::greater<>());
    return alive[place];
  }

  void decide(std::size_t k) {
    boundaries_.emplace_back();
    while (any_open()) {
      boundaries_[k] = boundary(k);
      std::size_t top = open_.size();
      for (std::size_t c = 0; c < open_.size(); ++c)
        if (open_[c] && (top == open_.size() || std::fabs(sum(k, 0, c)) > std::fabs(sum(k, 0, top)))) top = c;
      const double statistic = sum(k, 0, top);
      if (!boundaries_[k] || std::fabs(statistic) <= *boundaries_[k] + 1e-12 * scale_) return;
      open_[top] = false;
      result_.decided.push_back({.arms = comparisons_[top], .runs = design_.looks[k], .statistic = statistic});
    }
  }

  Arms arms_;
  std::span<const ArmPair> comparisons_;
  const GroupPermutation& design_;
  std::vector<bool> open_;
  std::vector<Stream> streams_;
  std::vector<std::vector<double>> sums_;  ///< by look: draw after draw, comparison after comparison
  std::vector<std::optional<double>> boundaries_;
  double scale_ = 0.0;
  ManyArms result_;
};

}  // namespace

std::vector<ArmPair> all_arm_pairs(std::size_t arms) {
  std::vector<ArmPair> pairs;
  for (std::size_t i = 0; i < arms; ++i)
    for (std::size_t j = i + 1; j < arms; ++j) pairs.push_back({i, j});
  return pairs;
}

ManyArms group_permutation_many(Arms arms, std::span<const ArmPair> comparisons, const GroupPermutation& design) {
  require(arms, comparisons, design);
  return Test(arms, comparisons, design).run();
}

}  // namespace retrial::variance
