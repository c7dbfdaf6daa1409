#include <algorithm>
#include <cmath>
#include <map>

#include "workloads/automl/searchers/walking/flow2.hpp"
#include "workloads/automl/streams/streams.hpp"

namespace retrial::automl::inline searchers::inline walking {
namespace {

constexpr std::int64_t largest_power = 9;  // 2^d directions at most 2^9

/// FLOW2 as FLAML 2.6 ships it, with its departures from the paper: the opposite of a direction is tried from whatever
/// is the incumbent by then, and the step shrinks by the square root of the counts of two shrinks.
class Flaml26 final : public Sampler {
 public:
  Flaml26(const Space& space, const Draws& draws, const Flow2Options& options, const Chosen& start)
      : space_(space),
        draws_(draws),
        options_(options),
        directions_(options.directions ? options.directions : drawn_directions(draws, space.dimensions())),
        restarts_(space, draws, options.restart, start),
        d_(static_cast<std::int64_t>(space.dimensions())),
        most_(std::int64_t{1} << std::min(d_, largest_power)) {
    begin(start, 0);
  }

  std::optional<Suggestion> propose(std::int64_t id) override {
    if (finished_) return std::nullopt;
    if (!placed_) return start_of_walk(id);
    if (d_ == 0) return std::nullopt;
    if (allowed_ <= 0) return std::nullopt;
    if (may_enlarge()) return enlarge(id);
    auto made = step_of_walk(id);
    if (made) return made;
    end_walk();
    return finished_ ? std::nullopt : start_of_walk(id);
  }

  void observe(std::int64_t id, double loss, double cost) override {
    const auto found = tries_.find(id);
    if (found == tries_.end()) return;  // of a walk that has ended
    const Try made = std::move(found->second);
    tries_.erase(found);
    if (made.starts) {
      place(id, made.configuration, loss);
      cost_ = cost;
      return;
    }
    ++completed_;
    if (loss < loss_) return accept(id, made, loss, cost);
    if (made.version == version_) count_miss(cost);
    if (misses_ >= most_ - 2 && step_ < min_step() && full_size_) end_walk();
  }

  void at_size(std::int64_t rows, std::int64_t next) override {
    full_size_ = next == 0;
    ratio_ = full_size_ ? 1 : static_cast<double>(next) / static_cast<double>(rows);
  }

  void take_over(std::int64_t id, const Chosen& configuration, double loss) override {
    tries_.clear();
    place(id, configuration, loss);
  }

  [[nodiscard]] std::optional<Chosen> incumbent() const override {
    if (!placed_) return std::nullopt;
    return best_;
  }
  [[nodiscard]] double step() const override { return step_; }
  [[nodiscard]] bool finished() const override { return finished_; }

 private:
  struct Try {
    Chosen configuration;
    double step = 0;
    bool starts = false;
    std::int64_t version = 0;  ///< of the incumbent that it came from
  };

  [[nodiscard]] double min_step() const { return options_.min_step > 0 ? options_.min_step : space_.min_step(best_); }

  void end_walk() {
    finished_ = !restarts_.any();
    if (!finished_) begin(restarts_.next(restart_ + 1), restart_ + 1);
  }

  void begin(const Chosen& start, std::uint64_t restart) {
    best_ = start;
    restart_ = restart;
    placed_ = start_under_way_ = false;
    tries_.clear();
    step_ = std::min(initial_step(space_.dimensions(), min_step()) + restarts_.longer(restart),
                     max_step(space_.dimensions()));
    shrunk_at_ = shrunk_before_ = 0;
    best_at_ = proposed_ = completed_ = 1;
    plus_ = 0;
    early_ = true;
    same_ = false;
    renew();
  }

  /// A new incumbent has all directions before it.
  void renew() {
    ++version_;
    tried_ = misses_ = 0;
    spent_ = 0;
    allowed_ = 2 * d_;
  }

  std::optional<Suggestion> start_of_walk(std::int64_t id) {
    if (start_under_way_) return std::nullopt;
    start_under_way_ = true;
    tries_[id] = {.configuration = best_, .step = step_, .starts = true};
    return Suggestion{.configuration = best_, .origin = restart_ == 0 ? "init" : "flow2:restart", .parent = parent_};
  }

  [[nodiscard]] bool may_enlarge() const {
    return options_.sample_factor > 0 && !full_size_ && misses_ > 0 && spent_ >= options_.sample_factor * cost_;
  }

  std::optional<Suggestion> enlarge(std::int64_t id) {
    ++proposed_;
    pending_.clear();
    cost_ *= ratio_;
    tries_[id] = {.configuration = best_, .step = step_, .version = version_};
    return Suggestion{.configuration = best_, .origin = "flow2:enlarge", .parent = parent_, .enlarges = true};
  }

  /// Nothing: the walk has converged.
  std::optional<Suggestion> step_of_walk(std::int64_t id) {
    ++proposed_;
    --allowed_;
    const bool plus = pending_.empty();
    Coordinates point;
    if (plus) {
      pending_ = directions_(restart_, plus_++);
      for (double& x : pending_) x *= step_;
      point = moved(at_, pending_, 1);
    } else {
      point = moved(at_, pending_, -1);
      pending_.clear();
    }
    restarts_.seen(point);
    Try made{
        .configuration = space_.chosen_at(
            point, best_, stream_key(draws_.seed, "completion", draws_.learner, 0, static_cast<std::uint64_t>(id))),
        .step = step_,
        .version = version_};
    ++tried_;
    if (early_) {
      const bool again = made.configuration == best_;
      if (!plus && same_ && again) step_ = std::min(step_ + small_step, max_step(space_.dimensions()));
      same_ = plus && again;
    }
    if (tried_ == most_ && full_size_) {
      tried_ -= 2;
      early_ = false;
      if (step_ < min_step()) return std::nullopt;
      shrunk_before_ = shrunk_at_ > 0 ? shrunk_at_ : best_at_;
      shrunk_at_ = proposed_ + 1;
      step_ *= std::sqrt(static_cast<double>(shrunk_before_) / static_cast<double>(shrunk_at_));
    }
    Suggestion out{.configuration = made.configuration, .origin = plus ? "flow2:+" : "flow2:-", .parent = parent_};
    tries_[id] = std::move(made);
    return out;
  }

  void place(std::int64_t id, const Chosen& configuration, double loss) {
    placed_ = true;
    pending_.clear();
    set_incumbent(id, configuration, loss);
    step_ = step_ < min_step() ? initial_step(space_.dimensions(), min_step()) : step_;
  }

  void set_incumbent(std::int64_t id, const Chosen& configuration, double loss) {
    best_ = configuration;
    at_ = space_.normalised(configuration);
    loss_ = loss;
    parent_ = id;
    renew();
  }

  void accept(std::int64_t id, const Try& made, double loss, double cost) {
    set_incumbent(id, made.configuration, loss);
    cost_ = cost;
    step_ = made.step;
    if (shrunk_at_ > 0) step_ *= std::sqrt(static_cast<double>(shrunk_at_) / static_cast<double>(shrunk_before_));
    step_ = std::min(step_, max_step(space_.dimensions()));
    best_at_ = completed_;
  }

  void count_miss(double cost) {
    ++misses_;
    spent_ += cost;
    if (misses_ >= 2 * d_ && allowed_ == 0) allowed_ = 2;
    if (misses_ == most_ && full_size_) {
      misses_ -= 2;
      allowed_ = std::max<std::int64_t>(allowed_, 2);
    }
  }

  static constexpr double small_step = 0.1;

  Space space_;
  Draws draws_;
  Flow2Options options_;
  Directions directions_;
  Restarts restarts_;
  std::int64_t d_, most_;
  Chosen best_;
  Coordinates at_, pending_;
  double loss_ = 0, step_ = 0, cost_ = 0, spent_ = 0, ratio_ = 1;
  bool placed_ = false, start_under_way_ = false, full_size_ = true, early_ = true, same_ = false, finished_ = false;
  std::int64_t shrunk_at_ = 0, shrunk_before_ = 0, best_at_ = 1, proposed_ = 1, completed_ = 1;
  std::int64_t tried_ = 0, misses_ = 0, allowed_ = 0, version_ = 0, parent_ = -1;
  std::uint64_t restart_ = 0, plus_ = 0;
  std::map<std::int64_t, Try> tries_;
};

}  // namespace

std::unique_ptr<Sampler> flaml26_sampler(const Space& space, const Draws& draws, const Flow2Options& options,
                                         const Chosen& start) {
  return std::make_unique<Flaml26>(space, draws, options, start);
}

}  // namespace retrial::automl::inline searchers::inline walking
