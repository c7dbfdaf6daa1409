#include "workloads/pipeline/keys.hpp"

#include <algorithm>
#include <limits>

#include "results/text/text.hpp"
#include "workloads/data/inputs/keys.hpp"
#include "workloads/data/sets/teacher4.hpp"
#include "workloads/interface/trial/split.hpp"

namespace retrial::pipeline {
namespace {

using workloads::Range, workloads::Reads;

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double any_count = 1e9;

const std::string& text(const Values& values, const char* key) {
  return text_in(values, key);
}

bool has_delay(const Values& values) {
  return text(values, "delay") != "none";
}

bool reads_microbatches(const Values& values) {
  return text(values, "semantics") == "drained" || text(values, "semantics") == "uniform_delay";
}

/// Keys that are read under a condition.
struct Condition {
  const char* key;
  bool (*read)(const Values&);
};

const Condition conditions[] = {
    {"stages", [](const Values& v) { return !has_images(v) || integer_in(v, "stages") == image_stages; }},
    {"width", [](const Values& v) { return !has_images(v) && integer_in(v, "stages") > 1; }},
    {"delay_list", [](const Values& v) { return text(v, "delay") == "custom"; }},
    {"uniform_delay", [](const Values& v) { return text(v, "delay") == "uniform"; }},
    {"horizon", [](const Values& v) { return text(v, "corrector").starts_with("lwp"); }},
    {"spike", [](const Values& v) { return text(v, "corrector").ends_with("sc") && text(v, "corrector") != "gsc"; }},
    {"corrector_delay",
     [](const Values& v) {
       const std::string& corrector = text(v, "corrector");
       return corrector.starts_with("lwp") || corrector == "sc";
     }},
    {"microbatches", reads_microbatches},
    {"momentum", [](const Values& v) { return text(v, "optimizer") != "adam"; }},
    {"scale_rates", [](const Values& v) { return text(v, "optimizer") == "sgdm"; }},
    {"reference_batch", [](const Values& v) { return text(v, "optimizer") == "sgdm" && flag_in(v, "scale_rates"); }},
    {"decay_kind", [](const Values& v) { return number_in(v, "weight_decay") > 0; }},
    {"gsc_a", [](const Values& v) { return text(v, "corrector") == "gsc"; }},
    {"gsc_b", [](const Values& v) { return text(v, "corrector") == "gsc"; }},
    {"dc_lambda", [](const Values& v) { return text(v, "corrector") == "dc_asgd"; }},
    {"pipemare_samples", has_delay},
    {"pipemare_decay", [](const Values& v) { return text(v, "corrector") == "pipemare"; }},
    {"workers", is_threaded},
    {"queue", is_threaded},
};

}  // namespace

std::vector<workloads::Parameter> own_parameters() {
  using Choices = std::vector<std::string>;
  const auto word = [](const char* value) { return std::string(value); };
  const auto whole = [](std::int64_t value) { return value; };
  return {
      {"task", word("teacher4"), "data: teacher4 is a formula, images are files", Choices{"teacher4", "images"}},
      {"samples", whole(16384), "training samples of the run", Range{1, any_count}, Reads::schedule},
      {"drop_last", true, "leave out samples that do not fill an update; else they are refused", {}, Reads::evaluation},
      {"stages", whole(study_stages), "stages of the pipeline, one layer each", Range{1, 512}},
      {"width", whole(32), "width of the hidden layers", Range{1, 4096}},
      {"delay", word("none"), "updates of a stage between forward and backward of a sample",
       Choices{"none", "pb", "one_f_one_b", "uniform", "custom"}},
      {"delay_list", word(""), "delay = custom: one number per stage, none larger than the one before", {}},
      {"uniform_delay", whole(1), "delay = uniform: the delay of the whole network", Range{0, 4096}},
      {"semantics", word("sequential"), "which weights the passes of a sample read", semantics_names()},
      {"corrector", word("none"), "correction of the delay", corrector_names()},
      {"horizon", 1.0, "updates to predict over, in delays", Range{0, 8}},
      {"spike", 1.0, "exponent of spike compensation, in delays", Range{0, 8}},
      {"corrector_delay", word("nominal"), "delay to correct for: of the model, or of this sample",
       Choices{"nominal", "measured"}},
      {"batch", whole(1), "samples of a micro-batch", Range{1, 1e6}},
      {"microbatches", whole(1), "micro-batches of an update", Range{1, 1e6}},
      {"optimizer", word("sgdm"), "rule of the updates", Choices{"sgdm", "adam", "muon"}},
      {"lr", 0.1, "learning rate", Range{0, infinite, true, true}},
      {"momentum", 0.9, "momentum", Range{0, 1, false, true}},
      {"reference_batch", whole(64), "samples per update that lr and momentum are tuned for", Range{1, 1e6}},
      {"scale_rates", true, "scale lr and momentum from reference_batch to the samples of an update", {}},
      {"weight_decay", 0.0, "weight decay", Range{0, infinite, false, true}},
      {"decay_kind", word("coupled"), "decay through the gradient, or of the weights", Choices{"coupled", "decoupled"}},
      {"lr_schedule", word("constant"), "factors of lr: SAMPLE=FACTOR,... or constant", {}, Reads::schedule},
      {"dropout", 0.0, "share of outputs dropped after each stage but the last", Range{0, 1, false, true}},
      {"norm", word("none"), "normalization in each stage", Choices{"none", "group", "layer"}},
      {"gsc_a", 1.0, "corrector = gsc: factor of the velocity", Range{-infinite, infinite, true, true}},
      {"gsc_b", 0.0, "corrector = gsc: factor of the gradient", Range{-infinite, infinite, true, true}},
      {"dc_lambda", 0.5, "corrector = dc_asgd: factor of its term", Range{0, infinite, false, true}},
      {"pipemare_samples", 0.0, "samples in which PipeMare raises the rates to lr; 0: from the start",
       Range{0, infinite, false, true}},
      {"pipemare_decay", 0.1353352832366127, "corrector = pipemare: decay of the mean step over one delay",
       Range{0, 1, false, true}},
      {"executor", word("tick"), "a simulated clock, or threads; threads_free keeps no order",
       Choices{"tick", "threads_fixed", "threads_free"}, Reads::evaluation},
      {"workers", whole(2), "threads of a threaded executor", Range{1, 512}, Reads::evaluation},
      {"queue", whole(4), "items between two threads", Range{1, 64}, Reads::evaluation},
      {"backend", word("native"), "code of the stages", Choices{"native", "torch"}, Reads::evaluation},
      {"dtype", word("float32"), "numbers of weights and activations", Choices{"float32", "float64"}},
      {"guard", word("version"), "check that passes read the weights they promise", Choices{"off", "version", "digest"},
       Reads::evaluation},
  };
}

std::vector<workloads::Parameter> parameters() {
  std::vector<workloads::Parameter> all = own_parameters();
  for (workloads::Parameter& parameter : data::data_parameters()) {
    if (parameter.name.starts_with("npy_")) continue;  // the networks of a study are those of known sets
    if (parameter.name == "dataset") std::erase(std::get<std::vector<std::string>>(parameter.allowed), "npy");
    parameter.written_at_default = false;  // studies are older than these keys
    all.push_back(std::move(parameter));
  }
  return all;
}

std::vector<std::string> reads(const Values& values) {
  std::vector<std::string> keys;
  if (has_images(values)) keys = data::data_keys_read(values);
  for (std::string& key : own_keys_read(values)) keys.push_back(std::move(key));
  return keys;
}

std::vector<std::string> own_keys_read(const Values& values) {
  std::vector<std::string> keys;
  for (const workloads::Parameter& parameter : own_parameters()) {
    const std::string& key = parameter.name;
    const auto* found = std::find_if(std::begin(conditions), std::end(conditions),
                                     [&](const Condition& one) { return one.key == key; });
    if (found == std::end(conditions) || found->read(values)) keys.push_back(key);
  }
  return keys;
}

bool has_images(const Values& values) {
  return text(values, "task") == "images";
}

std::int64_t stages_of(const Values& values) {
  return has_images(values) ? image_stages : integer_in(values, "stages");
}

Executor executor_of(const Values& values) {
  const std::string& name = text(values, "executor");
  return name == "tick" ? Executor::tick : name == "threads_fixed" ? Executor::threads_fixed : Executor::threads_free;
}

bool is_threaded(const Values& values) {
  return executor_of(values) != Executor::tick;
}

std::int64_t samples_per_update(const Values& values) {
  return integer_in(values, "batch") * (reads_microbatches(values) ? integer_in(values, "microbatches") : 1);
}

Rates scaled_rates(const Values& values) {
  const Rates given{number_in(values, "lr"), number_in(values, "momentum")};
  if (text(values, "optimizer") != "sgdm" || !flag_in(values, "scale_rates")) return given;
  return scale_hyperparameters(given.lr, given.momentum, static_cast<double>(integer_in(values, "reference_batch")),
                               static_cast<double>(samples_per_update(values)));
}

Method method_from(const Values& values, std::int64_t max_samples) {
  Method made;
  const auto custom = parsed_delays(text(values, "delay_list")).value_or(std::vector<std::int64_t>{});
  made.delay_model = delay_model_named(text(values, "delay"));
  made.delays = delays(made.delay_model, stages_of(values), integer_in(values, "uniform_delay"), custom);
  made.semantics = semantics_named(text(values, "semantics"));
  made.corrector = corrector_named(text(values, "corrector"));
  made.horizon = number_in(values, "horizon");
  made.spike = number_in(values, "spike");
  made.measured_delay = text(values, "corrector_delay") == "measured";
  made.gsc_a = number_in(values, "gsc_a");
  made.gsc_b = number_in(values, "gsc_b");
  made.dc_lambda = number_in(values, "dc_lambda");
  made.pipemare_samples = has_delay(values) ? number_in(values, "pipemare_samples") : 0;
  made.pipemare_decay = number_in(values, "pipemare_decay");
  const std::string& optimizer = text(values, "optimizer");
  made.optimizer = optimizer == "sgdm" ? Optimizer::sgdm : optimizer == "adam" ? Optimizer::adam : Optimizer::muon;
  made.rates = scaled_rates(values);
  made.weight_decay = number_in(values, "weight_decay");
  made.decoupled_decay = text(values, "decay_kind") == "decoupled";
  made.schedule = parsed_schedule(text(values, "lr_schedule")).value_or(std::vector<RateStep>{});
  made.dropout = number_in(values, "dropout");
  made.batch = integer_in(values, "batch");
  made.microbatches = samples_per_update(values) / made.batch;
  std::int64_t samples = integer_in(values, "samples");
  if (max_samples > 0) samples = std::min(samples, max_samples);
  made.updates = samples / samples_per_update(values);
  const std::string& guard = text(values, "guard");
  made.guard = guard == "off" ? GuardMode::off : guard == "version" ? GuardMode::version : GuardMode::digest;
  return made;
}

Network network_from(const Values& values) {
  const std::string& norm = text(values, "norm");
  const Norm of = norm == "group" ? Norm::group : norm == "layer" ? Norm::layer : Norm::none;
  if (!has_images(values))
    return normalized(study_network(stages_of(values), integer_in(values, "width"), data::Teacher4::features,
                                    data::Teacher4::classes),
                      of);
  const data::Shape shape = data::image_shape(values);
  return normalized(image_network(shape.channels, shape.height, shape.width, data::classes_of(values)), of);
}

std::optional<std::vector<RateStep>> parsed_schedule(const std::string& given) {
  std::vector<RateStep> steps;
  if (given == "constant") return steps;
  for (const std::string& item : workloads::split(given, ',', " ")) {
    const auto parts = workloads::split(item, '=', " ");
    if (parts.size() != 2) return std::nullopt;
    const auto from = results::parse_int(parts[0]);
    const auto factor = results::parse_double(parts[1]);
    if (!from || !factor || *from < 0 || !(*factor > 0) || *factor == infinite) return std::nullopt;
    if (!steps.empty() && *from <= steps.back().from) return std::nullopt;
    steps.push_back({*from, *factor});
  }
  return steps;
}

std::optional<std::vector<std::int64_t>> parsed_delays(const std::string& given) {
  std::vector<std::int64_t> made;
  for (const std::string& item : workloads::split(given, ',', " ")) {
    const auto value = results::parse_int(item);
    if (!value) return std::nullopt;
    made.push_back(*value);
  }
  return made;
}

}  // namespace retrial::pipeline
