#include "workloads/pipeline/analysis/chain.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "results/text/text.hpp"
#include "variance/numbers/error.hpp"
#include "workloads/pipeline/arithmetic/spike.hpp"
#include "workloads/pipeline/methods/delays.hpp"

namespace retrial::pipeline::inline analysis {
namespace {

using Words = std::vector<std::string>;

bool among(const std::string& word, const Words& words) {
  return std::ranges::find(words, word) != words.end();
}

void demand_word(const std::string& field, const std::string& word, const Words& words) {
  if (!among(word, words)) throw InvalidInput(field, word, results::joined(words));
}

void demand_number(const std::string& field, double value, bool sound, const std::string& allowed) {
  if (!sound || !std::isfinite(value)) throw InvalidInput(field, results::text_of(value), allowed);
}

/// Delay models and correctors that can be combined with a semantics.
struct Combination {
  std::string semantics;
  Words delays, correctors;
};

const std::vector<Combination>& combinations() {
  static const Words pipelines{"pb", "one_f_one_b", "custom"}, spikes{"none", "sc"}, lone{"none"};
  static const Words all{"none", "sc", "lwp_v", "lwp_w", "lwp_v+sc", "lwp_w+sc", "gsc", "dc_asgd"};
  static const Words both{"none",     "sc",  "lwp_v",   "lwp_w",     "lwp_v+sc",
                          "lwp_w+sc", "gsc", "dc_asgd", "spectrain", "pipemare"};
  static const std::vector<Combination> rows{{"sequential", {"none"}, lone},
                                             {"inconsistent", pipelines, both},
                                             {"stashed", pipelines, all},
                                             {"vertical_sync", pipelines, spikes},
                                             {"recomputed", pipelines, all},
                                             {"uniform_delay", {"uniform"}, spikes},
                                             {"forward_delay_only", {"uniform"}, spikes},
                                             {"drained", {"none"}, lone}};
  return rows;
}

void demand_combination(const ScalarChain& chain) {
  Words known;
  for (const auto& row : combinations()) known.push_back(row.semantics);
  demand_word("semantics", chain.semantics, known);
  const auto& row = *std::ranges::find(combinations(), chain.semantics, &Combination::semantics);
  if (!among(chain.delay, row.delays))
    throw InvalidInput("delay", chain.delay, results::joined(row.delays) + " with semantics = " + chain.semantics);
  if (!among(chain.corrector, row.correctors))
    throw InvalidInput("corrector", chain.corrector,
                       results::joined(row.correctors) + " with semantics = " + chain.semantics);
  if (chain.corrector == "spectrain" && chain.delay == "custom")
    throw InvalidInput("delay", chain.delay, "pb, one_f_one_b with corrector = spectrain");
  if (chain.microbatches != 1 && chain.semantics != "drained" && chain.semantics != "uniform_delay")
    throw InvalidInput("microbatches", std::to_string(chain.microbatches), "1 with semantics = " + chain.semantics);
}

void demand_sound_chain(const ScalarChain& chain) {
  constexpr std::int64_t most = 100'000;
  demand_combination(chain);
  demand_word("activation", chain.activation, {"lin", "tanh"});
  demand_word("corrector_delay", chain.corrector_delay, {"nominal", "measured"});
  demand_word("decay_kind", chain.decay_kind, {"coupled", "decoupled"});
  demand_number("lr", chain.lr, chain.lr > 0, "finite, above 0");
  demand_number("momentum", chain.momentum, chain.momentum >= 0 && chain.momentum < 1, "0 to below 1");
  const std::int64_t limit = chain.w.empty() ? most : most / std::ssize(chain.w);
  if (chain.samples < 1 || chain.samples > limit)
    throw InvalidInput("samples", std::to_string(chain.samples),
                       "1 to " + std::to_string(limit) + " with these stages");
  if (chain.microbatches < 1 || chain.samples % chain.microbatches != 0)
    throw InvalidInput("microbatches", std::to_string(chain.microbatches), "a divisor of the samples");
  for (const auto& row : chain.lr_schedule)
    if (row.size() != 2)
      throw InvalidInput("lr_schedule", std::to_string(row.size()) + " values", "rows of sample,factor");
}

/// A stage with its history; the arrays of samples are indexed by the sample.
struct ChainStage {
  std::int64_t delay = 0;
  std::vector<double> versions;  ///< weights after 0, 1, ... updates
  double velocity = 0, delta = 0, summed = 0;
  std::vector<double> input, output, read, gradient_in;  ///< `read`: the weight of the forward
  std::size_t forwards = 0, backwards = 0;

  [[nodiscard]] double now() const { return versions.back(); }
  [[nodiscard]] double before() const { return versions.size() < 2 ? versions.back() : versions[versions.size() - 2]; }
};

class ChainRun {
 public:
  explicit ChainRun(const ScalarChain& chain) : chain_(chain), total_(static_cast<std::size_t>(chain.samples)) {
    const auto model = delay_model_named(chain.delay);
    const auto lags = delays(model, std::ssize(chain.w), chain.uniform_delay, chain.delay_list);
    for (std::size_t s = 0; s < chain.w.size(); ++s) stages_.push_back({.delay = lags[s], .versions = {chain.w[s]}});
  }

  ChainWeights run() {
    for (bool progress = true; progress;) {
      progress = false;
      for (std::size_t s = 0; s < stages_.size(); ++s)
        while (step(s)) progress = true;
    }
    ChainWeights out;
    for (const auto& stage : stages_) out.versions.push_back(stage.versions);
    if (chain_.delay == "pb") out.ticks = ticks();
    return out;
  }

 private:
  [[nodiscard]] bool is(const char* semantics) const { return chain_.semantics == semantics; }
  [[nodiscard]] bool lags_as_a_whole() const { return is("uniform_delay") || is("forward_delay_only"); }

  /// The next entry of the stage's program, if its input is there.
  bool step(std::size_t s) {
    ChainStage& stage = stages_[s];
    const auto M = static_cast<std::size_t>(chain_.microbatches);
    const std::size_t ahead = is("drained")       ? (stage.backwards / M + 1) * M
                              : lags_as_a_whole() ? stage.backwards + 1
                                                  : stage.backwards + 1 + static_cast<std::size_t>(stage.delay);
    if (stage.forwards < std::min(ahead, total_)) {
      if (s > 0 && stages_[s - 1].forwards <= stage.forwards) return false;
      forward(s, stage.forwards++);
      return true;
    }
    if (stage.backwards == total_) return false;
    if (s + 1 < stages_.size() && stages_[s + 1].backwards <= stage.backwards) return false;
    backward(s, stage.backwards++);
    return true;
  }

  [[nodiscard]] double rate(std::size_t sample) const {
    double factor = 1;
    for (const auto& row : chain_.lr_schedule)
      if (static_cast<double>(sample) >= row[0]) factor = row[1];
    return chain_.lr * factor;
  }

  /// D of the corrector: that of the model, or what this sample suffers.
  [[nodiscard]] double lag(const ChainStage& stage, std::size_t sample) const {
    if (chain_.corrector_delay == "nominal") return static_cast<double>(stage.delay);
    return static_cast<double>(std::min(static_cast<std::int64_t>(sample), stage.delay));
  }

  [[nodiscard]] double ahead_of(std::size_t s) const {
    return chain_.delay == "pb" ? static_cast<double>(s) : std::floor(static_cast<double>(s) / 2);
  }

  [[nodiscard]] double read_by_forward(std::size_t s, std::size_t sample) const {
    const ChainStage& stage = stages_[s];
    const auto update = sample / static_cast<std::size_t>(chain_.microbatches);
    const auto old = is("vertical_sync") ? stages_[0].delay : lags_as_a_whole() ? stage.delay : 0;
    if (old > 0) return stage.versions[update - std::min(update, static_cast<std::size_t>(old))];
    const double horizon = chain_.horizon * lag(stage, sample);
    const std::string& corrector = chain_.corrector;
    if (corrector.starts_with("lwp_v")) return stage.now() - rate(sample) * horizon * stage.velocity;
    if (corrector.starts_with("lwp_w")) return stage.now() + horizon * (stage.now() - stage.before());
    if (corrector == "spectrain")
      return stage.now() - rate(sample) * (lag(stage, sample) + ahead_of(s)) * stage.velocity;
    return stage.now();
  }

  [[nodiscard]] double read_by_backward(std::size_t s, std::size_t sample) const {
    const ChainStage& stage = stages_[s];
    if (is("stashed") || is("vertical_sync") || is("uniform_delay")) return stage.read[sample];
    if (chain_.corrector == "spectrain") return stage.now() - rate(sample) * ahead_of(s) * stage.velocity;
    if (chain_.corrector == "pipemare") return stage.now() - static_cast<double>(stage.delay) * stage.delta;
    return stage.now();
  }

  [[nodiscard]] double activated(double z) const { return chain_.activation == "tanh" ? std::tanh(z) : z; }

  void forward(std::size_t s, std::size_t sample) {
    ChainStage& stage = stages_[s];
    stage.read.push_back(read_by_forward(s, sample));
    stage.input.push_back(s == 0 ? 1 : stages_[s - 1].output[sample]);
    stage.output.push_back(activated(stage.read.back() * stage.input.back()));
  }

  void backward(std::size_t s, std::size_t sample) {
    ChainStage& stage = stages_[s];
    const double weight = read_by_backward(s, sample);
    const double out = is("recomputed") ? activated(weight * stage.input[sample]) : stage.output[sample];
    const double from_loss =
        s + 1 == stages_.size() ? stage.output[sample] - chain_.y : stages_[s + 1].gradient_in[sample];
    const double delta = chain_.activation == "tanh" ? from_loss * (1 - out * out) : from_loss;
    stage.gradient_in.push_back(weight * delta);
    stage.summed += stage.input[sample] * delta;
    if ((sample + 1) % static_cast<std::size_t>(chain_.microbatches) == 0) update(stage, sample);
  }

  void update(ChainStage& stage, std::size_t sample) {
    const double now = stage.now();
    double g = stage.summed / static_cast<double>(chain_.microbatches);
    stage.summed = 0;
    if (chain_.corrector == "dc_asgd") g += chain_.dc_lambda * g * g * (now - stage.read[sample]);
    const bool coupled = chain_.decay_kind == "coupled";
    if (coupled) g += chain_.weight_decay * now;
    const double eta = rate(sample) / pipemare_divisor(stage, sample);
    const auto [a, b] = coefficients(stage, sample);
    stage.velocity = chain_.momentum * stage.velocity + g;
    const double kept = coupled ? now : now * (1 - eta * chain_.weight_decay);
    stage.versions.push_back(kept - eta * (a * stage.velocity + b * g));
    if (chain_.corrector == "pipemare" && stage.delay > 0) {
      const double gamma = std::pow(chain_.pipemare_decay, 1 / static_cast<double>(stage.delay));
      stage.delta = gamma * stage.delta + (1 - gamma) * (stage.now() - now);
    }
  }

  /// PipeMare's first technique: (D + 1)^p with p falling from 1 to 0 over its samples.
  [[nodiscard]] double pipemare_divisor(const ChainStage& stage, std::size_t sample) const {
    if (chain_.pipemare_samples <= 0) return 1;
    const double p = 1 - std::min(static_cast<double>(sample) / chain_.pipemare_samples, 1.0);
    return std::pow(static_cast<double>(stage.delay) + 1, p);
  }

  [[nodiscard]] SpikeCoefficients coefficients(const ChainStage& stage, std::size_t sample) const {
    if (chain_.corrector == "gsc") return {chain_.gsc_a, chain_.gsc_b};
    if (chain_.corrector != "sc" && !chain_.corrector.ends_with("+sc")) return {1, 0};
    return sc_coefficients(chain_.momentum, std::llrint(chain_.spike * lag(stage, sample)));  // halves to even
  }

  /// ChainStage s has taken the gradients of the samples up to t - 2 (S - 1) + s after tick t.
  [[nodiscard]] std::vector<std::vector<double>> ticks() const {
    const auto S = std::ssize(stages_);
    std::vector<std::vector<double>> out;
    for (std::int64_t t = 0; t < chain_.samples + 2 * (S - 1); ++t) {
      auto& weights = out.emplace_back();
      for (std::int64_t s = 0; s < S; ++s) {
        const auto taken = std::clamp<std::int64_t>(t - 2 * (S - 1) + s + 1, 0, chain_.samples);
        weights.push_back(stages_[static_cast<std::size_t>(s)].versions[static_cast<std::size_t>(taken)]);
      }
    }
    return out;
  }

  const ScalarChain& chain_;
  std::size_t total_;
  std::vector<ChainStage> stages_;
};

}  // namespace

ChainWeights scalar_chain(const ScalarChain& chain) {
  demand_sound_chain(chain);
  return ChainRun(chain).run();
}

}  // namespace retrial::pipeline::inline analysis
