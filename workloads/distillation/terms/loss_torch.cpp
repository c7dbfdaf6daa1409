#include "workloads/distillation/terms/loss_torch.hpp"

#include <map>
#include <stdexcept>

namespace retrial::distillation::inline terms {
namespace {

std::map<std::string, MakeLoss>& registered_losses() {
  static std::map<std::string, MakeLoss> table;
  return table;
}

class FunctionLoss final : public Loss {
 public:
  using Value = at::Tensor (*)(const Sight&, const Options&);
  FunctionLoss(Value function, Options options) : function_(function), options_(std::move(options)) {}
  at::Tensor value(const Sight& sight) override { return function_(sight, options_); }

 private:
  Value function_;
  Options options_;
};

}  // namespace

at::Tensor Loss::preparation(const Sight&) {
  throw std::logic_error("preparation of a loss that has none");
}

RegisterLoss::RegisterLoss(const std::string& term, MakeLoss make) {
  if (!registered_losses().emplace(term, std::move(make)).second)
    throw std::logic_error("loss " + term + " is registered twice");
}

MakeLoss function_loss(at::Tensor (*value)(const Sight& sight, const Options& options)) {
  return [value](const Setting& setting) { return std::make_unique<FunctionLoss>(value, setting.options); };
}

std::unique_ptr<Loss> make_loss(const std::string& term, const Setting& setting) {
  const auto found = registered_losses().find(term);
  if (found == registered_losses().end())
    throw std::logic_error("a method names the term " + term + ", which has no loss");
  return found->second(setting);
}

std::vector<std::string> registered_terms() {
  std::vector<std::string> names;
  for (const auto& [name, make] : registered_losses()) names.push_back(name);
  return names;
}

}  // namespace retrial::distillation::inline terms
