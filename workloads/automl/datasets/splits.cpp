#include "workloads/automl/datasets/splits.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "variance/random/rng.hpp"
#include "workloads/automl/datasets/refusal.hpp"
#include "workloads/automl/streams/streams.hpp"

namespace retrial::automl::inline datasets {
namespace {

constexpr double cells_per_hour = 1e7, share_that_trains = 0.9;
constexpr std::uint64_t rows_of_holdout = 100000;

/// The places of each class, shuffled.
std::vector<Rows> shuffled_classes(std::span<const std::uint32_t> classes, const KeyOfClass& key) {
  const std::uint32_t last = classes.empty() ? 0 : *std::max_element(classes.begin(), classes.end());
  std::vector<Rows> ascending(last + 1);
  for (std::uint32_t place = 0; place < classes.size(); ++place) ascending[classes[place]].push_back(place);
  std::vector<Rows> shuffled(last + 1);
  for (std::uint32_t k = 0; k <= last; ++k)
    for (const std::uint32_t item : variance::permutation(key(k), static_cast<std::uint32_t>(ascending[k].size())))
      shuffled[k].push_back(ascending[k][item]);
  return shuffled;
}

}  // namespace

KeyOfClass outer_keys(std::uint64_t seed) {
  return [seed](std::uint64_t k) { return stream_key(seed, "split", 0, 0, k); };
}
KeyOfClass inner_keys(std::uint64_t seed, std::uint64_t number) {
  return [seed, number](std::uint64_t k) { return stream_key(seed, "inner", 0, 0, k + (number << 32)); };
}
KeyOfClass order_keys(std::uint64_t seed) {
  return [seed](std::uint64_t k) { return stream_key(seed, "subsample", 0, 0, k); };
}

std::optional<std::uint64_t> shared_class(const KeyOfClass& outer, const KeyOfClass& inner, std::uint64_t classes) {
  std::set<std::uint64_t> keys;
  for (std::uint64_t k = 0; k < classes; ++k) keys.insert(outer(k));
  for (std::uint64_t k = 0; k < classes; ++k)
    if (keys.contains(inner(k))) return k;
  return std::nullopt;
}

void require_rows(std::span<const std::uint32_t> classes, std::uint32_t folds, const std::string& field,
                  std::span<const std::string> names) {
  std::map<std::uint32_t, std::size_t> counts;
  for (const std::uint32_t k : classes) ++counts[k];
  const auto least =
      std::min_element(counts.begin(), counts.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  const std::size_t rows = least == counts.end() ? 0 : least->second;
  if (rows >= folds) return;
  const std::string count = std::to_string(rows) + (rows == 1 ? " row" : " rows");
  refuse_key("automl.folds", field, std::to_string(folds),
             names.empty() || counts.empty() ? "more folds than the " + count
                                             : "class " + names[least->first] + " has " + count + " to divide",
             rows < 2 ? "none: leave the class out, or merge it with another" : "2 to " + std::to_string(rows));
}

std::vector<std::uint32_t> stratified_folds(std::span<const std::uint32_t> classes, std::uint32_t folds,
                                            const KeyOfClass& key) {
  const std::vector<Rows> shuffled = shuffled_classes(classes, key);
  std::vector<std::uint32_t> fold_of(classes.size());
  std::uint32_t dealt = 0;
  for (const Rows& places : shuffled)
    for (const std::uint32_t place : places) fold_of[place] = dealt++ % folds;
  return fold_of;
}

std::vector<std::uint32_t> stratified_order(std::span<const std::uint32_t> classes, const KeyOfClass& key) {
  const std::vector<Rows> shuffled = shuffled_classes(classes, key);
  const auto rows = static_cast<std::int64_t>(classes.size());
  std::vector<std::int64_t> taken(shuffled.size());
  std::vector<std::uint32_t> order;
  for (std::int64_t place = 0; place < rows; ++place) {
    std::size_t next = shuffled.size();
    std::int64_t most = 0;
    for (std::size_t k = 0; k < shuffled.size(); ++k) {
      const auto count = static_cast<std::int64_t>(shuffled[k].size());
      const std::int64_t behind = count * (place + 1) - rows * taken[k];
      if (taken[k] == count || (next != shuffled.size() && behind <= most)) continue;
      next = k;
      most = behind;
    }
    order.push_back(shuffled[next][static_cast<std::size_t>(taken[next]++)]);
  }
  return order;
}

Division divided(std::span<const std::uint32_t> rows, std::span<const std::uint32_t> folds, std::uint32_t fold) {
  Division division;
  for (std::size_t place = 0; place < rows.size(); ++place)
    (folds[place] == fold ? division.test : division.train).push_back(rows[place]);
  return division;
}

std::uint32_t holdout_folds(double ratio) {
  return static_cast<std::uint32_t>(std::nearbyint(1.0 / ratio));
}

Resampling decide_resampling(std::uint64_t rows, std::uint64_t columns, double budget_hours) {
  const double cells = static_cast<double>(rows) * static_cast<double>(columns) / share_that_trains;
  return cells < cells_per_hour * budget_hours && rows < rows_of_holdout ? Resampling::cross_validation
                                                                         : Resampling::holdout;
}

}  // namespace retrial::automl::inline datasets
