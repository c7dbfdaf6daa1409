#include "determinism/operators/recorder_torch.hpp"

#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/aminmax.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <stdexcept>

#include "results/text/text.hpp"

namespace retrial::determinism::inline operators {
namespace {

constexpr int calls_for_ranges = 4;  // calls with equal shapes and numbers; one may be the first, of zeros

// The library takes plain functions.
std::atomic<OperatorRecorder*> current = nullptr;

struct Unreadable : std::runtime_error {
  using std::runtime_error::runtime_error;
};

void read_range(const at::Tensor& tensor, Json& into) {
  if (tensor.numel() == 0 || tensor.is_complex()) return;
  const auto [low, high] = at::aminmax(tensor.detach());
  if (!tensor.is_floating_point()) {
    into["low"] = low.to(at::kLong).item<std::int64_t>();
    into["high"] = high.to(at::kLong).item<std::int64_t>();
  } else if (const double from = low.item<double>(), to = high.item<double>();
             std::isfinite(from) && std::isfinite(to)) {
    into["low"] = from;
    into["high"] = to;
  }
}

Json document_of(const at::Tensor& tensor) {
  if (!tensor.defined()) return nullptr;
  if (!tensor.is_cpu() || tensor.layout() != at::kStrided || tensor.is_quantized())
    throw Unreadable("a tensor not dense or not in memory");
  Json out{{"tensor", c10::toString(tensor.scalar_type())},
           {"sizes", tensor.sizes().vec()},
           {"strides", tensor.strides().vec()}};
  if (tensor.unsafeGetTensorImpl()->is_wrapped_number()) out["number"] = true;
  read_range(tensor, out);
  return out;
}

bool is_tensors(const c10::IValue& value) {
  if (!value.isList()) return value.isTensorList();
  const auto list = value.toListRef();
  return !list.empty() && std::ranges::all_of(list, [](const auto& item) { return item.isTensor() || item.isNone(); });
}

Json tensors(const c10::IValue& value) {
  Json out = Json::array();
  for (const c10::IValue& item : value.toListRef())
    out.push_back(item.isNone() ? Json() : document_of(item.toTensor()));
  return out;
}

Json doubles(const c10::IValue& value) {
  Json out = Json::array();
  for (const double number : value.toDoubleVector()) out.push_back(results::hex_of_bits(number));
  return out;
}

/// "size" of view, "input_sizes" of a backward pass.
bool names_lengths(const std::string& name) {
  return name == "size" || name == "sizes" || name.ends_with("_sizes") || name == "normalized_shape";
}

bool names_window(const std::string& name) {
  constexpr std::array words{"kernel_size", "stride", "padding", "dilation", "output_size", "output_padding"};
  return std::ranges::find(words, name) != words.end();
}

const char* kind_of_integers(const std::string& name) {
  return names_lengths(name) ? "lengths" : names_window(name) ? "window" : "ints";
}

Json document_of(const c10::IValue& value, const std::string& name) {
  if (value.isNone()) return nullptr;
  if (value.isTensor()) return value.toTensor().defined() ? document_of(value.toTensor()) : Json();
  if (value.isBool()) return {{"bool", value.toBool()}};
  if (value.isInt()) return {{"int", value.toInt()}};
  if (value.isDouble()) return {{"double", results::hex_of_bits(value.toDouble())}};
  if (value.isString()) return {{"text", value.toStringRef()}};
  if (value.isDevice()) return {{"device", value.toDevice().str()}};
  if (value.isIntList()) return {{kind_of_integers(name), value.toIntVector()}};
  if (value.isDoubleList()) return {{"doubles", doubles(value)}};
  if (value.isBoolList()) {
    const auto flags = value.toBoolList();
    return {{"bools", std::vector<bool>(flags.begin(), flags.end())}};
  }
  if (is_tensors(value)) return {{"tensors", tensors(value)}};
  throw Unreadable(value.tagKind());
}

template <typename T>
void append(std::string& key, const T& value) {
  key.append(reinterpret_cast<const char*>(&value), sizeof value);
}

void append(std::string& key, const at::Tensor& tensor) {
  if (!tensor.defined()) return key.push_back('u');
  append(key, tensor.scalar_type());
  for (const auto size : tensor.sizes()) append(key, size);
  if (tensor.layout() == at::kStrided)
    for (const auto stride : tensor.strides()) append(key, stride);
}

/// Equal bytes for calls with equal documents but for ranges. Many calls are looked up for one that is written down.
void append(std::string& key, const c10::IValue& value) {
  key.push_back('/');
  if (value.isTensor()) return append(key, value.toTensor());
  if (value.isInt()) return append(key, value.toInt());
  if (value.isBool()) return append(key, value.toBool());
  if (value.isDouble()) return append(key, value.toDouble());
  if (value.isString()) {
    key += value.toStringRef();
  } else if (value.isIntList()) {
    for (const auto one : value.toIntVector()) append(key, one);
  } else if (value.isList()) {
    for (const c10::IValue& item : value.toListRef()) append(key, item);
  }
}

bool takes_storage(const c10::FunctionSchema& schema) {
  return std::ranges::any_of(schema.arguments(), [](const c10::Argument& argument) {
    return argument.type()->kind() == c10::TypeKind::StorageType;
  });
}

bool computes_nothing(const c10::OperatorHandle& handle) {
  if (takes_storage(handle.schema())) return true;
  if (!handle.hasKernelForDispatchKey(c10::DispatchKey::CPU) &&
      handle.hasKernelForDispatchKey(c10::DispatchKey::CompositeImplicitAutograd))
    return true;
  const auto& returns = handle.schema().returns();
  return !returns.empty() && std::ranges::all_of(returns, [](const c10::Argument& returned) {
    return returned.alias_info() != nullptr && !returned.alias_info()->isWrite();
  });
}

}  // namespace

OperatorRecorder::OperatorRecorder() {
  OperatorRecorder* none = nullptr;
  if (!current.compare_exchange_strong(none, this)) throw std::logic_error("a second recorder of operators");
  handle_ = at::addGlobalCallback(
      at::RecordFunctionCallback(&OperatorRecorder::at_start).needsInputs(true).scopes({at::RecordScope::FUNCTION}));
}

OperatorRecorder::~OperatorRecorder() {
  at::removeCallback(handle_);
  current = nullptr;
}

std::unique_ptr<at::ObserverContext> OperatorRecorder::at_start(const at::RecordFunction& function) {
  if (OperatorRecorder* recorder = current) recorder->record(function);
  return nullptr;
}

void OperatorRecorder::record(const at::RecordFunction& function) {
  const auto name = function.operator_name();
  if (!name) return;  // a node of the backward pass; the operators inside it have names
  const std::string text = c10::toString(*name);
  const std::scoped_lock lock(mutex_);
  if (passing_.contains(text)) return;
  try {
    std::string key = text;
    for (const c10::IValue& value : function.inputs()) append(key, value);
    if (++seen_[key] > calls_for_ranges) return;
    const at::DisableRecordFunctionGuard unseen;
    const at::NoGradGuard no_grad;
    const auto handle = c10::Dispatcher::singleton().findSchema(*name);
    if (!handle) throw Unreadable("no schema");
    if (computes_nothing(*handle)) {
      passing_.insert(text);
      return;
    }
    const auto& arguments = handle->schema().arguments();
    const auto inputs = function.inputs();
    if (inputs.size() != arguments.size()) throw Unreadable("arguments other than those of its schema");
    Call call{{"operator", text}, {"arguments", Json::array()}};
    for (std::size_t i = 0; i < inputs.size(); ++i)
      call["arguments"].push_back(document_of(inputs[i], arguments[i].name()));
    add(std::move(call));
  } catch (const std::exception& error) {  // the library would only log it
    unreadable_.emplace(text, results::one_line(error.what()));
  }
}

void OperatorRecorder::add(Call call) {
  auto& floats = of_floats_[operator_of(call)];
  Call plain = call;
  const auto found = tensors_of(call), without = tensors_of(plain);
  for (std::size_t i = 0; i < found.size(); ++i) {
    without[i]->erase("low");
    without[i]->erase("high");
    if (holds_integers(*found[i]) || !found[i]->contains("low")) continue;
    const Range range{found[i]->at("low").get<double>(), found[i]->at("high").get<double>()};
    const auto [place, is_new] = floats.emplace(i, range);
    if (!is_new) place->second = {std::min(place->second.low, range.low), std::max(place->second.high, range.high)};
  }
  const auto [known, is_new] = calls_.emplace(plain.dump(), call);
  if (is_new) return;
  const auto before = tensors_of(known->second);
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (!holds_integers(*found[i]) || !found[i]->contains("low")) continue;
    (*before[i])["low"] = std::min(before[i]->at("low").get<std::int64_t>(), found[i]->at("low").get<std::int64_t>());
    (*before[i])["high"] =
        std::max(before[i]->at("high").get<std::int64_t>(), found[i]->at("high").get<std::int64_t>());
  }
}

std::vector<Call> OperatorRecorder::calls() const {
  std::vector<Call> out;
  for (const auto& [_, recorded] : calls_) {
    Call call = recorded;
    const auto& floats = of_floats_.at(operator_of(call));
    const auto found = tensors_of(call);
    for (std::size_t i = 0; i < found.size(); ++i)
      if (const auto range = floats.find(i); range != floats.end() && !holds_integers(*found[i])) {
        (*found[i])["low"] = range->second.low;
        (*found[i])["high"] = range->second.high;
      }
    out.push_back(std::move(call));
  }
  std::ranges::stable_sort(out, {}, operator_of);
  return out;
}

}  // namespace retrial::determinism::inline operators
