#include "workloads/data/split/split.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_set>

#include "variance/numbers/error.hpp"
#include "variance/random/rng.hpp"
#include "variance/sources/splits.hpp"
#include "workloads/data/files/rational.hpp"

namespace retrial::data::inline split {
namespace {

using Rows = std::vector<std::uint32_t>;

constexpr std::uint64_t table_root = 0;  // constants of the specification derive from root 0

std::size_t place_of(const std::vector<std::string>& names, const std::string& name, const std::string& field) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) throw InvalidInput(field, name, names.front() + " ...");
  return static_cast<std::size_t>(found - names.begin());
}

Split cut(const Rows& rows, const Division& sizes) {
  return {.train = {rows.begin(), rows.begin() + sizes.train},
          .valid = {},
          .test = {rows.begin() + sizes.train, rows.begin() + sizes.train + sizes.test}};
}

Rows reordered(const Rows& rows, std::uint64_t key) {
  Rows result;
  for (const std::uint32_t place : variance::permutation(key, static_cast<std::uint32_t>(rows.size())))
    result.push_back(rows[place]);
  return result;
}

Split published_split(const ImageSet& set) {
  if (!set.published.base.empty())
    return cut(variance::permutation(variance::derive(table_root, set.published.base), set.count), set.published);
  Rows rows(set.count);
  std::iota(rows.begin(), rows.end(), 0U);
  Split split = cut(rows, set.published);
  split.train = reordered(split.train, variance::derive(table_root, "subset-base"));
  return split;
}

Split oob_split(const ImageSet& set, std::uint64_t seed, double validation) {
  const auto valid = static_cast<std::uint32_t>(floor_of_share(validation, set.published.train));
  const variance::SplitSizes sizes{.train = set.published.train, .valid = valid, .test = set.published.test};
  variance::Split drawn = variance::stratified_oob(set.labels, sizes, seed);
  return {.train = reordered(drawn.train, variance::derive(seed, "subset")),
          .valid = std::move(drawn.valid),
          .test = std::move(drawn.test)};
}

/// Number of rows of each class in a balanced subset of `count` rows.
std::vector<std::uint32_t> balanced_counts(std::uint32_t count, int classes) {
  const auto k = static_cast<std::uint32_t>(classes);
  std::vector<std::uint32_t> counts(k, count / k);
  std::for_each_n(counts.begin(), count % k, [](std::uint32_t& each) { ++each; });
  return counts;
}

Rows take_balanced(const ImageSet& set, std::span<const std::uint32_t> train, std::uint32_t count) {
  const std::vector<std::uint32_t> wanted = balanced_counts(count, set.classes);
  std::vector<std::uint32_t> taken(wanted.size(), 0);
  Rows rows;
  for (const std::uint32_t row : train)
    if (taken[set.labels[row]] < wanted[set.labels[row]]) {
      ++taken[set.labels[row]];
      rows.push_back(row);
    }
  for (std::size_t c = 0; c < wanted.size(); ++c)
    if (taken[c] < wanted[c])
      throw InvalidInput("train_count", std::to_string(count),
                         "a balanced subset needs " + std::to_string(wanted[c]) + " rows of each class and class " +
                             std::to_string(c) + " has " + std::to_string(taken[c]) + " in the training split");
  return rows;
}

Rows without(const Rows& rows, const Rows& removed) {
  const std::unordered_set<std::uint32_t> gone(removed.begin(), removed.end());
  Rows kept;
  std::copy_if(rows.begin(), rows.end(), std::back_inserter(kept),
               [&](std::uint32_t row) { return !gone.contains(row); });
  return kept;
}

void require_rows(const Parts& parts, const PartsRequest& request) {
  if (parts.train.empty())
    throw InvalidInput("train_count", std::to_string(request.train_count), "at least one row must remain for training");
  if (request.validation > 0 && parts.valid.empty())
    throw InvalidInput("validation", std::to_string(request.validation),
                       "a share that gives at least one validation row, or 0");
}

}  // namespace

const std::vector<std::string>& rule_names() {
  static const std::vector<std::string> names{"published", "permuted", "oob"};
  return names;
}
const std::vector<std::string>& subset_names() {
  static const std::vector<std::string> names{"first", "balanced"};
  return names;
}
Rule rule_from(const std::string& name) {
  return static_cast<Rule>(place_of(rule_names(), name, "split"));
}
Subset subset_from(const std::string& name) {
  return static_cast<Subset>(place_of(subset_names(), name, "subset"));
}

Split make_split(const ImageSet& set, Rule rule, std::optional<std::uint64_t> seed, double validation) {
  if (rule == Rule::published) return published_split(set);
  if (!seed) throw InvalidInput("data-split", "no seed", "a drawn split needs the seed of the source data-split");
  if (rule == Rule::permuted)
    return cut(variance::permutation(variance::derive(*seed, "split"), set.count), set.published);
  return oob_split(set, *seed, validation);
}

std::vector<std::uint32_t> take(const ImageSet& set, std::span<const std::uint32_t> train, Subset how,
                                std::uint32_t count) {
  if (count > train.size())
    throw InvalidInput("train_count", std::to_string(count), "at most " + std::to_string(train.size()));
  const std::uint32_t wanted = count == 0 ? static_cast<std::uint32_t>(train.size()) : count;
  if (how == Subset::first || count == 0) return {train.begin(), train.begin() + wanted};
  return take_balanced(set, train, wanted);
}

Parts make_parts(const ImageSet& set, const PartsRequest& request) {
  Split split = make_split(set, request.rule, request.seed, request.validation);
  Parts parts{.train = take(set, split.train, request.subset, request.train_count),
              .valid = split.valid,
              .test = split.test,
              .whole = {}};
  if (request.rule != Rule::oob) {
    const auto kept =
        parts.train.end() - floor_of_share(request.validation, static_cast<std::int64_t>(parts.train.size()));
    parts.valid.assign(kept, parts.train.end());
    parts.train.erase(kept, parts.train.end());
  }
  parts.whole = without(split.train, parts.valid);
  require_rows(parts, request);
  return parts;
}

}  // namespace retrial::data::inline split
