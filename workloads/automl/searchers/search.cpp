#include "workloads/automl/searchers/search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "variance/random/rng.hpp"
#include "workloads/automl/streams/streams.hpp"

namespace retrial::automl::inline searchers {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

Outcome refused(const char* error) {
  return {.loss = infinity, .cost = 1, .error = error};
}

std::future<Outcome> at_once(Outcome outcome) {
  std::promise<Outcome> made;
  made.set_value(std::move(outcome));
  return made.get_future();
}

}  // namespace

/// A sampler of a learner within the search.
struct Search::Thread {
  std::size_t learner = 0;
  Space space;
  std::unique_ptr<Sampler> sampler;
  std::vector<std::int64_t> sizes;
  std::size_t size = 0;  ///< place in `sizes`
  Progress progress = {};
  Chosen best = {};
  std::int64_t parent = -1;
  std::vector<double> complexity = {};  ///< at each size, of the best model found there
  bool tried = false, succeeded = false, enlarging = false, improved = false;
};

std::vector<std::int64_t> ladder(const SampleSizes& sizes, std::int64_t full) {
  std::vector<std::int64_t> out;
  if (sizes.on && static_cast<double>(full) > sizes.factor * static_cast<double>(sizes.least))
    for (std::int64_t s = sizes.least; s < full; s = static_cast<std::int64_t>(static_cast<double>(s) * sizes.factor)) {
      out.push_back(s);
      if (static_cast<double>(s) * sizes.factor > static_cast<double>(full)) break;
    }
  if (out.empty() || out.back() != full) out.push_back(full);
  return out;
}

Search::Search(const Problem& problem, const SearchOptions& options, const MakeSampler& make, const Json& header)
    : problem_(problem),
      options_(options),
      names_(problem.learners()),
      portfolio_(options.portfolio),
      schedule_(options.workers, options.budget),
      ledger_(header),
      free_threads_(options.real_threads) {
  std::vector<MakeSampler> makers{make};
  makers.insert(makers.end(), options.other_samplers.begin(), options.other_samplers.end());
  for (std::size_t l = 0; l < names_.size(); ++l)
    for (const MakeSampler& maker : makers) {
      Space space(problem.space(l));
      auto sampler = maker(l, space);
      threads_.push_back({.learner = l,
                          .space = space,
                          .sampler = std::move(sampler),
                          .sizes = ladder(options.sizes, problem.full_fidelity()),
                          .best = space.cheapest()});
      Thread& thread = threads_.back();
      thread.complexity.resize(thread.sizes.size(), 0);
      thread.progress.full = problem.full_fidelity();
      resize(thread, 0);
    }
  const auto declared = [&](const Portfolio& member) {
    return problem.declared_cost(
        {.learner = member.learner, .configuration = member.configuration, .fidelity = problem.full_fidelity()});
  };
  std::ranges::stable_sort(portfolio_, {}, declared);
  const bool counted = options.budget.cost == 0;
  const double most =
      options.portfolio_share * static_cast<double>(counted ? options.budget.evaluations : options.budget.cost);
  double sum = 0;
  std::erase_if(portfolio_, [&](const Portfolio& member) {
    sum += counted ? 1 : static_cast<double>(declared(member));
    return sum > most;
  });
}

Search::~Search() = default;

bool Search::advance() {
  propose_all();
  if (under_.empty()) return false;
  // A cost that is known only afterwards decides who is next, so all under way are waited for.
  const bool known = std::ranges::all_of(
      under_, [&](const auto& entry) { return problem_.cost_is_declared(entry.second.record.evaluation.learner); });
  if (!known)
    for (auto& [id, under] : under_) {
      if (!under.outcome.valid()) continue;
      under.record.outcome = under.outcome.get();
      schedule_.set_cost(id, under.record.outcome.cost);
    }
  const Flight flight = schedule_.land();
  auto landed = under_.extract(flight.id);
  Under under = std::move(landed.mapped());
  if (under.outcome.valid()) under.record.outcome = under.outcome.get();
  under.record.start = flight.start;
  under.record.end = flight.end;
  learn(under, under.record);
  return true;
}

void Search::propose_all() {
  while (const auto worker = schedule_.free_worker()) {
    if (!schedule_.admits(1)) return;
    const std::int64_t id = schedule_.started();
    auto under = proposal(id);
    if (!under) return;
    launch(std::move(*under), *worker);
  }
}

std::optional<Search::Under> Search::proposal(std::int64_t id) {
  if (auto member = of_portfolio(id)) return member;
  std::vector<bool> waiting(threads_.size(), false);
  while (const auto thread = next_thread(waiting)) {
    if (auto under = of_thread(id, *thread)) return under;
    waiting[*thread] = true;
  }
  return std::nullopt;
}

std::optional<Search::Under> Search::of_portfolio(std::int64_t id) {
  if (portfolio_.empty()) return std::nullopt;
  const Portfolio member = portfolio_.front();
  portfolio_.erase(portfolio_.begin());
  Under under;
  under.by_sampler = false;
  under.thread = member.learner * (1 + options_.other_samplers.size());
  under.record.evaluation = {
      .id = id, .learner = member.learner, .configuration = member.configuration, .fidelity = problem_.full_fidelity()};
  under.record.origin = "portfolio:" + member.name;
  return under;
}

std::optional<Search::Under> Search::of_thread(std::int64_t id, std::size_t place) {
  Thread& thread = threads_[place];
  Under under;
  under.thread = place;
  under.record.evaluation = {.id = id, .learner = thread.learner, .fidelity = thread.sizes[thread.size]};
  if (thread.enlarging) return std::nullopt;
  if (enlarges(thread)) {
    const auto incumbent = thread.sampler->incumbent();
    if (!incumbent) return std::nullopt;
    thread.enlarging = true;
    under.enlarges = true;
    under.by_sampler = false;
    under.record.evaluation.configuration = *incumbent;
    under.record.evaluation.fidelity = thread.sizes[thread.size + 1];
    under.record.origin = "flow2:enlarge";
    under.record.parent = thread.parent;
    return under;
  }
  auto suggestion = thread.sampler->propose(id);
  if (!suggestion) return std::nullopt;
  thread.tried = true;
  Evaluation& evaluation = under.record.evaluation;
  evaluation.configuration = std::move(suggestion->configuration);
  if (suggestion->enlarges) {
    const auto before = static_cast<double>(thread.sizes[thread.size]);
    resize(thread, thread.size + 1);
    thread.progress.cost_of_best *= static_cast<double>(thread.sizes[thread.size]) / before;
  } else if (suggestion->origin == "flow2:restart" && options_.sizes.rule == SampleRule::v01) {
    const auto enough = std::ranges::find_if(
        thread.complexity, [least = problem_.complexity(evaluation)](double size) { return size >= least; });
    if (enough != thread.complexity.end()) resize(thread, static_cast<std::size_t>(enough - thread.complexity.begin()));
  }
  evaluation.fidelity = suggestion->fidelity > 0 ? suggestion->fidelity : thread.sizes[thread.size];
  if (suggestion->resumes) go_on(evaluation, suggestion->parent);
  under.record.origin = std::move(suggestion->origin);
  under.record.parent = suggestion->parent;
  return under;
}

bool Search::enlarges(const Thread& thread) const {
  if (thread.size + 1 >= thread.sizes.size() || !thread.succeeded) return false;
  const double own = cost_of_own_improvement(thread.progress);
  switch (options_.sizes.rule) {
    case SampleRule::paper:
      return own >= options_.sizes.factor * thread.progress.cost_of_best;
    case SampleRule::v01:
      return !thread.improved || 2 * thread.progress.cost_of_best < own;
    case SampleRule::v26:
      return false;
  }
  return false;
}

void Search::resize(Thread& thread, std::size_t size) {
  thread.size = size;
  thread.progress.size = thread.sizes[size];
  thread.sampler->at_size(thread.sizes[size], size + 1 < thread.sizes.size() ? thread.sizes[size + 1] : 0);
}

/// From what its parent has reached.
void Search::go_on(Evaluation& evaluation, std::int64_t parent) const {
  const auto found = std::ranges::find(records_, parent, [](const Record& record) { return record.evaluation.id; });
  evaluation.resumed_from = found->evaluation.fidelity;
  evaluation.fold_losses = found->outcome.fold_losses;
}

double Search::estimated(const Thread& thread) const {
  if (thread.succeeded) {
    double best_of_all = infinity;
    for (const Thread& other : threads_)
      if (other.succeeded) best_of_all = std::min(best_of_all, other.progress.best);
    return estimated_cost(thread.progress, best_of_all, options_.rule, options_.sizes.factor, options_.gap_factor);
  }
  if (thread.progress.cost > 0) return thread.progress.cost;  // it failed so far
  if (options_.budget.cost == 0 || records_.empty()) return 1;
  const Record& first = records_.front();
  const auto base = static_cast<double>(first.outcome.cost);
  if (!options_.other_samplers.empty()) return base;
  return base * problem_.starting_ratio(thread.learner) / problem_.starting_ratio(first.evaluation.learner);
}

/// While some sampler is untried, the one of least cost if it is untried; else a draw.
std::optional<std::size_t> Search::next_thread(const std::vector<bool>& waiting) {
  std::vector<std::size_t> open;
  for (std::size_t l = 0; l < threads_.size(); ++l) {
    const Evaluation best{
        .learner = threads_[l].learner, .configuration = threads_[l].best, .fidelity = threads_[l].progress.size};
    const bool affordable =
        options_.budget.cost == 0 || records_.empty() || problem_.declared_cost(best) <= schedule_.left();
    if (!waiting[l] && affordable) open.push_back(l);
  }
  if (open.empty()) return std::nullopt;
  std::vector<double> costs;
  for (const std::size_t l : open) costs.push_back(options_.by_cost ? estimated(threads_[l]) : 1);
  if (options_.by_cost) {
    if (records_.empty() && under_.empty()) return open.front();
    const auto least = static_cast<std::size_t>(std::ranges::min_element(costs) - costs.begin());
    if (!threads_[open[least]].tried) return open[least];
    for (std::size_t i = open.size(); i-- > 0;)
      if (!threads_[open[i]].tried) {
        open.erase(open.begin() + static_cast<std::ptrdiff_t>(i));
        costs.erase(costs.begin() + static_cast<std::ptrdiff_t>(i));
      }
  }
  const double drawn = variance::uniform(word(stream_key(options_.seed, "learner_draw", 0, 0, draws_++), 0));
  double sum = 0;
  const auto shares = shares_of(costs);
  for (std::size_t i = 0; i < open.size(); ++i)
    if ((sum += shares[i]) > drawn) return open[i];
  return open.back();
}

void Search::launch(Under under, std::int64_t worker) {
  Record& record = under.record;
  record.learner = names_[record.evaluation.learner];
  record.worker = worker;
  under.outcome = started(record);
  const bool trained = !record.origin.ends_with("|cache") && record.outcome.error.empty();
  const std::int64_t declared = trained ? problem_.declared_cost(record.evaluation) : 1;
  schedule_.start(record.evaluation.id, worker, declared);
  under_.emplace(record.evaluation.id, std::move(under));
}

std::string Search::cache_key(const Evaluation& evaluation) const {
  return names_[evaluation.learner] + " " + std::to_string(evaluation.fidelity) + " " +
         results::canonical(values_json(evaluation.configuration));
}

/// A result that is there already, or one that a thread computes.
std::future<Outcome> Search::started(Record& record) {
  const Evaluation& evaluation = record.evaluation;
  if (const auto hit = cache_.find(cache_key(evaluation)); options_.cache && hit != cache_.end()) {
    record.origin += "|cache";
    Outcome again = hit->second;
    again.cost = 1;
    again.error.clear();
    return at_once(std::move(again));
  }
  const std::int64_t declared = problem_.declared_cost(evaluation);
  const bool too_much =
      options_.budget.cost > 0 && evaluation.id > 0 && (declared > schedule_.left() || !schedule_.admits(declared));
  if (too_much) {
    record.outcome = refused("over_allowance");
    return at_once(record.outcome);
  }
  if (const auto known = stored_.find(evaluation.id); known != stored_.end()) return at_once(known->second);
  const auto train = [this, evaluation] {
    free_threads_.acquire();
    Outcome outcome;
    try {
      outcome = options_.evaluate ? options_.evaluate(problem_, evaluation) : problem_.evaluate(evaluation);
    } catch (const std::exception& failed) {
      outcome = {.loss = infinity,
                 .cost = problem_.declared_cost(evaluation),
                 .error = "learner_failed",
                 .detail = failed.what()};
    }
    free_threads_.release();
    if (std::isnan(outcome.loss)) {
      outcome.loss = infinity;
      if (outcome.error.empty()) outcome.error = "nan_loss";
    }
    return outcome;
  };
  return std::async(options_.real_threads > 1 ? std::launch::async : std::launch::deferred, train);
}

void Search::learn(const Under& under, const Record& record) {
  records_.push_back(record);
  ledger_.append(record);
  const Outcome& outcome = record.outcome;
  if (outcome.error.empty() && !record.origin.ends_with("|cache"))
    cache_.emplace(cache_key(record.evaluation), outcome);
  const auto better = [&](const Record& a, const Record& b) {
    return a.outcome.loss < b.outcome.loss || (a.outcome.loss == b.outcome.loss && a.evaluation.id < b.evaluation.id);
  };
  if (std::isfinite(outcome.loss) && (!best_ || better(record, records_[*best_]))) best_ = records_.size() - 1;
  Thread& thread = threads_[under.thread];
  count(thread, record, under.enlarges);
  const std::int64_t id = record.evaluation.id;
  if (under.enlarges) {
    thread.enlarging = false;
    thread.sampler->take_over(id, record.evaluation.configuration, outcome.loss);
    resize(thread, thread.size + 1);
  } else if (under.by_sampler) {
    if (!outcome.fold_losses.empty()) thread.sampler->observe_folds(id, outcome.fold_losses);
    thread.sampler->observe(id, outcome.loss, charged(record));
  } else if (options_.start_from_best && std::isfinite(outcome.loss) &&
             thread.best == record.evaluation.configuration) {
    thread.tried = true;
    thread.sampler->take_over(id, record.evaluation.configuration, outcome.loss);
    resize(thread, thread.sizes.size() - 1);
  }
}

double Search::charged(const Record& record) const {
  return options_.budget.cost == 0 ? 1 : static_cast<double>(record.outcome.cost);
}

/// The account of a learner. At another size its losses move together, so that its last improvement stays what it was.
void Search::count(Thread& thread, const Record& record, bool enlarges) {
  Progress& progress = thread.progress;
  const double loss = record.outcome.loss, cost = charged(record);
  progress.cost += cost;
  progress.latest = loss;
  thread.improved = false;
  if (!std::isfinite(loss) || (thread.succeeded && !enlarges && !(loss < progress.best))) return;
  thread.improved = true;
  thread.complexity[thread.size + (enlarges ? 1 : 0)] = problem_.complexity(record.evaluation);
  if (enlarges) {
    progress.before = loss + (progress.before - progress.best);
    progress.best = loss;
    progress.cost_of_best = cost;
    return;
  }
  if (thread.succeeded) {
    progress.before = progress.best;
    progress.cost_at_before = progress.cost_at_best;
  } else {
    progress.before = loss + std::max(std::fabs(loss), 1e-12);
    thread.succeeded = true;
  }
  progress.best = loss;
  progress.cost_at_best = progress.cost;
  progress.cost_of_best = cost;
  thread.best = record.evaluation.configuration;
  thread.parent = record.evaluation.id;
}

const Record* Search::best() const {
  return best_ ? &records_[*best_] : nullptr;
}

}  // namespace retrial::automl::inline searchers
