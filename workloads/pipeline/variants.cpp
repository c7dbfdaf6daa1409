#include "workloads/pipeline/variants.hpp"

namespace retrial::pipeline {
namespace {

struct Preset {
  const char *name, *summary, *delay, *semantics, *corrector;
  Values more = {};
};

const std::vector<Preset>& presets() {
  static const Values twelve{{"microbatches", std::int64_t{12}}}, warm{{"pipemare_samples", 4096.0}};
  static const std::vector<Preset> all{
      {"seq", "one sample after the other: no delay", "none", "sequential", "none"},
      {"pb", "pipelined backpropagation: every stage works on another sample", "pb", "inconsistent", "none"},
      {"pb-sc", "with spike compensation", "pb", "inconsistent", "sc"},
      {"pb-lwp", "with linear weight prediction from the velocity", "pb", "inconsistent", "lwp_v"},
      {"pb-lwp-sc", "with prediction from the velocity and spike compensation", "pb", "inconsistent", "lwp_v+sc"},
      {"pb-lwpw-sc", "with prediction from the last step and spike compensation", "pb", "inconsistent", "lwp_w+sc"},
      {"pb-stash", "the backward reads the weights of its forward", "pb", "stashed", "none"},
      {"pb-stash-sc", "stored weights and spike compensation", "pb", "stashed", "sc"},
      {"pb-stash-lwp", "stored weights, predicted from the velocity", "pb", "stashed", "lwp_v"},
      {"pb-recompute", "activations are computed again, with the weights of now", "pb", "recomputed", "none"},
      {"pipedream", "PipeDream: half the delay, stored weights", "one_f_one_b", "stashed", "none"},
      {"pipedream-pb", "the delay of PipeDream, the weights of now", "one_f_one_b", "inconsistent", "none"},
      {"pipedream-vsync", "PipeDream with one version at all stages", "one_f_one_b", "vertical_sync", "none"},
      {"2bw", "PipeDream-2BW: one update of delay, two versions", "uniform", "uniform_delay", "none", twelve},
      {"2bw-sc", "PipeDream-2BW with spike compensation", "uniform", "uniform_delay", "sc", twelve},
      {"gpipe", "GPipe: the pipeline drains before every update", "none", "drained", "none", twelve},
      {"pipemare-t1", "PipeMare's rates, lower at early stages at first", "pb", "inconsistent", "none", warm},
      {"pipemare-t2", "PipeMare's correction of the weights of a backward", "pb", "inconsistent", "pipemare"},
      {"pipemare", "PipeMare: both", "pb", "inconsistent", "pipemare", warm},
      {"spectrain", "SpecTrain: both passes predict one future version", "pb", "inconsistent", "spectrain"},
      {"dc-asgd", "DC-ASGD: the gradient is moved to the weights of now", "pb", "inconsistent", "dc_asgd"},
      {"delay", "the whole network reads one old version (uniform_delay)", "uniform", "uniform_delay", "none"},
      {"fwd-only", "only forwards read the old version", "uniform", "forward_delay_only", "none"},
  };
  return all;
}

Values keys_of(const Preset& preset) {
  Values keys = preset.more;
  keys["delay"] = std::string(preset.delay);
  keys["semantics"] = std::string(preset.semantics);
  keys["corrector"] = std::string(preset.corrector);
  return keys;
}

}  // namespace

std::vector<workloads::Variant> variants() {
  std::vector<workloads::Variant> all;
  for (const Preset& preset : presets()) {
    Values keys = keys_of(preset);
    std::erase_if(keys, [](const auto& key) {  // those at their default
      return key.second == Value{std::string("none")} || key.second == Value{std::string("sequential")};
    });
    all.push_back({preset.name, preset.summary, std::move(keys)});
  }
  return all;
}

std::vector<workloads::ShortTrial> short_trials() {
  using std::string_literals::operator""s;
  std::vector<workloads::ShortTrial> all;
  const auto add = [&](const std::string& name, Values keys) {
    if (!keys.contains("task")) keys.merge(Values{{"stages", std::int64_t{4}}, {"width", std::int64_t{8}}});
    all.push_back({name, std::move(keys)});
  };
  for (const Preset& preset : presets()) add(preset.name, keys_of(preset));
  const auto pb = [&](const std::string& name, Values keys) {
    keys.merge(Values{{"delay", "pb"s}, {"semantics", "inconsistent"s}});
    add(name, std::move(keys));
  };
  pb("prediction from the last step", {{"corrector", "lwp_w"s}, {"corrector_delay", "measured"s}, {"guard", "off"s}});
  pb("generalized spikes", {{"corrector", "gsc"s}, {"gsc_a", .5}, {"gsc_b", 2.0}, {"dropout", .25}});
  pb("adam", {{"optimizer", "adam"s}, {"corrector", "lwp_v"s}, {"lr", .01}, {"batch", std::int64_t{4}}});
  pb("muon", {{"optimizer", "muon"s}, {"lr", .01}, {"batch", std::int64_t{4}}, {"dtype", "float64"s}});
  pb("decay of the gradient", {{"weight_decay", .01}, {"decay_kind", "coupled"s}, {"scale_rates", false}, {"lr", .01}});
  pb("decay of the weights", {{"weight_decay", .01}, {"decay_kind", "decoupled"s}, {"guard", "digest"s}});
  pb("on threads", {{"executor", "threads_fixed"s}, {"drop_last", false}});
  const auto torch = [&](const std::string& name, Values keys) {
    keys.merge(Values{{"backend", "torch"s}});
    pb(name, std::move(keys));
  };
  torch("on LibTorch", {});
  torch("groups of outputs", {{"norm", "group"s}, {"dtype", "float64"s}});
  const auto images = [&](const std::string& name, Values keys) {
    keys.merge(Values{{"task", "images"s}});
    torch(name, std::move(keys));
  };
  images("images", {{"norm", "group"s}, {"train_count", std::int64_t{200}}, {"normalise", "none"s}});
  images("images, one group", {{"norm", "layer"s}, {"split", "permuted"s}, {"normalise", "computed"s}});
  images("images without normalization",
         {{"split", "oob"s}, {"train_count", std::int64_t{200}}, {"subset", "balanced"s}});
  const auto files = [&](const std::string& dataset, Values keys) {  // color images of 8x8 or gray ones, 4 rows
    keys.merge(Values{{"dataset", dataset}, {"train_count", std::int64_t{4}}});
    images(dataset, std::move(keys));
  };
  files("cifar10", {{"downscale", std::int64_t{4}}, {"normalise", "paper"s}, {"verify", "size"s}});
  files("cifar100", {{"downscale", std::int64_t{4}}, {"normalise", "common"s}});
  files("mnist", {{"downscale", std::int64_t{4}}, {"files", "t10k"s}});
  files("fashion", {{"downscale", std::int64_t{4}}});
  files("mnist-5k", {{"downscale", std::int64_t{4}}});
  add("a pipeline of its own", {{"delay", "custom"s}, {"delay_list", "5,5,1,0"s}, {"semantics", "vertical_sync"s}});
  return all;
}

std::vector<workloads::ShortTrial> trainings() {
  using std::string_literals::operator""s;
  std::vector<workloads::ShortTrial> all;
  for (const std::int64_t batch : {1, 32})
    all.push_back({"images, batch " + std::to_string(batch),
                   {{"backend", "torch"s}, {"task", "images"s}, {"norm", "group"s}, {"batch", batch}}});
  return all;
}

}  // namespace retrial::pipeline
