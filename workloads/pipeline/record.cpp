#include "workloads/pipeline/record.hpp"

#include <algorithm>

#include "determinism/digest/psum2.hpp"
#include "results/digest/sha256.hpp"
#include "results/text/text.hpp"
#include "workloads/interface/trial/trial.hpp"
#include "workloads/pipeline/keys.hpp"

namespace retrial::pipeline {
namespace {

using determinism::Psum2;
using NamedDigests = std::vector<std::pair<std::string, Psum2>>;

template <typename Real>
Psum2 digest_of_values(std::vector<std::int64_t> sizes, std::span<const Real> values) {
  const auto type = sizeof(Real) == 4 ? determinism::DType::float32 : determinism::DType::float64;
  return determinism::psum2(type, sizes, std::as_bytes(values));
}

template <typename Real>
NamedDigests digests_of(const Stage<Real>& stage, std::size_t index) {
  const Layer& layer = stage.layer();
  const auto in = static_cast<std::size_t>(layer.columns()), out = static_cast<std::size_t>(layer.rows());
  std::span<const Real> stored = stage.parameters();
  const std::string name = stage_name(static_cast<std::int64_t>(index));
  NamedDigests made;
  const auto add = [&](const char* what, std::vector<std::int64_t> sizes, std::span<const Real> values) {
    made.emplace_back(name + what, digest_of_values<Real>(std::move(sizes), values));
  };
  if (layer.maps > 0) {
    add(".weight", {layer.maps, layer.channels, 3, 3}, stored.first(in * out));
  } else {
    std::vector<Real> rows(in * out);
    for (std::size_t i = 0; i < in; ++i)
      for (std::size_t j = 0; j < out; ++j) rows[j * in + i] = stored[i * out + j];
    add(".weight", {layer.rows(), layer.columns()}, rows);
  }
  stored = stored.subspan(in * out);
  if (layer.bias) add(".bias", {layer.rows()}, stored.first(out));
  if (layer.groups > 0) {
    add(".norm.weight", {layer.rows()}, stored.last(2 * out).first(out));
    add(".norm.bias", {layer.rows()}, stored.last(out));
  }
  return made;
}

std::string histogram_text(const DelayHistogram& histogram) {
  std::string text;
  for (const auto& [delay, count] : histogram)
    text += (text.empty() ? "" : ", ") + std::to_string(delay) + ": " + std::to_string(count);
  return text.empty() ? "none" : text;
}

double mean_of(const DelayHistogram& histogram) {
  double sum = 0, count = 0;
  for (const auto& [delay, times] : histogram) {
    sum += static_cast<double>(delay) * static_cast<double>(times);
    count += static_cast<double>(times);
  }
  return count == 0 ? 0 : sum / count;
}

Json as_json(const Counters& counters) {
  Json made = Json::object();
  for (const auto& [name, count] : all_counters) made[name] = counters.*count;
  return made;
}

Json as_json(const MemoryAccount& memory) {
  return {{"weights", memory.weights},       {"optimizer", memory.velocity},      {"versions", memory.versions},
          {"predictors", memory.predictors}, {"activations", memory.activations}, {"rebuild", memory.rebuild}};
}

/// Records the whole run, also where liveness cuts it: samples, program and rates.
void record_schedule(const Values& values, workloads::Recorder& recorder) {
  const Method whole = method_from(values);
  Json rates = Json::array();
  for (const RateStep& step : whole.schedule) rates.push_back({step.from, results::hex_of_bits(step.factor)});
  const Json document{{"samples", integer_in(values, "samples")},
                      {"updates", whole.updates},
                      {"microbatches", whole.microbatches},
                      {"drains", rule_of(whole.semantics).drains},
                      {"rates", rates}};
  recorder.digest("schedule", -1, "sha256", results::hex(results::sha256(results::canonical(document))));
}

}  // namespace

template <typename Real>
void record_weights(const Pipeline<Real>& pipeline, std::string_view name, std::int64_t step, bool by_stage,
                    workloads::Recorder& recorder) {
  NamedDigests all;
  for (std::size_t s = 0; s < pipeline.stages.size(); ++s) {
    const NamedDigests of_stage = digests_of(pipeline.stages[s], s);
    if (by_stage)
      recorder.digest(std::string(name) + "_" + stage_name(static_cast<std::int64_t>(s)), step, "psum2",
                      determinism::hex(determinism::digest_list(of_stage)));
    all.insert(all.end(), of_stage.begin(), of_stage.end());
  }
  recorder.digest(name, step, "psum2", determinism::hex(determinism::digest_list(all)));
}

template <typename Real>
Counters counters_of(const Pipeline<Real>& pipeline) {
  Counters sum;
  for (const Stage<Real>& stage : pipeline.stages)
    for (const auto& [name, count] : all_counters) sum.*count += stage.counters().*count;
  return sum;
}

template <typename Real>
void check_delays_of(const Pipeline<Real>& pipeline) {
  for (std::size_t s = 0; s < pipeline.stages.size(); ++s) {
    const auto stage = static_cast<std::int64_t>(s);
    DelayHistogram expected;
    for (std::int64_t d = 0; d <= pipeline.method.lateness(stage); ++d)
      if (const std::int64_t count = expected_count(pipeline.method, stage, d); count > 0) expected[d] = count;
    const DelayHistogram& counted = pipeline.stages[s].delays();
    if (counted != expected)
      throw workloads::TrialFailure(
          "pipeline.delay_mismatch",
          stage_name(stage) + " counted the delays " + histogram_text(counted) + ", not " + histogram_text(expected));
  }
}

template <typename Real>
void record_account(const Pipeline<Real>& pipeline, const MemoryAccount& memory, const Values& values,
                    workloads::Recorder& recorder) {
  const Method& method = pipeline.method;
  const double tick = utilisation(SlotModel::tick, method), slot = utilisation(SlotModel::slot, method);
  const DelayHistogram& first = pipeline.stages.front().delays();
  recorder.metric("delay_mean_first", mean_of(first));
  recorder.metric("delay_max_first", first.empty() ? 0 : static_cast<double>(first.rbegin()->first));
  recorder.metric("utilisation_tick", tick);
  recorder.metric("utilisation_slot", slot);
  recorder.metric("version_floats", static_cast<double>(memory.versions + memory.predictors));
  recorder.metric("activation_floats", static_cast<double>(memory.activations));
  Json realised = Json::array(), updates = Json::array(), idle = Json::array();
  const auto ticks = static_cast<std::int64_t>(static_cast<double>(method.units()) / tick + .5);
  for (std::size_t s = 0; s < pipeline.stages.size(); ++s) {
    const Stage<Real>& stage = pipeline.stages[s];
    for (const auto& [delay, count] : stage.delays()) realised.push_back({s, delay, count});
    updates.push_back(stage.version());
    idle.push_back(ticks - stage.program().total);
  }
  const Json document{
      {"convention", "updates of the stage itself between the read of its weights and the write"},
      {"delays", method.delays},
      {"realised_delays", realised},
      {"updates", updates},
      {"idle_ticks", idle},
      {"correctors_use", method.measured_delay ? "measured" : "nominal"},
      {"counters", as_json(counters_of(pipeline))},
      {"lr",
       {{"given", results::hex_of_bits(number_in(values, "lr"))}, {"used", results::hex_of_bits(method.rates.lr)}}},
      {"momentum",
       {{"given", results::hex_of_bits(number_in(values, "momentum"))},
        {"used", results::hex_of_bits(method.rates.momentum)}}},
      {"memory", as_json(memory)},
      {"samples_dropped", integer_in(values, "samples") % samples_per_update(values)}};
  record_schedule(values, recorder);
  recorder.artifact("pipeline", "json", results::canonical(document));
}

#define RETRIAL_INSTANCES(Real)                                                                                    \
  template void record_weights(const Pipeline<Real>&, std::string_view, std::int64_t, bool, workloads::Recorder&); \
  template Counters counters_of(const Pipeline<Real>&);                                                            \
  template void check_delays_of(const Pipeline<Real>&);                                                            \
  template void record_account(const Pipeline<Real>&, const MemoryAccount&, const Values&, workloads::Recorder&);
RETRIAL_INSTANCES(float)
RETRIAL_INSTANCES(double)
#undef RETRIAL_INSTANCES

}  // namespace retrial::pipeline
