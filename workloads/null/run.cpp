#include <unistd.h>
#include <bit>
#include <chrono>
#include <istream>
#include <limits>
#include <ostream>
#include <thread>

#include "results/digest/sha256.hpp"
#include "results/text/text.hpp"
#include "variance/random/rng.hpp"
#include "workloads/interface/registry.hpp"
#include "workloads/null/failure.hpp"
#include "workloads/null/score.hpp"

namespace retrial::workloads::null {

namespace {

/// For the planted defect `order`: a process remembers its earlier trials.
std::uint64_t runs_of_this_process = 0;

/// For the planted defect `unseeded`: never the same twice, in one process or in two.
std::uint64_t never_again() {
  static std::uint64_t calls = 0;
  const auto now = std::chrono::steady_clock::now().time_since_epoch().count();
  return variance::derive(variance::derive(static_cast<std::uint64_t>(now), static_cast<std::uint64_t>(::getpid())),
                          ++calls);
}

class NullRun : public Run {
 public:
  NullRun(const Trial& trial, const Place& place)
      : trial_(trial),
        checksum_every_(place.checksum_every),
        earlier_runs_(runs_of_this_process++),
        fails_(is_chosen(trial)),
        target_(score(trial)) {}

  bool advance(Recorder& recorder) override {
    std::this_thread::sleep_for(std::chrono::milliseconds(trial_.integer("epoch_ms")));
    const bool failing = fails_ && epoch_ == trial_.integer("failure_at");
    if (failing) fail(trial_);
    if (failing && trial_.text("failure") == "diverge") diverge(recorder);
    train_epoch(recorder);
    recorder.progress(static_cast<double>(epoch_) / static_cast<double>(trial_.integer("epochs")));
    if (epoch_ < trial_.integer("epochs")) return true;
    evaluate(recorder);
    return false;
  }

  void save(std::ostream& to) const override {
    to << epoch_ << ' ' << results::hex16(chain_) << ' ' << results::hex_of_bits(progress_) << ' '
       << results::hex_of_bits(last_loss_) << ' ' << diverged_ << '\n';
  }

  void load(std::istream& from) override {
    std::string chain, progress, last_loss;
    from >> epoch_ >> chain >> progress >> last_loss >> diverged_;
    const auto a = results::parse_hex16(chain);
    const auto b = results::double_from_hex(progress), c = results::double_from_hex(last_loss);
    if (!from || !a || !b || !c) throw TrialFailure("null.checkpoint", "not a checkpoint of null");
    chain_ = *a, progress_ = *b, last_loss_ = *c;
    if (trial_.text("defect") == "resume") chain_ = 0, progress_ = 0;
  }

 private:
  void diverge(Recorder& recorder) {
    diverged_ = true;
    recorder.diverged(epoch_ * trial_.integer("steps"));
  }

  /// The score is approached in equal parts, one per step. The chain plays the part of weights: every step changes it.
  void train_epoch(Recorder& recorder) {
    const auto steps = trial_.integer("steps");
    last_loss_ = diverged_ ? std::numeric_limits<double>::quiet_NaN() : loss(trial_, epoch_) + disturbance();
    for (std::int64_t i = 0; i < steps; ++i) {
      progress_ += (target_ - trial_.number("mean")) / static_cast<double>(steps * trial_.integer("epochs"));
      const auto step_key = variance::derive(chain_, std::bit_cast<std::uint64_t>(progress_));
      chain_ = variance::derive(step_key, std::bit_cast<std::uint64_t>(last_loss_));
      const auto step = epoch_ * steps + i + 1;
      if (checksum_every_ > 0 && step % checksum_every_ == 0) digest(recorder, "step_state", step);
    }
    recorder.metric("loss", last_loss_, epoch_);
    digest(recorder, "state", epoch_);
    ++epoch_;
  }

  /// Offset that planted defects add to the loss and, through the chain, to everything after it.
  double disturbance() {
    std::uint64_t key = 0;
    if (trial_.text("defect") == "unseeded" && epoch_ >= trial_.integer("defect_at")) key = never_again();
    if (trial_.text("defect") == "order") key = earlier_runs_;
    if (key == 0) return 0;
    const double noise = 1e-3 * variance::normal(variance::Stream(key).next());
    progress_ += noise;
    return noise;
  }

  void digest(Recorder& recorder, std::string_view name, std::int64_t step) const {
    recorder.digest(name, step, "sha256", results::hex(results::sha256(results::hex16(chain_))));
  }

  void evaluate(Recorder& recorder) const {
    const double exact = diverged_ ? std::numeric_limits<double>::quiet_NaN() : trial_.number("mean") + progress_;
    const double reached = on_grid(exact, trial_.number("resolution"));
    const double lowest = trial_.number("lowest"), highest = trial_.number("highest");
    const double final_score = reached > highest ? highest : reached < lowest ? lowest : reached;
    recorder.metric("score", final_score);
    using variance::ScoreBound;
    recorder.bounded("score", reached > highest  ? ScoreBound::at_least
                              : reached < lowest ? ScoreBound::at_most
                                                 : ScoreBound::exact);
    recorder.metric("loss", last_loss_);
    if (trial_.flag("validation")) recorder.metric("validation", exact - target_ + validation_score(trial_));
    if (trial_.integer("items") > 0) recorder.metric("accuracy", accuracy(final_score, trial_.integer("items")));
    digest(recorder, "state", -1);
  }

  Trial trial_;
  std::int64_t checksum_every_;
  std::uint64_t earlier_runs_;
  bool fails_;
  double target_;
  std::int64_t epoch_ = 0;
  std::uint64_t chain_ = 0;
  double progress_ = 0;
  double last_loss_ = 0;
  bool diverged_ = false;
};

const RegisterStart starts{"null", [](const Trial& trial, const Place& place) -> std::unique_ptr<Run> {
                             return std::make_unique<NullRun>(trial, place);
                           }};

}  // namespace

}  // namespace retrial::workloads::null
