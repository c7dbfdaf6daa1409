#include <ATen/EmptyTensor.h>
#include <ATen/ExpandUtils.h>
#include <ATen/native/Resize.h>
#include <ATen/ops/addmm_cpu_dispatch.h>
#include <ATen/ops/addmv_cpu_dispatch.h>
#include <ATen/ops/baddbmm_cpu_dispatch.h>
#include <ATen/ops/bmm_cpu_dispatch.h>
#include <ATen/ops/dot_cpu_dispatch.h>
#include <ATen/ops/mm_cpu_dispatch.h>

#include "determinism/portable/product.hpp"
#include "determinism/portable/registered_torch.hpp"

// Wrong arguments and types that are not ours go to the library, which has its own errors. The forms that write into a
// given tensor copy: then that tensor may overlap the arguments.

namespace retrial::determinism::inline portable {
namespace {

bool multipliable(const at::Tensor& a, const at::Tensor& b, std::int64_t dimensions) {
  return a.dim() == dimensions && b.dim() == dimensions && is_own_type(a.scalar_type()) &&
         a.scalar_type() == b.scalar_type() && a.size(-1) == b.size(-2) && (dimensions == 2 || a.size(0) == b.size(0));
}

bool addable(const at::Tensor& self, const at::Tensor& a, at::IntArrayRef sizes) {
  return self.scalar_type() == a.scalar_type() && at::is_expandable_to(self.sizes(), sizes);
}

at::Tensor fresh(at::IntArrayRef sizes, const at::Tensor& like) {
  return at::Tensor(at::detail::empty_cpu(sizes, like.options()));
}

at::Tensor& copied(const at::Tensor& result, at::Tensor& out) {
  at::native::resize_output(out, result.sizes());
  return out.copy_(result);
}

/// The matrix of the last two dimensions at place `batch` of the first of three.
template <typename T>
Matrix<T> matrix(T* data, const at::Tensor& x, std::int64_t batch) {
  if (x.dim() == 3) data += batch * x.stride(0);
  return {data, x.size(-2), x.size(-1), x.stride(-2), x.stride(-1)};
}

template <typename T>
void multiply_matrices(const at::Tensor& a, const at::Tensor& b, const at::Tensor& result, const at::Tensor& self,
                       const at::Scalar& beta, const at::Scalar& alpha) {
  Product<T> product{.alpha = alpha.to<T>(), .beta = self.defined() ? beta.to<T>() : T{0}};
  const std::int64_t count = result.dim() == 3 ? result.size(0) : 1;
  for (std::int64_t i = 0; i < count; ++i) {
    product.a = matrix(a.const_data_ptr<T>(), a, i);
    product.b = matrix(b.const_data_ptr<T>(), b, i);
    product.result = matrix(result.mutable_data_ptr<T>(), result, i);
    if (product.beta != 0) product.self = matrix(self.const_data_ptr<T>(), self, i);
    multiply(product);
  }
}

/// beta * self + alpha * (a b) of the shape `sizes`; `self` undefined: nothing is added.
at::Tensor computed(const at::Tensor& a, const at::Tensor& b, at::IntArrayRef sizes, const at::Tensor& self = {},
                    const at::Scalar& beta = 0, const at::Scalar& alpha = 1) {
  at::Tensor result = fresh(sizes, a);
  const at::Tensor added = self.defined() ? self.expand(sizes) : self;
  if (a.scalar_type() == at::kFloat)
    multiply_matrices<float>(a, b, result, added, beta, alpha);
  else
    multiply_matrices<double>(a, b, result, added, beta, alpha);
  return result;
}

at::Tensor mm(const at::Tensor& self, const at::Tensor& mat2) {
  if (!multipliable(self, mat2, 2)) return at::cpu::mm(self, mat2);
  return computed(self, mat2, {self.size(0), mat2.size(1)});
}
at::Tensor& mm_out(const at::Tensor& self, const at::Tensor& mat2, at::Tensor& out) {
  if (!multipliable(self, mat2, 2) || out.scalar_type() != self.scalar_type()) return at::cpu::mm_outf(self, mat2, out);
  return copied(portable::mm(self, mat2), out);
}

bool own_addmm(const at::Tensor& self, const at::Tensor& a, const at::Tensor& b) {
  return multipliable(a, b, 2) && addable(self, a, {a.size(0), b.size(1)});
}
at::Tensor addmm(const at::Tensor& self, const at::Tensor& mat1, const at::Tensor& mat2, const at::Scalar& beta,
                 const at::Scalar& alpha) {
  if (!own_addmm(self, mat1, mat2)) return at::cpu::addmm(self, mat1, mat2, beta, alpha);
  return computed(mat1, mat2, {mat1.size(0), mat2.size(1)}, self, beta, alpha);
}
at::Tensor& addmm_out(const at::Tensor& self, const at::Tensor& mat1, const at::Tensor& mat2, const at::Scalar& beta,
                      const at::Scalar& alpha, at::Tensor& out) {
  if (!own_addmm(self, mat1, mat2) || out.scalar_type() != self.scalar_type())
    return at::cpu::addmm_outf(self, mat1, mat2, beta, alpha, out);
  return copied(portable::addmm(self, mat1, mat2, beta, alpha), out);
}
at::Tensor& addmm_in_place(at::Tensor& self, const at::Tensor& mat1, const at::Tensor& mat2, const at::Scalar& beta,
                           const at::Scalar& alpha) {
  const bool own = own_addmm(self, mat1, mat2) && self.sizes() == at::IntArrayRef{mat1.size(0), mat2.size(1)};
  if (!own) return at::cpu::addmm_(self, mat1, mat2, beta, alpha);
  return self.copy_(portable::addmm(self, mat1, mat2, beta, alpha));
}

at::Tensor bmm(const at::Tensor& self, const at::Tensor& mat2) {
  if (!multipliable(self, mat2, 3)) return at::cpu::bmm(self, mat2);
  return computed(self, mat2, {self.size(0), self.size(1), mat2.size(2)});
}
at::Tensor& bmm_out(const at::Tensor& self, const at::Tensor& mat2, at::Tensor& out) {
  if (!multipliable(self, mat2, 3) || out.scalar_type() != self.scalar_type())
    return at::cpu::bmm_outf(self, mat2, out);
  return copied(portable::bmm(self, mat2), out);
}

bool own_baddbmm(const at::Tensor& self, const at::Tensor& a, const at::Tensor& b) {
  return multipliable(a, b, 3) && addable(self, a, {a.size(0), a.size(1), b.size(2)});
}
at::Tensor baddbmm(const at::Tensor& self, const at::Tensor& batch1, const at::Tensor& batch2, const at::Scalar& beta,
                   const at::Scalar& alpha) {
  if (!own_baddbmm(self, batch1, batch2)) return at::cpu::baddbmm(self, batch1, batch2, beta, alpha);
  return computed(batch1, batch2, {batch1.size(0), batch1.size(1), batch2.size(2)}, self, beta, alpha);
}
at::Tensor& baddbmm_out(const at::Tensor& self, const at::Tensor& batch1, const at::Tensor& batch2,
                        const at::Scalar& beta, const at::Scalar& alpha, at::Tensor& out) {
  if (!own_baddbmm(self, batch1, batch2) || out.scalar_type() != self.scalar_type())
    return at::cpu::baddbmm_outf(self, batch1, batch2, beta, alpha, out);
  return copied(portable::baddbmm(self, batch1, batch2, beta, alpha), out);
}
at::Tensor& baddbmm_in_place(at::Tensor& self, const at::Tensor& batch1, const at::Tensor& batch2,
                             const at::Scalar& beta, const at::Scalar& alpha) {
  const bool own = own_baddbmm(self, batch1, batch2) &&
                   self.sizes() == at::IntArrayRef{batch1.size(0), batch1.size(1), batch2.size(2)};
  if (!own) return at::cpu::baddbmm_(self, batch1, batch2, beta, alpha);
  return self.copy_(portable::baddbmm(self, batch1, batch2, beta, alpha));
}

bool own_addmv(const at::Tensor& self, const at::Tensor& mat, const at::Tensor& vec) {
  return mat.dim() == 2 && vec.dim() == 1 && multipliable(mat, vec.unsqueeze(1), 2) &&
         addable(self, mat, {mat.size(0)});
}
at::Tensor addmv(const at::Tensor& self, const at::Tensor& mat, const at::Tensor& vec, const at::Scalar& beta,
                 const at::Scalar& alpha) {
  if (!own_addmv(self, mat, vec)) return at::cpu::addmv(self, mat, vec, beta, alpha);
  const std::int64_t rows = mat.size(0);
  return computed(mat, vec.unsqueeze(1), {rows, 1}, self.expand({rows}).unsqueeze(1), beta, alpha).squeeze(1);
}
at::Tensor& addmv_out(const at::Tensor& self, const at::Tensor& mat, const at::Tensor& vec, const at::Scalar& beta,
                      const at::Scalar& alpha, at::Tensor& out) {
  if (!own_addmv(self, mat, vec) || out.scalar_type() != self.scalar_type())
    return at::cpu::addmv_outf(self, mat, vec, beta, alpha, out);
  return copied(portable::addmv(self, mat, vec, beta, alpha), out);
}
at::Tensor& addmv_in_place(at::Tensor& self, const at::Tensor& mat, const at::Tensor& vec, const at::Scalar& beta,
                           const at::Scalar& alpha) {
  if (!own_addmv(self, mat, vec) || self.sizes() != at::IntArrayRef{mat.size(0)})
    return at::cpu::addmv_(self, mat, vec, beta, alpha);
  return self.copy_(portable::addmv(self, mat, vec, beta, alpha));
}

template <typename T>
at::Tensor dot_of(const at::Tensor& x, const at::Tensor& y) {
  at::Tensor result = fresh({}, x);
  *result.mutable_data_ptr<T>() =
      dot_product(x.const_data_ptr<T>(), x.stride(0), y.const_data_ptr<T>(), y.stride(0), x.numel());
  return result;
}
at::Tensor dot(const at::Tensor& self, const at::Tensor& tensor) {
  if (self.dim() != 1 || tensor.dim() != 1 || !is_own_type(self.scalar_type()) ||
      self.scalar_type() != tensor.scalar_type() || self.numel() != tensor.numel())
    return at::cpu::dot(self, tensor);
  return self.scalar_type() == at::kFloat ? dot_of<float>(self, tensor) : dot_of<double>(self, tensor);
}

}  // namespace

void add_products(torch::Library& library) {
  library.impl("mm", TORCH_FN(portable::mm));
  library.impl("mm.out", TORCH_FN(mm_out));
  library.impl("addmm", TORCH_FN(portable::addmm));
  library.impl("addmm.out", TORCH_FN(addmm_out));
  library.impl("addmm_", TORCH_FN(addmm_in_place));
  library.impl("bmm", TORCH_FN(portable::bmm));
  library.impl("bmm.out", TORCH_FN(bmm_out));
  library.impl("baddbmm", TORCH_FN(portable::baddbmm));
  library.impl("baddbmm.out", TORCH_FN(baddbmm_out));
  library.impl("baddbmm_", TORCH_FN(baddbmm_in_place));
  library.impl("addmv", TORCH_FN(portable::addmv));
  library.impl("addmv.out", TORCH_FN(addmv_out));
  library.impl("addmv_", TORCH_FN(addmv_in_place));
  library.impl("dot", TORCH_FN(portable::dot));
}

}  // namespace retrial::determinism::inline portable
