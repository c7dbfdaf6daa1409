#include "workloads/distillation/trial/short_trials.hpp"

#include "workloads/data/sets/registry.hpp"
#include "workloads/distillation/methods/methods.hpp"
#include "workloads/nn/protocol/keys.hpp"

namespace retrial::distillation::inline trial {
namespace {

using std::string_literals::operator""s;
using Trials = std::vector<workloads::ShortTrial>;

/// Narrow networks with maps, batch norm and equal channels, so that they fit every method.
void add(Trials& to, const std::string& name, Values keys) {
  keys.merge(Values{{"student", "cnn2"s},
                    {"teacher", "cnn2"s},
                    {"train_count", std::int64_t{12}},
                    {"batch", std::int64_t{4}},
                    {"epochs", std::int64_t{1}},
                    {"init_epochs", std::int64_t{1}},
                    {"negatives", std::int64_t{16}},
                    {"teacher_epochs", std::int64_t{1}},
                    {"teacher_batch", std::int64_t{4}},
                    {"teacher_augment", "none"s}});
  to.push_back({name, std::move(keys)});
}

void add_methods(Trials& to) {
  for (const Method& method : all_methods()) {
    if (method.name == "uda") continue;  // among the photographs
    const std::string assistant = method.needs_assistant ? "mlp:8" : "none";
    add(to, method.name, {{"method", method.name}, {"assistant", assistant}});
    for (const std::string& mode : method.modes)
      add(to, method.name + ", " + mode, {{"method", method.name}, {"mode", mode}});
  }
}

void add_augmentations(Trials& to) {
  for (const std::string& name : nn::augmentations_of(data::find_data_set("digits")->shape))
    add(to, name, {{"student", "mlp:8"s}, {"augment", name}, {"teacher_augment", name}});
}

void add_networks(Trials& to) {
  add(to, "mlp:32 of cnn16", {{"student", "mlp:32"s}, {"teacher", "cnn16"s}, {"teacher_augment", "shift1"s}});
  add(to, "cnn8 of cnn8, at", {{"student", "cnn8"s}, {"teacher", "cnn8"s}, {"method", "at"s}});
  add(to, "resnet8b of resnet20b", {{"student", "resnet8b"s}, {"teacher", "resnet20b"s}});
  add(to, "resnet8a of wrn-10-1, vid", {{"student", "resnet8a"s}, {"teacher", "wrn-10-1"s}, {"method", "vid"s}});
  add(to, "wrn-10-1 of resnet8x4, dropout", {{"student", "wrn-10-1"s}, {"teacher", "resnet8x4"s}, {"dropout", .25}});
  add(to, "resnet8b:norelu of resnet8b:w=4, ofd",
      {{"student", "resnet8b:norelu"s}, {"teacher", "resnet8b:w=4"s}, {"method", "ofd"s}});
  add(to, "resnets without closing ReLU, reviewkd",
      {{"student", "resnet8a:w=4"s}, {"teacher", "resnet8b:w=4"s}, {"ablation", "norelu"s}, {"method", "reviewkd"s}});
  add(to, "mlp:8 of resnet10x", {{"student", "mlp:8"s}, {"teacher", "resnet10x"s}});
}

/// Color images of 8x8 from files, 4 rows.
void add_photographs(Trials& to, const std::string& name, Values keys) {
  keys.merge(Values{{"dataset", "cifar10"s}, {"downscale", std::int64_t{4}}, {"train_count", std::int64_t{4}}});
  add(to, name, std::move(keys));
}

void add_data_sets(Trials& to) {
  add_photographs(to, "photographs, uda", {{"method", "uda"s}, {"normalise", "paper"s}});
  add_photographs(to, "photographs, autoaugment of crop_flip",
                  {{"student", "mlp:8"s},
                   {"augment", "autoaugment"s},
                   {"teacher_augment", "crop_flip+autoaugment"s},
                   {"normalise", "common"s}});
  add_photographs(to, "photographs, crop_flip of autoaugment",
                  {{"student", "mlp:8"s},
                   {"augment", "crop_flip+autoaugment"s},
                   {"teacher_augment", "autoaugment"s},
                   {"rotate_sign", "positive"s},
                   {"verify", "size"s}});
  add_photographs(to, "photographs of 100 classes", {{"dataset", "cifar100"s}});
  add_photographs(to, "photographs of 16x16, resnet8s",
                  {{"student", "resnet8s"s}, {"teacher", "mlp:8"s}, {"downscale", std::int64_t{2}}});
  add(to, "digits of 28x28, lenet300",
      {{"dataset", "mnist"s}, {"files", "t10k"s}, {"student", "lenet300"s}, {"teacher", "mlp:8"s}});
  add(to, "digits of 14x14, resnet8b:w=8",
      {{"dataset", "mnist-5k"s},
       {"downscale", std::int64_t{2}},
       {"student", "resnet8b:w=8"s},
       {"teacher", "resnet8b"s}});
  add(to, "clothes", {{"dataset", "fashion"s}, {"student", "mlp:8"s}, {"teacher", "mlp:8"s}});
}

void add_choices(Trials& to) {
  add(to, "out-of-bootstrap, dropout", {{"split", "oob"s}, {"dropout", .25}, {"student", "mlp:32"s}});
  add(to, "permuted, best-val",
      {{"split", "permuted"s},
       {"subset", "balanced"s},
       {"train_count", std::int64_t{20}},
       {"validation", .2},
       {"normalise", "computed"s},
       {"select", "best-val"s}});
  add(to, "best-test, gradient norms",
      {{"select", "best-test"s}, {"normalise", "none"s}, {"gradient_norms", true}, {"nesterov", false}});
  add(to, "three epochs of one step",
      {{"train_count", std::int64_t{4}}, {"epochs", std::int64_t{3}}, {"teacher_epochs", std::int64_t{3}}});
  add(to, "mean of all elements", {{"reduction", "element_mean"s}, {"t_squared", false}, {"temperature", 2.0}});
  add(to, "dot, sum", {{"optimizer", "dot"s}, {"reduction", "sum"s}});
  add(to, "a teacher with the student's rows", {{"teacher_rows", "student"s}});
  add(to, "hint after kd, one phase", {{"method", "hint"s}, {"base", "kd"s}, {"init_epochs", std::int64_t{0}}});
  add(to, "ab after the labels", {{"method", "ab"s}, {"base", "ce"s}});
}

}  // namespace

Trials short_trials() {
  Trials all;
  add_networks(all);
  add_methods(all);
  add_augmentations(all);
  add_data_sets(all);
  add_choices(all);
  return all;
}

Trials trainings() {
  Trials all;
  for (const std::int64_t batch : {32, 256}) {
    const std::string size = ", batch " + std::to_string(batch);
    for (const std::string student : {"mlp:128", "cnn16", "resnet20b", "resnet56b", "wrn-16-2"})
      all.push_back({student + size, {{"method", "ce"s}, {"student", student}, {"batch", batch}}});
    all.push_back({"resnet20b of resnet56b, kd" + size,
                   {{"method", "kd"s}, {"student", "resnet20b"s}, {"teacher", "resnet56b"s}, {"batch", batch}}});
  }
  return all;
}

}  // namespace retrial::distillation::inline trial
