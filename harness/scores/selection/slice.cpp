#include "harness/scores/selection/slice.hpp"

#include <algorithm>
#include <map>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "harness/text/output.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "variance/samples/summary.hpp"

namespace retrial::harness::inline scores::inline selection {
namespace {

/// A run, or a whole cluster of runs.
struct Observed {
  std::string id;  ///< id of the pair or the cluster; empty: independent
  std::optional<double> score;
};
using Side = std::vector<Observed>;

[[noreturn]] void refuse_slice(const ScoreTable& table, const std::string& field, const std::string& value,
                               const std::string& problem, const std::string& help) {
  throw Error(
      {.code = "scores.pairs", .where = table.name, .field = field, .value = value, .problem = problem, .help = help});
}

std::vector<const ScoreRow*> matching_rows(const ScoreTable& table, const std::string& metric, const std::string& task,
                                           const std::string& variant) {
  std::vector<const ScoreRow*> rows;
  for (const ScoreRow& row : table.rows)
    if (row.variant == variant && row.metric == metric && row.task == task) rows.push_back(&row);
  return rows;
}

/// True when some cluster has several of the scores: then the clusters are the observations.
bool clustered(const std::vector<const ScoreRow*>& rows) {
  std::map<std::string, int> scores;
  return std::ranges::any_of(rows,
                             [&](const ScoreRow* row) { return !row->cluster.empty() && ++scores[row->cluster] > 1; });
}

Side by_cluster(const std::vector<const ScoreRow*>& rows, Within within) {
  std::vector<std::pair<std::string, std::vector<double>>> clusters;
  for (const ScoreRow* row : rows) {
    auto found = std::ranges::find(clusters, row->cluster, &std::pair<std::string, std::vector<double>>::first);
    // A row without a cluster is its own cluster.
    if (found == clusters.end() || row->cluster.empty()) found = clusters.insert(clusters.end(), {row->cluster, {}});
    if (row->score) found->second.push_back(*row->score);
  }
  Side side;
  for (auto& [name, scores] : clusters) {
    std::sort(scores.begin(), scores.end());  // so that the order of the rows does not change the mean by one bit
    side.push_back({name, within == Within::mean ? variance::mean(scores) : variance::median(scores)});
  }
  return side;
}

Side by_run(const std::vector<const ScoreRow*>& rows) {
  Side side;
  for (const ScoreRow* row : rows) side.push_back({row->pair ? std::to_string(*row->pair) : "", row->score});
  return side;
}

bool named(const Side& side) {
  return std::ranges::none_of(side, [](const Observed& one) { return one.id.empty(); });
}

bool share_a_name(const std::vector<Side>& sides) {
  std::unordered_set<std::string_view> first;
  for (const Observed& one : sides.front()) first.insert(one.id);
  return std::any_of(sides.begin() + 1, sides.end(), [&](const Side& other) {
    return std::ranges::any_of(other, [&](const Observed& one) { return first.contains(one.id); });
  });
}

/// Puts all sides into the order of the first variant; each variant must have every id.
void align(const ScoreTable& table, const Slice& slice, std::vector<Side>& sides) {
  const Side& first = sides.front();
  for (std::size_t v = 0; v < sides.size(); ++v) {
    Side aligned;
    std::unordered_map<std::string_view, const Observed*> by_id;
    for (const Observed& one : sides[v]) by_id.try_emplace(one.id, &one);
    for (const Observed& one : first) {
      const auto found = by_id.find(one.id);
      if (found == by_id.end())
        refuse_slice(table, "pair", one.id,
                     "variant " + results::one_line(slice.names[v], 100) + " has no line" +
                         (slice.task.empty() ? "" : " for task " + results::one_line(slice.task, 100)),
                     "give a failed run a line with an empty score; leave pair empty for runs that share no seeds");
      aligned.push_back(*found->second);
    }
    if (aligned.size() != sides[v].size())
      refuse_slice(table, "pair", "",
                   "variant " + results::one_line(slice.names[v], 100) + " has more pairs than " +
                       results::one_line(slice.names.front(), 100),
                   "give a failed run a line with an empty score; leave pair empty for runs that share no seeds");
    if (v > 0) sides[v] = std::move(aligned);
  }
}

bool by_number(const Observed& a, const Observed& b) {
  const auto first = results::parse_int(a.id), second = results::parse_int(b.id);
  return first && second ? *first < *second : a.id < b.id;
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

Slice slice_of(const ScoreTable& table, const std::string& metric, const std::string& task, Within within) {
  Slice slice{.where = table.name, .task = task, .by_line = table.by_line, .unpaired = table.unpaired};
  std::vector<std::vector<const ScoreRow*>> rows;
  for (const std::string& variant : table.variants()) {
    auto found = matching_rows(table, metric, task, variant);
    if (found.empty()) continue;
    slice.names.push_back(variant);
    rows.push_back(std::move(found));
  }
  if (rows.empty()) return slice;  // a task of another metric
  const bool collapse = std::ranges::any_of(rows, clustered);
  std::vector<Side> sides;
  std::size_t scores = 0, clusters = 0;
  for (const auto& of_variant : rows) {
    sides.push_back(collapse ? by_cluster(of_variant, within) : by_run(of_variant));
    scores += of_variant.size();
    clusters += sides.back().size();
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
    std::ranges::stable_sort(sides.front(), by_number);
    if (!slice.by_line) align(table, slice, sides);
  }
  for (const Side& side : sides) {
    slice.scores.emplace_back();
    for (const Observed& one : side) slice.scores.back().push_back(one.score);
  }
  return slice;
}

std::vector<Slice> task_slices(const ScoreTable& table, const std::string& metric, Within within) {
  std::vector<Slice> slices;
  for (const std::string& task : table.tasks()) {
    Slice slice = slice_of(table, metric, task, within);
    if (!slice.names.empty()) slices.push_back(std::move(slice));
  }
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
