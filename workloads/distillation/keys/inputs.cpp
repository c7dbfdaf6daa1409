#include "workloads/distillation/keys/inputs.hpp"

#include "variance/numbers/error.hpp"
#include "workloads/interface/script_name.hpp"

namespace retrial::distillation::inline keys {

nn::Architecture architecture_of(const Values& values, const std::string& key) {
  const std::string& name = text_in(values, key);
  if (text_in(values, "ablation") == "none") return nn::parse_architecture(name, key);
  const auto changed = nn::without_closing_relu(nn::parse_architecture(name, key).name);
  if (!changed)
    throw InvalidInput("ablation", "norelu", "none with " + key + " = " + name + ", whose blocks have no closing ReLU");
  return nn::parse_architecture(*changed, key);
}

const data::Operator* augmentation_of(const Values& values, const std::string& key) {
  const bool own = key == "augment" && method_of(values).name == "uda";
  const std::string& name = own ? "autoaugment" : text_in(values, key);
  if (name == "none") return nullptr;
  const auto sign = text_in(values, "rotate_sign") == "positive" ? data::RotateSign::positive : data::RotateSign::both;
  return &data::find_augmentation(name, sign);
}

bool is_script(const Values& values, const std::string& key) {
  return workloads::names_script(text_in(values, key));
}

bool trains_teacher(const Values& values) {
  return has_teacher(values) && integer_in(values, "teacher_epochs") > 0;
}

bool teacher_shares_rows(const Values& values) {
  return text_in(values, "teacher_rows") == "student";
}

}  // namespace retrial::distillation::inline keys
