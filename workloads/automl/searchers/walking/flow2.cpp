#include "workloads/automl/searchers/walking/flow2.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>

#include "variance/random/rng.hpp"
#include "workloads/automl/streams/streams.hpp"

namespace retrial::automl::inline searchers::inline walking {
namespace {

constexpr double first_step = 0.1;  // times the square root of the dimensions
constexpr std::int64_t max_wait = 512;

class Flow2 final : public Sampler {
 public:
  Flow2(const Space& space, const Draws& draws, const Flow2Options& options, const Chosen& start)
      : space_(space),
        draws_(draws),
        options_(options),
        directions_(options.directions ? options.directions : drawn_directions(draws, space.dimensions())),
        restarts_(space, draws, options.restart, start),
        best_(start) {
    begin(start, 0);
  }

  std::optional<Suggestion> propose(std::int64_t id) override {
    if (finished_) return std::nullopt;
    if (!start_under_way_ && !placed_) return start_of_walk(id);
    if (!placed_ || dimensions() == 0) return std::nullopt;
    if (std::ssize(tries_) >= std::max<std::int64_t>(2, 2 * dimensions())) return std::nullopt;
    return step_of_walk(id);
  }

  void observe(std::int64_t id, double loss, double) override {
    const auto found = tries_.find(id);
    if (found == tries_.end()) return;  // of a walk that has ended
    const Try made = found->second;
    tries_.erase(found);
    if (made.starts) return place(id, made.configuration, loss);
    ++tried_;
    if (loss < loss_) return accept(id, made.configuration, loss);
    if (made.version == version_ && made.plus)
      opposites_.push_back(made.direction);
    else
      end_iteration(made.version == version_);
    if (options_.dead_region > 0 && !improved_ && tried_ >= options_.dead_region * dimensions() && may_restart_)
      restart_at(space_.chosen_at(halton_point(++dead_regions_, space_.dimensions())));
  }

  void at_size(std::int64_t, std::int64_t next) override { may_restart_ = next == 0; }

  [[nodiscard]] double step() const override { return step_; }
  [[nodiscard]] bool finished() const override { return finished_; }

  void take_over(std::int64_t id, const Chosen& configuration, double loss) override {
    tries_.clear();
    opposites_.clear();
    ++version_;
    place(id, configuration, loss);
  }

  [[nodiscard]] std::optional<Chosen> incumbent() const override {
    if (!placed_) return std::nullopt;
    return best_;
  }

 private:
  struct Try {
    Chosen configuration;
    Coordinates direction;
    bool plus = true, starts = false;
    std::int64_t version = 0;  ///< of the incumbent that it came from
  };

  [[nodiscard]] std::int64_t dimensions() const { return static_cast<std::int64_t>(space_.dimensions()); }
  [[nodiscard]] double max_step() const { return searchers::max_step(space_.dimensions()); }
  [[nodiscard]] double min_step() const { return options_.min_step > 0 ? options_.min_step : space_.min_step(best_); }
  [[nodiscard]] double initial_step() const { return searchers::initial_step(space_.dimensions(), min_step()); }
  [[nodiscard]] std::int64_t patience() const {
    if (options_.rule == Flow2Rule::adaptive) return options_.shrink_after;
    const std::int64_t wait = dimensions() > 10 ? max_wait : std::int64_t{1} << (dimensions() - 1);
    return std::min({wait, max_wait, options_.wait_cap > 0 ? options_.wait_cap : max_wait});
  }

  void begin(const Chosen& start, std::uint64_t restart) {
    start_ = start;
    best_ = start;
    placed_ = false, start_under_way_ = false, improved_ = false;
    tries_.clear();
    opposites_.clear();
    ++version_;
    iteration_ = 0, iterations_ = 1, at_best_ = 1, misses_ = 0, tried_ = 0;
    restart_ = restart;
    step_ = std::min(initial_step() + restarts_.longer(restart), max_step());
  }

  std::optional<Suggestion> start_of_walk(std::int64_t id) {
    start_under_way_ = true;
    tries_[id] = {.configuration = start_, .direction = {}, .starts = true};
    return Suggestion{.configuration = start_, .origin = restart_ == 0 ? "init" : "flow2:restart", .parent = parent_};
  }

  std::optional<Suggestion> step_of_walk(std::int64_t id) {
    Try made{.configuration = {}, .direction = {}, .version = version_};
    if (!opposites_.empty()) {
      made.direction = opposites_.front();
      opposites_.pop_front();
      made.plus = false;
    } else {
      made.direction = directions_(restart_, iteration_++);
    }
    const Coordinates point = moved(at_, made.direction, made.plus ? step_ : -step_);
    restarts_.seen(point);
    made.configuration = space_.chosen_at(
        point, best_, stream_key(draws_.seed, "completion", draws_.learner, 0, static_cast<std::uint64_t>(id)));
    Suggestion out{made.configuration, made.plus ? "flow2:+" : "flow2:-", parent_};
    tries_[id] = std::move(made);
    return out;
  }

  /// A start is taken whatever it scores.
  void place(std::int64_t id, const Chosen& configuration, double loss) {
    placed_ = true;
    set_incumbent(id, configuration, loss);
    if (step_ < min_step()) step_ = initial_step();
  }

  void set_incumbent(std::int64_t id, const Chosen& configuration, double loss) {
    best_ = configuration;
    at_ = space_.normalised(configuration);
    loss_ = loss;
    parent_ = id;
    ++version_;
    opposites_.clear();
  }

  void accept(std::int64_t id, const Chosen& configuration, double loss) {
    set_incumbent(id, configuration, loss);
    improved_ = true;
    misses_ = 0;
    at_best_ = iterations_;
    if (options_.rule == Flow2Rule::adaptive) step_ = std::min(step_ * options_.growth, max_step());
    ++iterations_;
  }

  void end_iteration(bool missed) {
    if (missed && ++misses_ == patience()) {
      misses_ = 0;
      if (may_restart_) shrink();
      if (step_ < min_step() && may_restart_) return restart_around();
    }
    ++iterations_;
  }

  void shrink() {
    step_ *= options_.rule == Flow2Rule::adaptive
                 ? options_.shrink
                 : std::sqrt(static_cast<double>(at_best_) / static_cast<double>(iterations_));
  }

  void restart_around() {
    finished_ = !restarts_.any();
    if (!finished_) begin(restarts_.next(restart_ + 1), restart_ + 1);
  }

  void restart_at(const Chosen& start) { begin(start, restart_ + 1); }

  Space space_;
  Draws draws_;
  Flow2Options options_;
  Directions directions_;
  Restarts restarts_;
  Chosen start_, best_;
  Coordinates at_;
  double loss_ = 0, step_ = 0;
  bool placed_ = false, start_under_way_ = false, improved_ = false, may_restart_ = true, finished_ = false;
  std::int64_t version_ = 0, iterations_ = 1, at_best_ = 1, misses_ = 0, tried_ = 0, parent_ = -1;
  std::uint64_t restart_ = 0, iteration_ = 0, dead_regions_ = 0;
  std::map<std::int64_t, Try> tries_;
  std::deque<Coordinates> opposites_;
};

}  // namespace

Directions drawn_directions(const Draws& draws, std::size_t dimensions) {
  return [draws, dimensions](std::uint64_t restart, std::uint64_t iteration) {
    variance::Stream stream(stream_key(draws.seed, "direction", draws.learner, restart, iteration));
    return variance::unit_direction(stream, dimensions);
  };
}

double max_step(std::size_t dimensions) {
  return std::sqrt(static_cast<double>(dimensions));
}

double initial_step(std::size_t dimensions, double least) {
  return std::min(std::max(first_step * max_step(dimensions), 2 * least), max_step(dimensions));
}

std::unique_ptr<Sampler> flow2_sampler(const Space& space, const Draws& draws, const Flow2Options& options,
                                       const Chosen& start) {
  if (options.rule == Flow2Rule::flaml26) return flaml26_sampler(space, draws, options, start);
  return std::make_unique<Flow2>(space, draws, options, start);
}

}  // namespace retrial::automl::inline searchers::inline walking
