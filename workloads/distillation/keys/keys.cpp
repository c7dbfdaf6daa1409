#include "workloads/distillation/keys/keys.hpp"

#include <limits>

#include "workloads/data/augment/augment.hpp"
#include "workloads/distillation/keys/inputs.hpp"
#include "workloads/nn/protocol/keys.hpp"

namespace retrial::distillation::inline keys {
namespace {

using workloads::Range;
using workloads::Reads;
using Choices = std::vector<std::string>;

constexpr double unbounded = std::numeric_limits<double>::infinity();
constexpr Range whole_from_one{.low = 1, .high = 1e9}, whole{.low = 0, .high = 1e9},
    positive{.low = 0, .high = unbounded, .low_open = true, .high_open = true};
constexpr Range not_negative{.low = 0, .high = unbounded, .high_open = true},
    below_one{.low = 0, .high = 1, .high_open = true};

}  // namespace

std::vector<workloads::Parameter> parameters() {
  using std::string_literals::operator""s;
  std::vector<workloads::Parameter> all = data::data_parameters(
      {.train_count = "training rows of the student; 0: all. The teacher trains on those of the key teacher_rows",
       .validation = "share of the training rows to hold out for select = best-val"});
  const auto append = [&](const std::vector<workloads::Parameter>& more) {
    all.insert(all.end(), more.begin(), more.end());
  };
  append({
      {.name = "student",
       .fallback = "mlp:32"s,
       .meaning = "the model under test (retrial list models), or script:FILE, a TorchScript network of your own",
       .allowed = {},
       .may_be_script = true},
      {.name = "teacher",
       .fallback = "cnn16"s,
       .meaning = "the model to imitate, or script:FILE; trained first, then frozen",
       .allowed = {},
       .may_be_script = true},
      {"dropout", 0.0,
       "dropout rate after hidden ReLUs of mlp, on the features of cnn, between the convolutions of wrn blocks; "
       "teacher and student",
       below_one},
      {"ablation", "none"s, "norelu: remove the closing ReLU from the blocks of every resnet",
       Choices{"none", "norelu"}},
      {"method", "kd"s, "objective of the student (retrial list methods)", method_names()},
      {"w_ce", .5, "weight of the cross entropy with the labels", not_negative},
      {"w_soft", .5, "weight of the divergence from the teacher", not_negative},
      {"temperature", 4.0, "divides the logits of both networks before the softmax", Range{0, 1000, true}},
      {"t_squared", true, "multiply the divergence by the square of the temperature", {}},
      {"reduction", "batch_mean"s, "divisor of the divergence: batch, batch and classes, or none", reduction_names()},
      {.name = "assistant",
       .fallback = "none"s,
       .meaning = "takd: the model between teacher and student, trained by kd as the teacher is trained; multikd: the "
                  "second teacher",
       .allowed = {},
       .may_be_script = true},
      {"w_feat", -1.0, "weight of a method's own terms; -1: the weight of its source (retrial list methods)",
       Range{.low = -1, .high = unbounded, .high_open = true}},
      {"base", "default"s, "objective that a method's own terms are added to: cross entropy with weight 1, or kd",
       Choices{"default", "ce", "kd"}},
      {"mode", "default"s, "form of the loss, for methods with several", mode_names()},
      {"hint_layer", std::int64_t{2}, "map for method hint: 0 is the stem, 1 the first stage", Range{0, 4}},
      {"init_epochs", std::int64_t{-1},
       "epochs of the phase before the student's: the method's terms alone, or ft's paraphraser; -1: its source's, 0: "
       "none",
       Range{-1, 1e9}},
      {"negatives", std::int64_t{16384}, "negatives per sample in method crd", Range{1, 1e6}},
      {"beta", 8.0, "weight of the non-target classes in method dkd", not_negative},
      {"optimizer", "sgd"s, "dot: separate velocities for the gradients of labels and teacher", Choices{"sgd", "dot"}},
      {"dot_delta", .075, "dot: added to the momentum of the teacher's gradient, subtracted from that of the labels",
       below_one},
  });
  append(nn::training_parameters({.epochs = 60,
                                  .lr = .05,
                                  .nesterov = true,
                                  .weight_decay = 5e-4,
                                  .milestones = "1/3,2/3",
                                  .augment_mix = .5,
                                  .epochs_meaning = "epochs of the student",
                                  .lr_meaning = "learning rate of the student before the first milestone",
                                  .augment_meaning = "operator on the student's training images"}));
  append({
      {"rotate_sign", "both"s, "positive: autoaugment rotates in one direction only, for student and teacher",
       Choices{"both", "positive"}},
      {"select", "last"s, "epoch whose test accuracy is reported (best-test overfits the test set)",
       Choices{"last", "best-val", "best-test"}, Reads::evaluation},
      {"gradient_norms",
       false,
       "record the weighted gradient norm of each loss term on the first batch of each epoch",
       {},
       Reads::evaluation},
      {"teacher_cache", "off"s, "logits: compute the teacher's outputs once, in batches of 500 (no augmentation)",
       Choices{"off", "logits"}, Reads::evaluation},
      {"teacher_epochs", std::int64_t{30},
       "epochs of the teacher on the training split; 0: a teacher of script:FILE as it is", whole},
      {"teacher_lr", .05, "learning rate of the teacher before the first milestone", positive},
      {"teacher_batch", std::int64_t{32}, "batch size of the teacher", whole_from_one},
      {"teacher_augment", "shift1"s, "operator on the teacher's training images", nn::augmentation_names()},
      {"teacher_augment_mix", .5, "share of augmented images in the teacher's objective", Range{0, 1, true}},
      {.name = "teacher_rows",
       .fallback = "all"s,
       .meaning = "training rows of the teacher: all of the training split, or only those of the student",
       .allowed = Choices{"all", "student"},
       .written_at_default = false},
  });
  return all;
}

namespace {

bool rotates(const Values& values) {
  const auto turned = [&](const std::string& key) {
    const data::Operator* op = augmentation_of(values, key);
    return op != nullptr && op->name.starts_with("autoaugment");
  };
  return turned("augment") || (trains_teacher(values) && turned("teacher_augment"));
}

}  // namespace

std::vector<std::string> reads(const Values& values) {
  std::vector<std::string> keys = data::data_keys_read(values);
  const auto add = [&](const std::vector<std::string>& more) { keys.insert(keys.end(), more.begin(), more.end()); };
  add({"ablation", "student", "dropout", "method", "epochs", "batch", "lr", "momentum", "weight_decay", "milestones",
       "gamma", "select", "gradient_norms"});
  add(method_keys(values));
  const Method& method = method_of(values);
  if (text_in(values, "optimizer") != "dot") add({"nesterov"});
  if (method.name != "uda") add({"augment"});
  if (method.teacher_optional && !has_teacher(values)) add({"teacher"});
  if (has_teacher(values)) add({"teacher", "teacher_cache", "teacher_epochs"});
  if (trains_teacher(values)) add({"teacher_lr", "teacher_batch", "teacher_augment"});
  if (trains_teacher(values) && text_in(values, "teacher_augment") != "none") add({"teacher_augment_mix"});
  if (trains_teacher(values) && integer_in(values, "train_count") > 0) add({"teacher_rows"});
  if (method.name != "uda" && text_in(values, "augment") != "none") add({"augment_mix"});
  if (rotates(values)) add({"rotate_sign"});
  return keys;
}

}  // namespace retrial::distillation::inline keys
