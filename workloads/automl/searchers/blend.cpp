#include "workloads/automl/searchers/blend.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

namespace retrial::automl::inline searchers {
namespace {

constexpr double no_loss = std::numeric_limits<double>::infinity();
constexpr double outside = 0.1;        // around the explored box, where global proposals are taken
constexpr double budget_share = 1000;  // least cost of a speed: a thousandth of the budget
constexpr std::size_t global_thread = 0;

}  // namespace

std::vector<double> blend_priorities(std::span<const BlendProgress> threads, double target, double left,
                                     double least_cost) {
  std::vector<double> speeds;
  for (const BlendProgress& t : threads)
    speeds.push_back(t.before > t.best
                         ? (t.before - t.best) / static_cast<double>(std::max<std::int64_t>(1, t.running)) /
                               std::max(t.cost - t.cost_at_before, least_cost)
                         : 0);
  const double largest = std::ranges::max(speeds);
  double least = left;
  for (std::size_t i = 0; i < threads.size(); ++i) {
    const BlendProgress& t = threads[i];
    if (speeds[i] == 0) speeds[i] = largest;
    double cost = std::max(t.cost - t.cost_at_best, t.cost_at_best - t.cost_at_before);
    if (t.best > target && speeds[i] > 0) cost = std::max(cost, 2 * (t.best - target) / speeds[i]);
    least = std::min(least, cost);
  }
  std::vector<double> out;
  for (std::size_t i = 0; i < threads.size(); ++i) out.push_back(least * speeds[i] - threads[i].best);
  return out;
}

namespace {

class Blend final : public Sampler {
 public:
  Blend(const Space& space, const Draws& draws, const Flow2Options& walk, const TpeOptions& global, double budget,
        const Chosen& start)
      : space_(space), draws_(draws), walk_(walk), budget_(budget), start_(start) {
    walk_.restart = RestartRule::none;
    walk_.dead_region = 0;
    threads_.push_back({.sampler = tpe_sampler(space, draws, global), .progress = {.best = no_loss, .running = 0}});
    box_.add(space.normalised(start));
  }

  std::optional<Suggestion> propose(std::int64_t id) override {
    if (!started_) return start_of_search(id);
    if (space_.dimensions() == 0) return std::nullopt;
    for (const std::size_t place : in_order())
      if (auto made = threads_[place].number == global_thread ? of_global(id) : of_walk(id, place)) return made;
    return std::nullopt;
  }

  void observe(std::int64_t id, double loss, double cost) override {
    const Try made = std::move(tries_.extract(id).mapped());
    spent_ += cost;
    target_ = std::min(target_, loss);
    threads_[0].sampler->learn(id, made.configuration, loss);
    const auto owner = std::ranges::find(threads_, made.thread, &Thread::number);
    if (owner == threads_.end()) return;  // merged away
    count(owner->progress, loss, cost);
    if (made.thread == global_thread)
      begin_walk(id, made.configuration, loss, cost);
    else
      owner->sampler->observe(id, loss, cost);
    tidy();
  }

 private:
  struct Thread {
    std::size_t number = 0;
    std::unique_ptr<Sampler> sampler;
    BlendProgress progress;
  };
  struct Try {
    Chosen configuration;
    std::size_t thread = 0;
  };

  std::optional<Suggestion> start_of_search(std::int64_t id) {
    started_ = true;
    return kept(id, 0, {.configuration = start_, .origin = "init"});
  }

  Suggestion kept(std::int64_t id, std::size_t place, Suggestion made) {
    box_.add(space_.normalised(made.configuration));
    ++threads_[place].progress.running;
    tries_[id] = {made.configuration, threads_[place].number};
    return made;
  }

  /// By priority; of equal ones the first.
  [[nodiscard]] std::vector<std::size_t> in_order() const {
    std::vector<BlendProgress> all;
    for (const Thread& thread : threads_) all.push_back(thread.progress);
    const auto priorities =
        blend_priorities(all, target_, std::max(budget_ - spent_, 0.0), std::max(1.0, budget_ / budget_share));
    std::vector<std::size_t> places(threads_.size());
    std::iota(places.begin(), places.end(), 0);
    std::ranges::stable_sort(places, std::greater{}, [&](std::size_t i) { return priorities[i]; });
    return places;
  }

  std::optional<Suggestion> of_walk(std::int64_t id, std::size_t place) {
    auto made = threads_[place].sampler->propose(id);
    if (made) return kept(id, place, std::move(*made));
    return std::nullopt;
  }

  /// Far from everything that was seen, the best walk goes on in its place.
  std::optional<Suggestion> of_global(std::int64_t id) {
    auto made = threads_[0].sampler->propose(id);
    if (made && !box_.contains(space_.normalised(made->configuration), outside)) {
      const auto best = std::ranges::min_element(threads_.begin() + 1, threads_.end(), {},
                                                 [](const Thread& thread) { return thread.progress.best; });
      if (best != threads_.end())
        if (auto instead = of_walk(id, static_cast<std::size_t>(best - threads_.begin()))) return instead;
      made->configuration = start_;
    }
    if (!made) return std::nullopt;
    made->origin = "blend:global";
    return kept(id, 0, std::move(*made));
  }

  static void count(BlendProgress& progress, double loss, double cost) {
    --progress.running;
    progress.cost += cost;
    if (!(loss < progress.best)) return;
    progress.before = std::isfinite(progress.best) ? progress.best : loss;
    progress.best = loss;
    progress.cost_at_before = progress.cost_at_best;
    progress.cost_at_best = progress.cost;
  }

  /// From a find of the global sampler that beats the median of the walks.
  void begin_walk(std::int64_t id, const Chosen& configuration, double loss, double cost) {
    std::vector<double> bests;
    for (std::size_t i = 1; i < threads_.size(); ++i) bests.push_back(threads_[i].progress.best);
    std::ranges::sort(bests);
    const std::size_t half = bests.size() / 2;
    if (!bests.empty() && !(loss < (bests.size() % 2 == 1 ? bests[half] : (bests[half - 1] + bests[half]) / 2))) return;
    Flow2Options options = walk_;
    options.directions = [drawn = drawn_directions(draws_, space_.dimensions()), number = walks_](
                             std::uint64_t restart, std::uint64_t i) { return drawn(number + restart, i); };
    ++walks_;
    Thread made{.number = walks_,
                .sampler = flow2_sampler(space_, draws_, options, configuration),
                .progress = {.cost = cost, .cost_at_best = cost, .best = loss, .before = loss, .running = 0}};
    made.sampler->take_over(id, configuration, loss);
    threads_.push_back(std::move(made));
  }

  /// Walks that have ended widen the box; those within a step of a walk that is as good are its own.
  void tidy() {
    for (std::size_t i = threads_.size(); i-- > 1;) {
      const bool ended = threads_[i].sampler->finished();
      if (ended) box_.widen(outside);
      if (ended || is_covered(i)) threads_.erase(threads_.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }

  [[nodiscard]] bool is_covered(std::size_t place) const {
    const auto here = threads_[place].sampler->incumbent();
    for (std::size_t other = 1; here && other < threads_.size(); ++other) {
      const auto there = threads_[other].sampler->incumbent();
      if (other == place || !there) continue;
      const double mine = threads_[place].progress.best, its = threads_[other].progress.best;
      if (!(its < mine || (its == mine && other < place))) continue;
      if (within(*here, *there, threads_[other].sampler->step())) return true;
    }
    return false;
  }

  [[nodiscard]] bool within(const Chosen& a, const Chosen& b, double step) const {
    const Coordinates here = space_.normalised(a), there = space_.normalised(b);
    double squares = 0;
    for (std::size_t i = 0; i < here.size(); ++i) {
      if (space_.tuned(i).kind == Hyperparameter::Kind::choice && here[i] != there[i]) return false;
      squares += (here[i] - there[i]) * (here[i] - there[i]);
    }
    return std::sqrt(squares) <= step;
  }

  Space space_;
  Draws draws_;
  Flow2Options walk_;
  double budget_, spent_ = 0, target_ = no_loss;
  Chosen start_;
  bool started_ = false;
  std::size_t walks_ = 0;
  std::vector<Thread> threads_;  ///< the global one first
  ExploredBox box_;
  std::map<std::int64_t, Try> tries_;
};

}  // namespace

std::unique_ptr<Sampler> blend_sampler(const Space& space, const Draws& draws, const Flow2Options& walk,
                                       const TpeOptions& global, double budget, const Chosen& start) {
  return std::make_unique<Blend>(space, draws, walk, global, budget, start);
}

}  // namespace retrial::automl::inline searchers
