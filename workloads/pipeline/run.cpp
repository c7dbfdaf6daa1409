#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "results/report/drawing/numbers.hpp"
#include "workloads/interface/registry.hpp"
#include "workloads/nn/protocol/failures.hpp"
#include "workloads/nn/shape/state.hpp"
#include "workloads/pipeline/keys.hpp"
#include "workloads/pipeline/method_active.hpp"
#include "workloads/pipeline/record.hpp"
#include "workloads/pipeline/report/views.hpp"
#include "workloads/pipeline/samples.hpp"

namespace retrial::pipeline {
namespace {

using workloads::Place, workloads::Recorder, workloads::Trial;

constexpr std::int64_t samples_per_boundary = 1024;

std::int64_t rounded_up(std::int64_t count, std::int64_t unit) {
  return (count + unit - 1) / unit * unit;
}

double mean_of(const std::vector<double>& losses) {
  if (losses.empty()) return std::numeric_limits<double>::quiet_NaN();
  return std::accumulate(losses.begin(), losses.end(), 0.0) / static_cast<double>(losses.size());
}

/// The samples of a run that is cut for the sake of liveness: enough of them for every corrector to show.
std::int64_t max_samples(const Values& values, const Place& place) {
  if (place.max_steps == 0) return 0;
  const Method whole = method_from(values);
  return std::max(place.max_steps * samples_per_update(values),
                  rounded_up(4 * whole.delays.front() + 64, samples_per_update(values)));
}

Method method_of_trial(const Trial& trial, const Place& place) {
  Method made = method_from(trial.values, max_samples(trial.values, place));
  if (made.dropout > 0) made.dropout_seed = trial.seed("dropout");
  return made;
}

template <typename Real>
class Training final : public workloads::Run {
 public:
  Training(const Trial& trial, const Place& place)
      : trial_(trial),
        place_(place),
        executor_(executor_of(trial.values)),
        network_(network_from(trial.values)),
        task_(task_of(trial, place)),
        pipeline_(pipeline_of<Real>(trial, task_.train, method_of_trial(trial, place))),
        threads_(pipeline_, trial.integer("workers"), trial.integer("queue")) {}

  bool advance(Recorder& recorder) override {
    const std::int64_t from = cut_;
    cut_ = std::min(pipeline_.method.units(), cut_ + units_of(samples_per_boundary));
    if (executor_ == Executor::threads_free) cut_ = pipeline_.method.units();
    run_to(cut_, from, recorder);
    take_losses(recorder);
    look_for_divergence(recorder);
    record_weights(pipeline_, "weights", sample_of(cut_), false, recorder);
    recorder.progress(static_cast<double>(cut_) / static_cast<double>(pipeline_.method.units()));
    recorder.standing("sample " + grouped(sample_of(cut_)) + " of " + grouped(sample_of(pipeline_.method.units())) +
                      ", loss " + report::short_text(mean_of(recent_), 3));
    if (!pipeline_.finished() && !stopped_) return true;
    finish(recorder);
    return false;
  }

  void save(std::ostream& stream) const override {
    nn::StateWriter to(stream);
    to.text("pipeline", trial_.identity);
    to.number("cut", static_cast<std::uint64_t>(cut_));
    to.number("told", told_ ? 1 : 0);
    to.number("losses", recent_.size());
    for (const double loss : recent_) to.real("loss", loss);
    pipeline_.save(to);
  }

  void load(std::istream& stream) override {
    nn::StateReader from(stream);
    if (from.text("pipeline") != trial_.identity)
      throw workloads::TrialFailure("checkpoint.other_trial", "the saved state is of another trial");
    cut_ = static_cast<std::int64_t>(from.number("cut"));
    told_ = from.number("told") != 0;
    recent_.clear();
    for (std::uint64_t left = from.number("losses"); left > 0; --left) recent_.push_back(from.real("loss"));
    pipeline_.load(from);
  }

 private:
  [[nodiscard]] std::int64_t sample_of(std::int64_t unit) const { return unit * pipeline_.method.batch; }
  /// Micro-batches of whole updates that hold at least that many samples.
  [[nodiscard]] std::int64_t units_of(std::int64_t samples) const {
    const Method& method = pipeline_.method;
    return rounded_up(samples, method.batch * method.microbatches) / method.batch;
  }

  void run_engine(std::int64_t cut) {
    if (executor_ == Executor::tick)
      TickEngine<Real>(pipeline_).run(cut);
    else if (executor_ == Executor::threads_fixed)
      threads_.run(cut);
    else
      threads_.run_free();
  }

  /// With digests at the cuts where stage 0 has made a multiple of `checksum_every` updates.
  void run_to(std::int64_t cut, std::int64_t from, Recorder& recorder) {
    const Program& first = pipeline_.stages.front().program();
    const std::int64_t every = place_.checksum_every * first.microbatches;
    if (every > 0 && executor_ != Executor::threads_free)
      for (std::int64_t at = from + 1; at < std::min(cut + 1, first.total); ++at)
        if (const std::int64_t done = first.backwards_before(at); done > 0 && done % every == 0) {
          run_engine(at);
          record_weights(pipeline_, "step_weights", done / first.microbatches, false, recorder);
        }
    run_engine(cut);
  }

  void take_losses(Recorder& recorder) {
    std::vector<double>& fresh = pipeline_.losses;
    if (!fresh.empty()) recorder.metric("train_loss", mean_of(fresh), sample_of(cut_));
    recent_.insert(recent_.end(), fresh.begin(), fresh.end());
    fresh.clear();
    const auto window = static_cast<std::size_t>(units_of(samples_per_boundary));
    if (recent_.size() > window) recent_.erase(recent_.begin(), recent_.end() - static_cast<std::ptrdiff_t>(window));
  }

  void look_for_divergence(Recorder& recorder) {
    const bool lost = pipeline_.diverged_unit >= 0;
    stopped_ = !lost && !pipeline_.weights_finite();
    if (told_ || (!lost && !stopped_)) return;
    told_ = true;
    recorder.diverged(sample_of(lost ? pipeline_.diverged_unit : cut_));
  }

  void finish(Recorder& recorder) {
    if (!told_) {
      if (executor_ != Executor::threads_free) check_delays_of(pipeline_);
      if (executor_ != Executor::threads_free || place_.max_steps == 0)
        check_promises(promises_of(trial_.values, pipeline_.method), counters_of(pipeline_), trial_.variant);
    }
    recorder.metric("accuracy", accuracy(pipeline_.stages, task_.test));
    recorder.metric("train_loss", mean_of(recent_));
    recorder.metric("diverged", told_ ? 1 : 0);
    record_account(pipeline_, memory_account(pipeline_.method, network_, pipeline_.rebuilds), trial_.values, recorder);
    if (!task_.data.empty()) recorder.artifact("data", "json", task_.data);
    if (executor_ != Executor::tick) record_busy(recorder);
    record_weights(pipeline_, "weights", -1, true, recorder);
  }

  void record_busy(Recorder& recorder) const {
    double busy = 0, elapsed = 0;
    for (std::size_t p = 0; p < threads_.busy_seconds().size(); ++p) {
      recorder.metric("busy_seconds_" + std::to_string(p), threads_.busy_seconds()[p]);
      busy += threads_.busy_seconds()[p];
      elapsed += threads_.elapsed_seconds();
    }
    recorder.metric("busy_share", elapsed > 0 ? busy / elapsed : 0);
  }

  Trial trial_;
  Place place_;
  Executor executor_;
  Network network_;
  Task task_;
  Pipeline<Real> pipeline_;
  ThreadedEngine<Real> threads_;
  std::int64_t cut_ = 0;
  std::vector<double> recent_;  ///< losses of the last micro-batches
  bool told_ = false;           ///< that the run diverged
  bool stopped_ = false;        ///< a weight is not finite, although all losses were
};

const workloads::RegisterStart started{workload_name,
                                       [](const Trial& trial, const Place& place) -> std::unique_ptr<workloads::Run> {
                                         if (trial.text("dtype") == "float64")
                                           return std::make_unique<Training<double>>(trial, place);
                                         return std::make_unique<Training<float>>(trial, place);
                                       },
                                       nn::explain_libtorch};

}  // namespace
}  // namespace retrial::pipeline
