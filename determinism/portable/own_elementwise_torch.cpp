#include <ATen/TensorIterator.h>
#include <ATen/ops/log_cpu_dispatch.h>
#include <ATen/ops/pow_cpu_dispatch.h>
#include <ATen/ops/sqrt_cpu_dispatch.h>

#include "determinism/portable/elementwise.hpp"
#include "determinism/portable/registered_torch.hpp"

namespace retrial::determinism::inline portable {
namespace {

/// The type that a function of real numbers computes in: integers become the default type.
at::ScalarType computed_type(const at::Tensor& x) {
  return at::isIntegralType(x.scalar_type(), true) ? at::typeMetaToScalarType(at::get_default_dtype())
                                                   : x.scalar_type();
}

template <typename T>
void root_row(char** data, const std::int64_t* strides, std::int64_t count) {
  constexpr std::int64_t dense = sizeof(T);
  if (strides[0] == dense && strides[1] == dense)
    return square_roots(reinterpret_cast<const T*>(data[1]), reinterpret_cast<T*>(data[0]), count);
  for (std::int64_t i = 0; i < count; ++i)
    square_roots(reinterpret_cast<const T*>(data[1] + i * strides[1]), reinterpret_cast<T*>(data[0] + i * strides[0]),
                 1);
}

void log_row(char** data, const std::int64_t* strides, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i)
    *reinterpret_cast<double*>(data[0] + i * strides[0]) =
        natural_log(*reinterpret_cast<const double*>(data[1] + i * strides[1]));
}

/// `result` undefined: a new tensor.
at::Tensor root_into(at::Tensor result, const at::Tensor& x) {
  auto iterator = at::TensorIterator::unary_float_op(result, x);
  iterator.for_each(iterator.common_dtype() == at::kFloat ? root_row<float> : root_row<double>);
  iterator.cast_outputs();
  return iterator.output();
}

at::Tensor log_into(at::Tensor result, const at::Tensor& x) {
  auto iterator = at::TensorIterator::unary_float_op(result, x);
  iterator.for_each(log_row);
  iterator.cast_outputs();
  return iterator.output();
}

at::Tensor sqrt(const at::Tensor& self) {
  return is_own_type(computed_type(self)) ? root_into({}, self) : at::cpu::sqrt(self);
}
at::Tensor& sqrt_out(const at::Tensor& self, at::Tensor& out) {
  if (!is_own_type(computed_type(self))) return at::cpu::sqrt_outf(self, out);
  root_into(out, self);
  return out;
}
at::Tensor& sqrt_in_place(at::Tensor& self) {
  return sqrt_out(self, self);
}

at::Tensor log(const at::Tensor& self) {
  return computed_type(self) == at::kDouble ? log_into({}, self) : at::cpu::log(self);
}
at::Tensor& log_out(const at::Tensor& self, at::Tensor& out) {
  if (computed_type(self) != at::kDouble) return at::cpu::log_outf(self, out);
  log_into(out, self);
  return out;
}
at::Tensor& log_in_place(at::Tensor& self) {
  return log_out(self, self);
}

bool is_half(const at::Scalar& exponent) {
  return exponent.isFloatingPoint() && exponent.to<double>() == .5;
}
at::Tensor pow(const at::Tensor& self, const at::Scalar& exponent) {
  return is_half(exponent) ? portable::sqrt(self) : at::cpu::pow(self, exponent);
}
at::Tensor& pow_out(const at::Tensor& self, const at::Scalar& exponent, at::Tensor& out) {
  return is_half(exponent) ? sqrt_out(self, out) : at::cpu::pow_outf(self, exponent, out);
}
at::Tensor& pow_in_place(at::Tensor& self, const at::Scalar& exponent) {
  return pow_out(self, exponent, self);
}

}  // namespace

void add_elementwise(torch::Library& library) {
  library.impl("sqrt", TORCH_FN(portable::sqrt));
  library.impl("sqrt.out", TORCH_FN(sqrt_out));
  library.impl("sqrt_", TORCH_FN(sqrt_in_place));
  library.impl("log", TORCH_FN(portable::log));
  library.impl("log.out", TORCH_FN(log_out));
  library.impl("log_", TORCH_FN(log_in_place));
  library.impl("pow.Tensor_Scalar", TORCH_FN(portable::pow));
  library.impl("pow.Tensor_Scalar_out", TORCH_FN(pow_out));
  library.impl("pow_.Scalar", TORCH_FN(pow_in_place));
}

}  // namespace retrial::determinism::inline portable
