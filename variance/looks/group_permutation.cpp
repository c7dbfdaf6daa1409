#include "variance/looks/group_permutation.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "variance/comparisons/labelling.hpp"
#include "variance/numbers/check.hpp"
#include "variance/numbers/distributions.hpp"
#include "variance/samples/sample.hpp"
#include "variance/samples/summary.hpp"
#include "variance/sequential/sequential_rules.hpp"

namespace retrial::variance::inline looks {
namespace {

double sum_of(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

}  // namespace

GroupPermutationTest::GroupPermutationTest(GroupPermutation design) : design_(std::move(design)) {
  require_between("alpha", design_.alpha, 0.0, 0.5);
  require_within("draws", design_.draws, 1'000, 10'000'000);
  if (design_.looks.empty()) throw InvalidInput("looks", "none", "at least one");
  std::int64_t before = 0;
  for (std::size_t k = 0; k < design_.looks.size(); before = design_.looks[k++])
    require_at_least(("looks[" + std::to_string(k) + "]").c_str(), design_.looks[k], before + 1);
}

/// Permutations of a block.
double GroupPermutationTest::ways(std::size_t pairs) const {
  const auto n = static_cast<std::int64_t>(pairs);
  return design_.exchange == Exchange::pairs ? std::exp2(static_cast<double>(n)) : std::exp(log_choose(2 * n, n));
}

/// Extends every path so far by every permutation of the block.
void GroupPermutationTest::enumerate(const Block& block) {
  std::vector<double> values;
  if (design_.exchange == Exchange::pairs) {
    values.push_back(0.0);
    for (const double d : block) {
      const std::size_t half = values.size();
      for (std::size_t i = 0; i < half; ++i) values.push_back(values[i] - d);
      for (std::size_t i = 0; i < half; ++i) values[i] += d;
    }
    for (double& v : values) v /= static_cast<double>(block.size());
  } else {
    const auto total = static_cast<std::uint32_t>(block.size());
    std::vector<std::uint32_t> chosen(block.size() / 2);
    std::iota(chosen.begin(), chosen.end(), 0U);
    const double all = sum_of(block);
    do {
      double ours = 0.0;
      for (const std::uint32_t i : chosen) ours += block[i];
      values.push_back((2.0 * ours - all) / static_cast<double>(chosen.size()));
    } while (next_choice(chosen, total));
  }
  std::vector<Path> longer;
  longer.reserve(paths_.size() * values.size());
  for (const Path& path : paths_)
    for (const double v : values) longer.push_back({path.sum + v, path.crossed});
  paths_ = std::move(longer);
}

/// Drawn paths of all blocks so far; the first is the data. Earlier crossings follow from the boundaries.
void GroupPermutationTest::start_drawing() {
  const std::uint64_t key = derive(design_.key, "permutation");
  paths_.assign(static_cast<std::size_t>(design_.draws), Path{});
  for (std::size_t r = 0; r < paths_.size(); ++r) streams_.emplace_back(key, r);
  for (std::size_t k = 0; k < blocks_.size(); ++k) {
    draw(blocks_[k]);
    for (Path& path : paths_)
      path.crossed = path.crossed || (boundaries_[k] && std::fabs(path.sum) > *boundaries_[k] + 1e-12 * scale_);
  }
}

void GroupPermutationTest::draw(const Block& block) {
  const bool pairs = design_.exchange == Exchange::pairs;
  const double n = static_cast<double>(pairs ? block.size() : block.size() / 2);
  const double ours = sum_of(std::span(block).first(pairs ? block.size() : block.size() / 2));
  paths_[0].sum += (pairs ? ours : 2.0 * ours - sum_of(block)) / n;
  for (std::size_t r = 1; r < paths_.size(); ++r) paths_[r].sum += drawn_value(block, streams_[r]) / n;
}

double GroupPermutationTest::drawn_value(const Block& block, Stream& stream) {
  double sum = 0.0;
  if (design_.exchange == Exchange::pairs) {
    for (std::size_t i = 0; i < block.size();) {
      std::uint64_t bits = stream.next();
      const std::size_t end = std::min(block.size(), i + 64);
      for (; i < end; ++i, bits >>= 1) sum += (bits & 1) != 0 ? -block[i] : block[i];
    }
    return sum;
  }
  order_.resize(block.size());
  std::iota(order_.begin(), order_.end(), 0U);
  permute(order_, stream);
  for (std::size_t i = 0; i < order_.size(); ++i) sum += i < order_.size() / 2 ? block[order_[i]] : -block[order_[i]];
  return sum;
}

/// The boundary of this look, and the paths that exceed it.
void GroupPermutationTest::cross(PermutationLook& look) {
  std::vector<double> alive;
  for (const Path& path : paths_)
    if (!path.crossed) alive.push_back(std::fabs(path.sum));
  const double total = static_cast<double>(paths_.size());
  const double may_be_spent =
      design_.alpha * static_cast<double>(blocks_.size()) / static_cast<double>(design_.looks.size());
  const auto allowed = static_cast<std::size_t>(std::max(0.0, std::floor((may_be_spent - spent_) * total + 1e-9)));
  const double slack = 1e-12 * scale_;  // sums of the same numbers in another order are equal
  if (allowed < alive.size()) {
    std::nth_element(alive.begin(), alive.begin() + static_cast<std::ptrdiff_t>(allowed), alive.end(),
                     std::greater<>());
    look.boundary = alive[allowed];
  }
  std::size_t beyond = 0;
  for (Path& path : paths_) {
    if (path.crossed || !look.boundary || std::fabs(path.sum) <= *look.boundary + slack) continue;
    path.crossed = true;
    ++beyond;
  }
  spent_ += static_cast<double>(beyond) / total;
  look.crossed = look.boundary && std::fabs(look.statistic) > *look.boundary + slack;
}

PermutationLook GroupPermutationTest::add(std::span<const double> candidate, std::span<const double> baseline) {
  const std::size_t k = blocks_.size();
  require_within("look", static_cast<std::int64_t>(k), 0, static_cast<std::int64_t>(design_.looks.size()) - 1);
  const std::int64_t runs = design_.looks[k] - (k > 0 ? design_.looks[k - 1] : 0);
  require_within("block", static_cast<std::int64_t>(candidate.size()), runs, runs);
  require_finite("candidate", candidate);
  require_finite("baseline", baseline);
  Block block = differences_of(candidate, baseline);
  if (design_.exchange == Exchange::runs) {
    block.assign(candidate.begin(), candidate.end());
    block.insert(block.end(), baseline.begin(), baseline.end());
  }
  for (const double x : block) scale_ += std::fabs(x);
  const double permutations = static_cast<double>(paths_.size()) * ways(candidate.size());
  const bool exact = streams_.empty() && permutations <= static_cast<double>(design_.draws) + 0.5;
  if (exact) enumerate(block);
  if (!exact && streams_.empty()) start_drawing();
  if (!exact) draw(block);
  blocks_.push_back(std::move(block));

  PermutationLook look{.exact = exact, .permutations = static_cast<std::int64_t>(paths_.size())};
  look.statistic = paths_[0].sum;  // the first path is the data
  cross(look);
  boundaries_.push_back(look.boundary);
  return look;
}

std::vector<PermutationLook> group_permutation(std::span<const double> candidate, std::span<const double> baseline,
                                               const GroupPermutation& design) {
  require_pairs(candidate, baseline);
  GroupPermutationTest test(design);
  std::vector<PermutationLook> looks;
  std::int64_t from = 0;
  for (const std::int64_t to : design.looks) {
    if (to > static_cast<std::int64_t>(candidate.size())) break;
    const auto first = static_cast<std::size_t>(from), runs = static_cast<std::size_t>(to - from);
    looks.push_back(test.add(candidate.subspan(first, runs), baseline.subspan(first, runs)));
    from = to;
  }
  return looks;
}

}  // namespace retrial::variance::inline looks

namespace retrial::variance::inline sequential::sequential_rules {

Steps group_permutation(Differences differences, const SequentialSettings& s) {
  const Looks looks = looks_of(s);
  GroupPermutationTest test(
      {.looks = looks, .exchange = Exchange::pairs, .alpha = s.alpha, .draws = s.draws, .key = s.key});
  Steps steps;
  SequentialStep step;
  std::size_t seen = 0;  // pairs at the last look
  for (std::size_t i = 0; i < differences.size() && step.state == SequentialState::go_on; ++i) {
    step = counted(step, differences[i], s.tie);
    step.interval = {.point = *mean(differences.first(i + 1)), .level = 1.0 - s.alpha, .method = ""};
    if (std::ranges::find(looks, step.pairs) != looks.end()) {
      const auto block = differences.subspan(seen, i + 1 - seen);
      seen = i + 1;
      const PermutationLook at = test.add(block, std::vector<double>(block.size(), 0.0));
      step.statistic = at.statistic;
      step.boundary = at.boundary;
      if (at.boundary) step.boundary_against = -*at.boundary;
      if (at.crossed) decide(step, at.statistic > 0.0 ? Status::better : Status::worse);
      if (step.state == SequentialState::go_on && step.pairs == looks.back()) decide(step, Status::inconclusive);
    }
    steps.push_back(step);
  }
  return steps;
}

}  // namespace retrial::variance::inline sequential::sequential_rules
