#include "determinism/operators/replay_torch.hpp"

#include <ATen/core/List.h>
#include <ATen/core/Tensor.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/scalar_tensor.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "determinism/digest/tensor_digest_torch.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "variance/random/rng.hpp"

namespace retrial::determinism::inline operators {
namespace {

using Named = std::vector<std::pair<std::string, at::Tensor>>;
using OptionalTensors = c10::List<std::optional<at::Tensor>>;

at::ScalarType dtype_named(const std::string& name) {
  for (int number = 0; number < static_cast<int>(at::ScalarType::NumOptions); ++number)
    if (name == c10::toString(static_cast<at::ScalarType>(number))) return static_cast<at::ScalarType>(number);
  throw std::invalid_argument("no type " + name);
}

/// The arguments of one call; every tensor has a key of its own.
class Inputs {
 public:
  explicit Inputs(std::uint64_t key) : key_(key) {}

  c10::IValue value(const Json& argument, const c10::TypePtr& type) {
    if (argument.is_null())
      return type->kind() == c10::TypeKind::TensorType ? c10::IValue(at::Tensor()) : c10::IValue();
    const auto entry = argument.begin();
    const std::string& kind = entry.key();
    const Json& content = entry.value();
    if (argument.contains("tensor")) return tensor(argument);
    if (kind == "tensors") return tensors(content, type);
    if (kind == "lengths" || kind == "window" || kind == "ints") return content.get<std::vector<std::int64_t>>();
    if (kind == "int") return content.get<std::int64_t>();
    if (kind == "bool") return content.get<bool>();
    if (kind == "double") return number(content);
    if (kind == "text") return content.get<std::string>();
    if (kind == "device") return c10::Device(content.get<std::string>());
    if (kind == "bools") {
      c10::List<bool> flags;
      for (const auto& flag : content) flags.push_back(flag.get<bool>());
      return flags;
    }
    if (kind == "doubles") {
      c10::List<double> numbers;
      for (const auto& text : content) numbers.push_back(number(text));
      return numbers;
    }
    throw std::invalid_argument("no argument of the kind " + kind);
  }
  [[nodiscard]] const Named& drawn() const { return drawn_; }

 private:
  static double number(const Json& text) { return results::double_from_hex(text.get<std::string>()).value(); }

  at::Tensor tensor(const Json& shape) {
    const auto sizes = shape.at("sizes").get<std::vector<std::int64_t>>(),
               strides = shape.at("strides").get<std::vector<std::int64_t>>();
    std::int64_t extent = 1;
    for (std::size_t i = 0; i < sizes.size(); ++i) extent = sizes[i] == 0 ? 0 : extent + (sizes[i] - 1) * strides[i];
    const auto name = std::to_string(drawn_.size());
    at::Tensor out =
        values(shape, std::max<std::int64_t>(extent, 0), variance::derive(key_, name)).as_strided(sizes, strides);
    if (shape.contains("number")) out.unsafeGetTensorImpl()->set_wrapped_number(true);
    drawn_.emplace_back("argument " + name, out);
    return out;
  }

  static at::Tensor values(const Json& shape, std::int64_t count, std::uint64_t key) {
    const auto dtype = dtype_named(shape.at("tensor").get<std::string>());
    variance::Stream stream(key);
    if (at::isFloatingType(dtype)) {
      double low = shape.value("low", -1.0), high = shape.value("high", 1.0);
      if (low == high) low = -1, high = 1;
      return filled<double>(at::kDouble, count, [&] { return variance::uniform(stream.next(), low, high); }).to(dtype);
    }
    const auto low = shape.value("low", std::int64_t{0});
    const auto width = static_cast<std::uint64_t>(shape.value("high", std::int64_t{1}) - low) + 1;
    return filled<std::int64_t>(
               at::kLong, count,
               [&] { return low + static_cast<std::int64_t>(variance::bounded(stream.next(), width)); })
        .to(dtype);
  }

  /// Large tensors repeat their first values, at a period that no vector or block divides.
  template <typename T, typename Draw>
  static at::Tensor filled(at::ScalarType dtype, std::int64_t count, Draw&& draw) {
    constexpr std::int64_t period = 4'099;
    at::Tensor out = at::empty({count}, dtype);
    T* const values = out.mutable_data_ptr<T>();
    for (std::int64_t i = 0; i < count; ++i) values[i] = i < period ? draw() : values[i - period];
    return out;
  }

  c10::IValue tensors(const Json& content, const c10::TypePtr& type) {
    if (type->expectRef<c10::ListType>().getElementType()->kind() == c10::TypeKind::OptionalType) {
      OptionalTensors list;
      for (const auto& item : content) list.push_back(item.is_null() ? std::nullopt : std::optional(tensor(item)));
      return list;
    }
    c10::List<at::Tensor> list;
    for (const auto& item : content) list.push_back(item.is_null() ? at::Tensor() : tensor(item));
    return list;
  }

  std::uint64_t key_;
  Named drawn_;
};

void add_returned(const c10::IValue& value, const std::string& name, Named& to) {
  if (value.isTensor()) {
    to.emplace_back(name, value.toTensor());
  } else if (value.isTensorList()) {
    std::size_t place = 0;
    for (const at::Tensor& tensor : value.toTensorVector())
      to.emplace_back(name + "." + std::to_string(place++), tensor);
  } else if (value.isScalar()) {
    to.emplace_back(name, at::scalar_tensor(value.toScalar(), value.isDouble() ? at::kDouble : at::kLong));
  } else if (!value.isNone()) {
    throw std::invalid_argument("a returned " + value.tagKind());
  }
}

}  // namespace

c10::OperatorHandle operator_handle(const std::string& name) {
  const auto overload = name.find('.');
  const c10::OperatorName parts(name.substr(0, overload),
                                overload == std::string::npos ? "" : name.substr(overload + 1));
  if (const auto found = c10::Dispatcher::singleton().findSchema(parts)) return *found;
  throw Error({.exit = Exit::measurement,
               .code = "operators.unknown",
               .where = "replay",
               .field = name,
               .problem = "this LibTorch has no such operator"});
}

Replayed replay(const Call& call, std::uint64_t draw) {
  const at::NoGradGuard no_grad;
  const auto handle = operator_handle(operator_of(call));
  Inputs inputs(variance::derive(variance::derive(variance::fnv1a64(call.dump()), "operators"), draw));
  torch::jit::Stack stack;
  const auto& arguments = call.at("arguments");
  for (std::size_t i = 0; i < arguments.size(); ++i)
    stack.push_back(inputs.value(arguments[i], handle.schema().arguments().at(i).type()));
  handle.callBoxed(stack);
  Named digested;
  for (std::size_t i = 0; i < stack.size(); ++i) add_returned(stack[i], "returned " + std::to_string(i), digested);
  Replayed out;
  for (const auto& [_, tensor] : digested)
    if (tensor.defined()) out.returned = std::max(out.returned, tensor.numel());
  digested.insert(digested.end(), inputs.drawn().begin(), inputs.drawn().end());
  out.digest = tensor_digest(digested);
  return out;
}

}  // namespace retrial::determinism::inline operators
