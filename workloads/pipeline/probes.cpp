#include "workloads/pipeline/probes.hpp"

#include <algorithm>
#include <cmath>

#include "workloads/interface/registry.hpp"
#include "workloads/pipeline/engine/engine.hpp"
#include "workloads/pipeline/keys.hpp"
#include "workloads/pipeline/record.hpp"
#include "workloads/pipeline/samples.hpp"

namespace retrial::pipeline {
namespace {

using workloads::Finding, workloads::Place, workloads::ProbeReport, workloads::Trial;

std::string pass_text(const PassRead& pass, const Method& method) {
  return std::string(pass.backward ? "backward" : "forward") + " of sample " + std::to_string(pass.unit * method.batch);
}

/// Walks the passes of a stage, with the digests of all versions so far: history[v] after v updates.
template <typename Look>
std::optional<Finding> first_finding(const Trace& trace, const char* kind, const Look& look) {
  for (std::size_t s = 0; s < trace.passes.size(); ++s) {
    std::vector<std::uint64_t> history{trace.first_weights[s]};
    for (const PassRead& pass : trace.passes[s]) {
      if (const std::string found = look(static_cast<std::int64_t>(s), pass, history); !found.empty())
        return Finding{kind, stage_name(static_cast<std::int64_t>(s)), found};
      if (pass.updates == static_cast<std::int64_t>(history.size())) history.push_back(pass.weights);
    }
  }
  return std::nullopt;
}

const PassRead* forward_of(const Trace& trace, std::int64_t stage, std::int64_t unit) {
  for (const PassRead& pass : trace.passes[static_cast<std::size_t>(stage)])
    if (!pass.backward && pass.unit == unit) return &pass;
  return nullptr;
}

/// The rate of the keys at the sample of an update.
double rate_at(const Method& method, std::int64_t stage, std::int64_t sample) {
  double lr = method.rates.lr;
  for (const RateStep& step : method.schedule)
    if (step.from <= sample) lr = method.rates.lr * step.factor;
  return lr * pipemare_rate(method.delays[static_cast<std::size_t>(stage)], sample, method.pipemare_samples);
}

/// True if a pass reads weights that belong to no version: predicted ones, or those that PipeMare took back.
bool is_moved(const Method& method, bool backward) {
  if (method.corrector == Corrector::spectrain) return true;
  if (backward && method.semantics == WeightSemantics::stashed) return false;  // compared with those of its forward
  return backward ? method.corrector == Corrector::pipemare : rule_of(method.corrector).predictor != Predictor::none;
}

/// The version that the semantics names, after `now` updates.
std::int64_t named_version(const Method& method, const PassRead& pass, std::int64_t now) {
  const std::int64_t old = std::max(std::int64_t{0}, pass.unit / method.microbatches - method.delays.front());
  switch (method.semantics) {
    case WeightSemantics::vertical_sync:
    case WeightSemantics::uniform_delay:
      return old;
    case WeightSemantics::forward_delay_only:
      return pass.backward ? now : old;
    default:
      return now;
  }
}

}  // namespace

std::optional<Finding> check_delays(const Trace& trace, const Method& method) {
  return first_finding(trace, "delay-differs", [&](std::int64_t s, const PassRead& pass, const auto& history) {
    if (!pass.backward) return std::string();
    const std::int64_t update = pass.unit / method.microbatches, now = static_cast<std::int64_t>(history.size()) - 1;
    const PassRead* forward = forward_of(trace, s, pass.unit);
    const std::int64_t wanted = std::min(update, method.lateness(s));
    if (forward != nullptr && now - forward->version != wanted)
      return pass_text(pass, method) + ": " + std::to_string(now - forward->version) +
             " updates after its forward, not " + std::to_string(wanted);
    const std::int64_t sample = update * method.microbatches * method.batch;
    const double lr = rate_at(method, s, sample);
    if (pass.lr != 0 && std::fabs(pass.lr - lr) > 1e-12 * lr)
      return "the update of sample " + std::to_string(sample) + " has the rate " +
             std::to_string(pass.lr / method.rates.lr) + " x lr, not " + std::to_string(lr / method.rates.lr) + " x lr";
    return std::string();
  });
}

std::optional<Finding> check_reads(const Trace& trace, const Method& method) {
  return first_finding(trace, "wrong-weights", [&](std::int64_t s, const PassRead& pass, const auto& history) {
    std::int64_t wanted = named_version(method, pass, static_cast<std::int64_t>(history.size()) - 1);
    std::uint64_t digest = history[static_cast<std::size_t>(wanted)];
    if (method.semantics == WeightSemantics::stashed && pass.backward) {
      const PassRead* forward = forward_of(trace, s, pass.unit);
      if (forward == nullptr) return std::string();
      wanted = forward->version, digest = forward->digest;
    }
    if (pass.version != wanted)
      return pass_text(pass, method) + ": version " + std::to_string(pass.version) + ", not " + std::to_string(wanted);
    if (pass.digest != digest && !is_moved(method, pass.backward))
      return pass_text(pass, method) + ": other bytes than those of version " + std::to_string(wanted);
    return std::string();
  });
}

std::optional<Finding> check_gradients(const Trace& trace, const Method& method) {
  for (std::size_t s = 0; s < trace.passes.size(); ++s) {
    std::int64_t next = 0;
    const auto found = [&](const std::string& what) {
      return Finding{"gradient-lost", stage_name(static_cast<std::int64_t>(s)), what};
    };
    for (const PassRead& pass : trace.passes[s])
      if (pass.backward && pass.unit != next++) return found(pass_text(pass, method) + " came out of order");
    if (next != trace.units)
      return found(std::to_string(next) + " of " + std::to_string(trace.units) + " gradients arrived");
    if (trace.updates[s] != trace.units / method.microbatches)
      return found(std::to_string(trace.updates[s]) + " updates of " +
                   std::to_string(trace.units / method.microbatches));
  }
  return std::nullopt;
}

std::optional<Finding> check_methods(const std::vector<Promise>& promises, const Counters& counted,
                                     bool reads_are_right) {
  for (const Promise& promise : promises)
    if (counted.*promise.counter == 0 && (reads_are_right || promise.counter != &Counters::stale_stash_reads))
      return Finding{"method-inactive", promise.method, "never happened (key " + promise.key + ")"};
  return std::nullopt;
}

namespace {

constexpr std::int64_t probed_samples = 256;

Method probed_method(const Trial& trial) {
  const std::int64_t unit = samples_per_update(trial.values);
  Method method = method_from(trial.values, (probed_samples + unit - 1) / unit * unit);
  if (method.dropout > 0) method.dropout_seed = trial.seed("dropout");
  method.guard = GuardMode::off;  // it would end the run at what the probes are to name
  if (method.schedule.empty()) method.schedule = {{probed_samples / 2, .5}};  // so that its clock shows
  return method;
}

template <typename Real>
Trace traced(Pipeline<Real>& pipeline) {
  Trace trace;
  trace.passes.resize(pipeline.stages.size());
  for (std::size_t s = 0; s < pipeline.stages.size(); ++s) {
    Stage<Real>& stage = pipeline.stages[s];
    trace.first_weights.push_back(WeightGuard::digest_of(std::as_bytes(std::span(stage.parameters()))));
    stage.observer = [&, s](const PassRead& pass) { trace.passes[s].push_back(pass); };
  }
  const std::int64_t units = pipeline.method.units();
  TickEngine<Real>(pipeline).run(units);
  for (Stage<Real>& stage : pipeline.stages) trace.updates.push_back(stage.version()), stage.observer = nullptr;
  trace.units = pipeline.diverged_unit >= 0 ? pipeline.diverged_unit : units;
  trace.counters = counters_of(pipeline);
  return trace;
}

/// executors-differ: the weights of each stage, and the losses, bit by bit.
template <typename Real>
std::optional<Finding> check_executors(const Pipeline<Real>& tick, Pipeline<Real> threads, const Trial& trial) {
  const std::int64_t workers = std::min<std::int64_t>(2, threads.stage_count());
  try {
    ThreadedEngine<Real>(threads, workers, trial.integer("queue")).run(threads.method.units());
  } catch (const workloads::TrialFailure& failure) {
    return Finding{"executors-differ", "two threads", "failed: " + std::string(failure.what())};
  }
  const auto digest = [](const std::vector<Real>& weights) {
    return WeightGuard::digest_of(std::as_bytes(std::span(weights)));
  };
  for (std::size_t s = 0; s < tick.stages.size(); ++s)
    if (digest(tick.stages[s].parameters()) != digest(threads.stages[s].parameters()))
      return Finding{"executors-differ", stage_name(static_cast<std::int64_t>(s)),
                     "other weights on two threads than in the simulated clock"};
  return std::nullopt;
}

template <typename Real>
ProbeReport report_of(const Trial& trial, const Place& place) {
  const Method method = probed_method(trial);
  const Task task = task_of(trial, place);
  Pipeline<Real> pipeline = pipeline_of<Real>(trial, task.train, method);
  const Trace trace = traced(pipeline);
  const auto reads = check_reads(trace, method);
  ProbeReport report;
  for (const auto& found :
       {check_delays(trace, method), reads, check_gradients(trace, method),
        check_methods(trace.units < method.units() ? std::vector<Promise>{} : promises_of(trial.values, method),
                      trace.counters, !reads),
        check_executors(pipeline, pipeline_of<Real>(trial, task.train, method), trial)})
    if (found) report.findings.push_back(*found);
  report.looked_at = {std::to_string(method.stages()) + " stages, " + std::to_string(trace.units * method.batch) +
                      " samples, " + std::to_string(trace.updates.front()) + " updates each"};
  return report;
}

const workloads::RegisterProbe probed{workload_name, [](const Trial& trial, const Place& place) {
                                        return trial.text("dtype") == "float64" ? report_of<double>(trial, place)
                                                                                : report_of<float>(trial, place);
                                      }};

}  // namespace
}  // namespace retrial::pipeline
