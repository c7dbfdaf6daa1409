#include "workloads/nn/protocol/keys.hpp"

#include <limits>

#include "workloads/data/augment/augment.hpp"

namespace retrial::nn::inline protocol {

using workloads::Range, workloads::Reads;

std::vector<workloads::Parameter> training_parameters(const TrainingDefaults& defaults) {
  using std::string_literals::operator""s;
  constexpr double unbounded = std::numeric_limits<double>::infinity();
  constexpr Range whole_from_one{.low = 1, .high = 1e9}, whole{.low = 0, .high = 1e9},
      positive{.low = 0, .high = unbounded, .low_open = true, .high_open = true},
      not_negative{.low = 0, .high = unbounded, .high_open = true}, below_one{.low = 0, .high = 1, .high_open = true};
  return {
      {"epochs", defaults.epochs, defaults.epochs_meaning, defaults.may_have_no_epochs ? whole : whole_from_one},
      {"batch", std::int64_t{32}, "batch size; a last, shorter batch is kept", whole_from_one},
      {"lr", defaults.lr, defaults.lr_meaning, positive},
      {"momentum", .9, "share of the velocity kept at each step", below_one},
      {"nesterov", defaults.nesterov, "use Nesterov momentum: the step looks ahead along the velocity", {}},
      {"weight_decay", defaults.weight_decay, "weight decay of all parameters, including biases and batch norm",
       not_negative},
      {"milestones",
       defaults.milestones,
       "epochs, or exact shares of the epochs, at which the learning rate is multiplied by gamma",
       {},
       Reads::schedule},
      {"gamma", .1, "factor of the learning rate at a milestone", Range{0, 1, true}, Reads::schedule},
      {"augment", "none"s, defaults.augment_meaning, augmentation_names()},
      {"augment_mix", defaults.augment_mix, "share of augmented images in the objective; 1: only augmented images",
       Range{0, 1, true}},
  };
}

std::vector<std::string> augmentation_names() {
  std::vector<std::string> names{"none"};
  for (const data::Operator& op : data::augmentations())
    if (!op.name.ends_with("_positive")) names.push_back(op.name);  // a variant, chosen by another key
  return names;
}

std::vector<std::string> augmentations_of(const data::Shape& shape) {
  std::vector<std::string> names;
  for (const std::string& name : augmentation_names())
    if (name != "none" && data::augmentation_problem(data::find_augmentation(name), shape).empty())
      names.push_back(name);
  return names;
}

}  // namespace retrial::nn::inline protocol
