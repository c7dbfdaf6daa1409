#include "harness/scores/selection/slice.hpp"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "harness/text/output.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "variance/samples/summary.hpp"

namespace retrial::harness::inline scores::inline selection {
namespace {

/// A run, or a whole cluster of runs.
struct Observed {
  /// Number of the pair, or place of the cluster's name among those of the slice; below 0: independent.
  std::int64_t id = -1;
  std::optional<double> score;
};
using Side = std::vector<Observed>;
using Rows = std::vector<const ScoreRow*>;

/// What the numbers of observations stand for. Without names they are numbers of pairs.
struct Ids {
  std::vector<std::string> names = {};

  [[nodiscard]] std::string text(std::int64_t id) const {
    return id < 0 ? "" : names.empty() ? std::to_string(id) : names[static_cast<std::size_t>(id)];
  }
  /// By number, and names that are none by their letters.
  [[nodiscard]] bool before(const Observed& a, const Observed& b) const {
    if (names.empty()) return a.id < b.id;
    const auto first = results::parse_int(text(a.id)), second = results::parse_int(text(b.id));
    return first && second ? *first < *second : text(a.id) < text(b.id);
  }
};

[[noreturn]] void refuse_slice(const ScoreTable& table, const std::string& field, const std::string& value,
                               const std::string& problem, const std::string& help) {
  throw Error(
      {.code = "scores.pairs", .where = table.name, .field = field, .value = value, .problem = problem, .help = help});
}

/// True when some cluster has several of the scores: then the clusters are the observations.
bool clustered(const Rows& rows) {
  std::unordered_set<const std::string*> seen;
  return std::ranges::any_of(
      rows, [&](const ScoreRow* row) { return !row->cluster.empty() && !seen.insert(&row->cluster.text()).second; });
}

/// `places`: of the names in `ids`, which grow by those of this side.
Side by_cluster(const Rows& rows, Within within, std::unordered_map<const std::string*, std::int64_t>& places,
                Ids& ids) {
  std::vector<std::pair<std::int64_t, std::vector<double>>> clusters;
  std::unordered_map<std::int64_t, std::size_t> found;
  for (const ScoreRow* row : rows) {
    std::int64_t id = -1;  // a row without a cluster is its own cluster
    if (!row->cluster.empty()) {
      const auto [place, fresh] = places.try_emplace(&row->cluster.text(), std::ssize(ids.names));
      if (fresh) ids.names.push_back(row->cluster);
      id = place->second;
    }
    const auto [at, fresh] = found.try_emplace(id, clusters.size());
    const std::size_t cluster = fresh || id < 0 ? clusters.size() : at->second;
    if (cluster == clusters.size()) clusters.push_back({id, {}});
    if (row->score) clusters[cluster].second.push_back(*row->score);
  }
  Side side;
  for (auto& [id, scores] : clusters) {
    std::sort(scores.begin(), scores.end());  // so that the order of the rows does not change the mean by one bit
    side.push_back({id, within == Within::mean ? variance::mean(scores) : variance::median(scores)});
  }
  return side;
}

Side by_run(const Rows& rows) {
  Side side;
  side.reserve(rows.size());
  for (const ScoreRow* row : rows) side.push_back({row->pair.value_or(-1), row->score});
  return side;
}

bool named(const Side& side) {
  return std::ranges::none_of(side, [](const Observed& one) { return one.id < 0; });
}

bool share_a_name(const std::vector<Side>& sides) {
  std::unordered_set<std::int64_t> first;
  for (const Observed& one : sides.front()) first.insert(one.id);
  return std::any_of(sides.begin() + 1, sides.end(), [&](const Side& other) {
    return std::ranges::any_of(other, [&](const Observed& one) { return first.contains(one.id); });
  });
}

/// Puts all sides into the order of the first variant; each variant must have every id.
void align(const ScoreTable& table, const Slice& slice, const Ids& ids, std::vector<Side>& sides) {
  const Side& first = sides.front();
  for (std::size_t v = 0; v < sides.size(); ++v) {
    Side sorted = sides[v], aligned;
    std::ranges::stable_sort(sorted, {}, &Observed::id);
    aligned.reserve(first.size());
    for (const Observed& one : first) {
      const auto found = std::ranges::lower_bound(sorted, one.id, {}, &Observed::id);
      if (found == sorted.end() || found->id != one.id)
        refuse_slice(table, "pair", ids.text(one.id),
                     "variant " + results::one_line(slice.names[v], 100) + " has no line" +
                         (slice.task.empty() ? "" : " for task " + results::one_line(slice.task, 100)),
                     "give a failed run a line with an empty score; leave pair empty for runs that share no seeds");
      aligned.push_back(*found);
    }
    if (aligned.size() != sides[v].size())
      refuse_slice(table, "pair", "",
                   "variant " + results::one_line(slice.names[v], 100) + " has more pairs than " +
                       results::one_line(slice.names.front(), 100),
                   "give a failed run a line with an empty score; leave pair empty for runs that share no seeds");
    if (v > 0) sides[v] = std::move(aligned);
  }
}

}  // namespace

std::int64_t Slice::missing(std::size_t name) const {
  return std::ranges::count_if(scores[name], [](const auto& score) { return !score; });
}

void Slice::require_equal(std::size_t candidate, std::size_t baseline, const std::string& who) const {
  if (scores[candidate].size() == scores[baseline].size()) return;
  throw Error({.code = "compare.unequal",
               .where = where,
               .field = names[candidate],
               .value = std::to_string(scores[candidate].size()) + " scores",
               .problem = who + " needs " + std::to_string(scores[baseline].size()) + ", as many as " +
                          names[baseline] + " has",
               .help = by_line ? "empty fields at the end of a column end it; write NA where a run has no score" : ""});
}

void Slice::require_all_equal() const {
  for (std::size_t v = 1; v < names.size() && paired; ++v) require_equal(v, 0, "every method");
}

namespace {

/// The rows of one task by variant, in the order of the variants of the table.
using TaskRows = std::vector<std::pair<std::string, Rows>>;

Slice slice_from(const ScoreTable& table, const std::string& task, TaskRows rows, Within within) {
  Slice slice{.where = table.name, .task = task, .by_line = table.by_line, .unpaired = table.unpaired};
  for (const auto& [variant, _] : rows) slice.names.push_back(variant);
  if (rows.empty()) return slice;  // a task of another metric
  const bool collapse = std::ranges::any_of(rows, [](const auto& one) { return clustered(one.second); });
  Ids ids;
  std::unordered_map<const std::string*, std::int64_t> places;
  std::vector<Side> sides;
  std::size_t scores = 0, clusters = 0;
  for (auto& [variant, of_variant] : rows) {
    sides.push_back(collapse ? by_cluster(of_variant, within, places, ids) : by_run(of_variant));
    scores += of_variant.size();
    clusters += sides.back().size();
    Rows().swap(of_variant);
  }
  if (collapse)
    slice.notes.push_back(counted(static_cast<std::int64_t>(scores), "score") + " of " +
                          counted(static_cast<std::int64_t>(clusters), "cluster") +
                          ": each cluster counts once, as its " + (within == Within::mean ? "mean" : "median"));
  const auto with_names = std::ranges::count_if(sides, named);
  if (!collapse && with_names > 0 && with_names < std::ssize(sides))
    refuse_slice(table, "pair", "", "some variants have pair numbers and some do not",
                 "give pair numbers to the runs of all variants or of none");
  slice.paired = with_names == std::ssize(sides) && (!collapse || (sides.size() > 1 && share_a_name(sides)));
  if (slice.paired) {
    // Pairs are in the order of their numbers, whatever the order of the lines.
    std::ranges::stable_sort(sides.front(), [&](const Observed& a, const Observed& b) { return ids.before(a, b); });
    if (!slice.by_line) align(table, slice, ids, sides);
  }
  for (Side& side : sides) {
    slice.scores.emplace_back();
    slice.scores.back().reserve(side.size());
    for (const Observed& one : side) slice.scores.back().push_back(one.score);
    Side().swap(side);
  }
  return slice;
}

/// The rows of a metric by task and variant. One pass: a table may have many of both.
std::vector<std::pair<std::string, TaskRows>> rows_by_task(const ScoreTable& table, const std::string& metric,
                                                           const std::vector<std::string>& tasks) {
  std::unordered_map<std::string_view, std::size_t> task_places;
  std::vector<std::pair<std::string, TaskRows>> out;
  for (const std::string& task : tasks) {
    out.push_back({task, {}});
    task_places.emplace(task, task_places.size());
  }
  const auto variants = table.variants();
  std::unordered_map<std::string_view, std::size_t> variant_places;
  for (const std::string& variant : variants) variant_places.emplace(variant, variant_places.size());
  std::unordered_map<std::uint64_t, Rows> found;  // by task and variant
  for (const ScoreRow& row : table.rows) {
    if (row.metric != metric) continue;
    const auto task = task_places.find(row.task.text());
    if (task != task_places.end())
      found[task->second * variants.size() + variant_places.at(row.variant.text())].push_back(&row);
  }
  std::vector<std::uint64_t> keys;
  for (const auto& [one, rows] : found) keys.push_back(one);
  std::ranges::sort(keys);
  for (const std::uint64_t one : keys)
    out[one / variants.size()].second.emplace_back(variants[one % variants.size()], std::move(found.at(one)));
  return out;
}

}  // namespace

Slice slice_of(const ScoreTable& table, const std::string& metric, const std::string& task, Within within) {
  auto rows = rows_by_task(table, metric, {task});
  return slice_from(table, task, std::move(rows.front().second), within);
}

std::vector<Slice> task_slices(const ScoreTable& table, const std::string& metric, Within within) {
  std::vector<Slice> slices;
  for (auto& [task, rows] : rows_by_task(table, metric, table.tasks()))
    if (!rows.empty()) slices.push_back(slice_from(table, task, std::move(rows), within));
  return slices;
}

std::vector<Slice> slices_of(const ScoreTable& table, const std::string& metric, Within within) {
  auto slices = task_slices(table, metric, within);
  const bool one_each = slices.size() > 1 && std::ranges::all_of(slices, [&](const Slice& slice) {
                          return slice.names == slices.front().names &&
                                 std::ranges::all_of(slice.scores, [](const auto& s) { return s.size() == 1; });
                        });
  if (!one_each) return slices;
  Slice joined{.where = table.name,
               .paired = true,
               .names = slices.front().names,
               .notes = {"the pairs are the tasks, with one score per variant"}};
  for (std::size_t v = 0; v < joined.names.size(); ++v) {
    joined.scores.emplace_back();
    for (const Slice& slice : slices) joined.scores.back().push_back(slice.scores[v].front());
  }
  return {joined};
}

}  // namespace retrial::harness::inline scores::inline selection
