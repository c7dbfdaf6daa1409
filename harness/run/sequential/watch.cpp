#include "harness/run/sequential/watch.hpp"

#include <algorithm>
#include <limits>
#include <map>

#include "harness/judge/design/design_sentences.hpp"
#include "harness/judge/design/scale.hpp"
#include "harness/plan/trial_name.hpp"
#include "results/record/score_bounds.hpp"
#include "results/text/error.hpp"

namespace retrial::harness::inline run::inline sequential {
namespace {

using results::Status;

std::optional<double> final_value(const std::vector<results::MetricValue>& values, const std::string& metric) {
  for (const auto& value : values)
    if (value.name == metric && value.step == -1) return value.value;
  return {};
}

variance::ScoreBound final_bound(const std::vector<results::MetricValue>& values, const std::string& metric) {
  return results::bound_from(final_value(values, results::bound_name(metric)));
}

/// As compare reads it: no value for a failed trial, NaN for a diverged one without a value.
std::optional<double> score_of(const results::PlanEntry& entry, Status status, std::optional<double> value,
                               const std::string& metric) {
  if (!results::has_outcome(status)) return {};
  if (value) return value;
  if (status == Status::diverged) return std::numeric_limits<double>::quiet_NaN();
  throw Error({.exit = Exit::incomparable,
               .code = "compare.no_value",
               .where = trial_name(entry),
               .field = "compare.metric",
               .value = metric,
               .problem = "the trial has no final value of this metric"});
}

constexpr std::size_t many_waiting = 16;

/// Early looks are reported one by one, later ones more rarely: a line should say something new.
std::int64_t stride(std::int64_t pair) {
  return pair <= 20 ? 1 : pair <= 100 ? 5 : pair <= 1000 ? 25 : 100;
}

}  // namespace

SequentialWatch::SequentialWatch(const results::Store& store, Comparison declared,
                                 const std::vector<PlannedTrial>& trials, bool retry_failed)
    : store_(store), comparison_(std::move(declared)), retry_failed_(retry_failed) {
  const auto pairs = static_cast<std::size_t>(comparison_.design.pairs);
  candidate_.resize(pairs);
  baseline_.resize(pairs);
  candidate_bounds_.resize(pairs);
  baseline_bounds_.resize(pairs);
  const auto& metric = comparison_.design.metric;
  const auto stored = store.final_values(metric);
  const std::map<std::int64_t, double> values(stored.begin(), stored.end());
  const TrialBounds bounds = stored_bounds(store, metric);
  for (const auto& trial : trials) {
    const auto& variant = trial.entry.variant;
    if (variant == comparison_.design.candidate || variant == comparison_.design.baseline)
      entries_.push_back(trial.entry);
    if (trial.state == TrialState::done) {
      const auto found = values.find(trial.row->id);
      const auto value = found == values.end() ? std::nullopt : std::optional(found->second);
      put(trial.entry, score_of(trial.entry, trial.row->status, value, metric), bound_of_trial(trial, bounds));
    } else if (trial.state == TrialState::failed && !retry_failed) {
      put(trial.entry, std::nullopt);
    }
  }
  look();
  if (decided() || !retry_failed) return;
  // A failed trial that is run again is open; a design that it already decided stays decided.
  const bool any =
      std::any_of(trials.begin(), trials.end(), [](const auto& t) { return t.state == TrialState::failed; });
  if (any && SequentialWatch(store, comparison_, trials, false).decided())
    followed_.part.state = variance::SequentialState::ended;
}

void SequentialWatch::put(const results::PlanEntry& entry, std::optional<double> score, variance::ScoreBound bound) {
  const auto pair = static_cast<std::size_t>(entry.pair_index);
  if (pair >= candidate_.size()) return;
  const auto set = [&](Side& side, std::vector<variance::ScoreBound>& bounds, const workloads::ScoreScale& scale) {
    side[pair] = score ? std::optional(workloads::judged_score(scale, *score)) : score;
    bounds[pair] = bound;
  };
  if (entry.variant == comparison_.design.candidate) set(candidate_, candidate_bounds_, comparison_.candidate_scale);
  if (entry.variant == comparison_.design.baseline) set(baseline_, baseline_bounds_, comparison_.baseline_scale);
}

void SequentialWatch::look() {
  auto& scores = comparison_.scores;
  const std::size_t before = scores.candidate.size();
  for (std::size_t i = before; i < candidate_.size() && candidate_[i] && baseline_[i]; ++i) {
    scores.candidate.push_back(*candidate_[i]);
    scores.baseline.push_back(*baseline_[i]);
    scores.candidate_bounds.push_back(candidate_bounds_[i]);
    scores.baseline_bounds.push_back(baseline_bounds_[i]);
  }
  if (scores.candidate.size() > before || before == 0)
    followed_ = variance::follow(scores, comparison_.design, variance::Steps::without_intervals);
}

bool SequentialWatch::known(const results::PlanEntry& entry) const {
  const auto& side = entry.variant == comparison_.design.candidate ? candidate_ : baseline_;
  return side[static_cast<std::size_t>(entry.pair_index)].has_value();
}

/// Another process on this store may have run the pairs that are open here, and does not report it. So the store is
/// read again when more and more trials are waiting after an open pair.
void SequentialWatch::catch_up() {
  const auto first = static_cast<std::int64_t>(comparison_.scores.candidate.size());
  const auto not_yet_paired = [&](const auto& entry) { return entry.pair_index >= first; };
  const auto begin = std::find_if(entries_.begin(), entries_.end(), not_yet_paired);
  const auto waiting =
      static_cast<std::size_t>(std::count_if(begin, entries_.end(), [&](const auto& entry) { return known(entry); }));
  if (waiting < held_back_ + many_waiting) {
    held_back_ = std::min(held_back_, waiting);
    return;
  }
  held_back_ = waiting;
  std::size_t left = waiting;
  for (auto entry = begin; entry != entries_.end() && left > 0; ++entry) {
    if (known(*entry))
      --left;
    else if (!store_.trials(entry->identity).empty())
      take_stored(*entry);
  }
}

void SequentialWatch::take_stored(const results::PlanEntry& entry) {
  const auto& metric = comparison_.design.metric;
  if (const auto row = store_.canonical(entry.identity, entry.replicate)) {
    const auto values = store_.metrics(row->id);
    put(entry, score_of(entry, row->status, final_value(values, metric), metric), final_bound(values, metric));
    return;
  }
  auto attempts = store_.trials(entry.identity);
  std::erase_if(attempts, [&](const auto& attempt) { return attempt.replicate != entry.replicate; });
  if (!attempts.empty() && !retry_failed_ && !ended_by_retrial(store_, newest(attempts))) put(entry, std::nullopt);
}

void SequentialWatch::ended(const results::PlanEntry& entry, const results::TrialRecord& record) {
  const auto& metric = comparison_.design.metric;
  put(entry, score_of(entry, record.status, final_value(record.metrics, metric), metric),
      final_bound(record.metrics, metric));
  if (decided()) return;
  look();
  if (decided()) return;
  catch_up();
  look();
}

void SequentialWatch::settled(const results::PlanEntry& entry) {
  take_stored(entry);
  if (entry.variant != comparison_.design.candidate && entry.variant != comparison_.design.baseline) return;
  if (!known(entry)) put(entry, std::nullopt);
  if (!decided()) look();
}

std::string SequentialWatch::line() const {
  return look_line(followed_.part, comparison_.design);
}

std::optional<std::string> SequentialWatch::news() {
  const std::int64_t now = followed_.part.at_n;
  const auto& looks = comparison_.design.looks;
  const bool at_look = looks.empty() || std::find(looks.begin(), looks.end(), now) != looks.end();
  if (now == reported_at_ || !(decided() || (at_look && now / stride(now) > reported_at_ / stride(now)))) return {};
  reported_at_ = now;
  return line();
}

}  // namespace retrial::harness::inline run::inline sequential
