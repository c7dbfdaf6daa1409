#include "workloads/distillation/methods/describe.hpp"

#include "results/text/text.hpp"

namespace retrial::distillation::inline methods {
namespace {

constexpr auto kd_text = "w_ce ce + w_soft soft";

/// 100, not 100.0.
std::string short_text(double weight) {
  std::string text = results::text_of(weight);
  if (text.ends_with(".0")) text.resize(text.size() - 2);
  return text;
}

std::string term_text(const TermUse& use, const Method& method) {
  const bool own_weight = use.weight_key.empty() || use.weight_key == "w_feat";
  const double weight = use.factor * (use.weight_key == "w_feat" ? method.w_feat : 1);
  const std::string factor = own_weight ? (weight == 1 ? "" : short_text(weight) + " ") : use.weight_key + " ";
  return factor + use.term + (use.warms_up ? " (warming up)" : "");
}

std::string sum_text(const Method& method) {
  std::string text;
  for (const TermUse& use : method.terms) text += (text.empty() ? "" : " + ") + term_text(use, method);
  return text;
}

}  // namespace

std::string objective_text(const Method& method) {
  const std::string base = method.base == Base::kd ? kd_text : "ce", own = sum_text(method);
  if (method.base == Base::none) return own;
  const std::string first = std::to_string(method.init_epochs) + " epochs of ";
  if (method.first == Method::First::alone && method.init_epochs > 0) return first + own + ", then " + base;
  if (method.first == Method::First::preparation) return first + "its own preparation, then " + base + " + " + own;
  return base + " + " + own;
}

std::string needs_text(const Method& method) {
  std::string text;
  const auto add = [&](const std::string& need) { text += (text.empty() ? "" : ", ") + need; };
  if (method.needs_assistant) add("assistant");
  if (method.needs.maps) add("maps");
  if (method.needs.equal_channels) add("equal channels");
  if (method.needs.equal_sizes) add("equal sizes");
  if (method.needs.norms) add("batch norm");
  if (method.needs.batch > 1) add("batches of " + std::to_string(method.needs.batch));
  return text.empty() ? "-" : text;
}

}  // namespace retrial::distillation::inline methods
