#include "workloads/pruning/trial/short_trials.hpp"

#include "results/text/text.hpp"
#include "workloads/data/corrupt/corrupt.hpp"
#include "workloads/data/sets/registry.hpp"
#include "workloads/nn/protocol/keys.hpp"
#include "workloads/pruning/keys/pipeline.hpp"
#include "workloads/pruning/methods/group_scores.hpp"
#include "workloads/pruning/methods/methods.hpp"

namespace retrial::pruning::inline trial {
namespace {

using std::string_literals::operator""s;
using Trials = std::vector<workloads::ShortTrial>;

/// One pruning step of a narrow network with convolutions, batch norm and a linear layer.
void add(Trials& to, const std::string& name, Values keys) {
  keys.merge(Values{{"model", "cnn4"s},
                    {"train_count", std::int64_t{12}},
                    {"batch", std::int64_t{4}},
                    {"epochs", std::int64_t{1}},
                    {"grid", ".5"s},
                    {"sample_size", std::int64_t{4}},
                    {"corruptions", "none"s}});
  to.push_back({name, std::move(keys)});
}

void add_methods(Trials& to) {
  for (const Method& method : all_methods())
    add(to, method.name,
        {{"method", method.name},
         {"grid", method.rule == Rule::lottery ? "levels(.5, 1)"s : ".5"s},
         {"structure", method.structured() ? "group"s : "mask"s}});
}

void add_pipelines(Trials& to) {
  for (const Pipeline& pipeline : all_pipelines())
    add(to, pipeline.name, {{"pipeline", pipeline.name}, {"model", "mlp:8"s}, {"grid", ".6, .3"s}});
}

/// Every word of each list once, side by side.
void add_group_scores(Trials& to) {
  const auto &reductions = reduce_names(), &scalings = scaling_names();
  for (std::size_t i = 0; i < std::max(reductions.size(), scalings.size()); ++i) {
    const std::string &reduce = reductions[i % reductions.size()], &norm = scalings[i % scalings.size()];
    add(to, "groups by " + reduce + ", norm " + norm,
        {{"method", "group_taylor"s},
         {"reduce", reduce},
         {"norm", norm},
         {"scope", i % 2 == 0 ? "global"s : "layer"s},
         {"round_to", std::int64_t{2}},
         {"max_group_ratio", .5}});
  }
}

void add_augmentations(Trials& to) {
  for (const std::string& name : nn::augmentations_of(data::find_data_set("digits")->shape))
    add(to, name, {{"pipeline", "train"s}, {"model", "mlp:8"s}, {"augment", name}});
}

void add_test_sets(Trials& to) {
  add(to, "shifts", {{"model", "mlp:8"s}, {"corruptions", "default"s}});
  add(to, "corruptions",
      {{"pipeline", "train"s}, {"model", "mlp:8"s}, {"corruptions", results::joined(corrupt::available())}});
  for (const std::string units : {"pixel", "normalised"})
    add(to, "noise and pixels, noise on " + units + " values",
        {{"separate", units == "pixel"},
         {"noise_images", std::int64_t{4}},
         {"noise_draws", std::int64_t{2}},
         {"noise_levels", "0,.2"s},
         {"noise_units", units},
         {"normalise", "computed"s},
         {"backselect_images", std::int64_t{1}},
         {"backselect_block", std::int64_t{4}}});
}

void add_networks(Trials& to) {
  add(to, "mlp:128,64", {{"model", "mlp:128,64"s}, {"grid", "geometric(2, .8, .1)"s}});
  add(to, "cnn16, ft", {{"model", "cnn16"s}, {"method", "ft"s}, {"structure", "group"s}});
  add(to, "resnet8b, ft", {{"model", "resnet8b"s}, {"method", "ft"s}, {"structure", "group"s}});
  add(to, "resnet8a:w=4, pfp", {{"model", "resnet8a:w=4"s}, {"method", "pfp"s}, {"structure", "group"s}});
  add(to, "wrn-10-1, svd, dropout", {{"model", "wrn-10-1"s}, {"method", "svd"s}, {"dropout", .25}});
}

/// Color images of 8x8 from files, 4 rows.
void add_photographs(Trials& to, const std::string& name, Values keys) {
  keys.merge(Values{{"dataset", "cifar10"s}, {"downscale", std::int64_t{4}}, {"train_count", std::int64_t{4}}});
  add(to, name, std::move(keys));
}

void add_data_sets(Trials& to) {
  add_photographs(to, "photographs, autoaugment", {{"augment", "autoaugment"s}, {"normalise", "paper"s}});
  add_photographs(to, "photographs, crop_flip and autoaugment",
                  {{"augment", "crop_flip+autoaugment"s}, {"normalise", "common"s}, {"verify", "size"s}});
  add_photographs(to, "photographs of 100 classes", {{"dataset", "cifar100"s}});
  add(to, "digits of 28x28, lenet300", {{"dataset", "mnist"s}, {"files", "t10k"s}, {"model", "lenet300"s}});
  add(to, "digits of 7x7", {{"dataset", "mnist-5k"s}, {"downscale", std::int64_t{4}}, {"model", "mlp:8"s}});
  add(to, "clothes", {{"dataset", "fashion"s}, {"model", "mlp:8"s}});
}

void add_choices(Trials& to) {
  add(to, "in the whole network, ties kept", {{"scope", "global"s}, {"exact", false}, {"split", "oob"s}});
  add(to, "layer by layer, without the classifier", {{"scope", "layer"s}, {"prune_classifier", false}});
  add(to, "removed as OpenLTH does",
      {{"method", "lth"s}, {"grid", "levels(.5, 1)"s}, {"lth_rule", "openlth"s}, {"min_keep", std::int64_t{2}}});
  add(to, "statistics computed again",
      {{"recalibrate", true}, {"normalise", "none"s}, {"nesterov", true}, {"split", "permuted"s}});
  add(to, "scoring set of held-out rows",
      {{"method", "snip"s},
       {"subset", "balanced"s},
       {"train_count", std::int64_t{20}},
       {"validation", .2},
       {"dropout", .25}});
  add(to, "three epochs of one step",
      {{"train_count", std::int64_t{4}}, {"epochs", std::int64_t{3}}, {"retrain_epochs", std::int64_t{2}}});
}

}  // namespace

Trials short_trials() {
  Trials all;
  add_networks(all);
  add_methods(all);
  add_pipelines(all);
  add_group_scores(all);
  add_augmentations(all);
  add_test_sets(all);
  add_data_sets(all);
  add_choices(all);
  return all;
}

Trials trainings() {
  Trials all;
  for (const std::int64_t batch : {32, 256})
    for (const std::string model : {"mlp:128,64", "cnn16", "resnet20b"})
      all.push_back({model + ", batch " + std::to_string(batch),
                     {{"pipeline", "train"s}, {"model", model}, {"batch", batch}, {"corruptions", "none"s}}});
  return all;
}

}  // namespace retrial::pruning::inline trial
