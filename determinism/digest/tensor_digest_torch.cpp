#include "determinism/digest/tensor_digest_torch.hpp"

#include <c10/core/Layout.h>

#include "variance/numbers/error.hpp"

namespace retrial::determinism::inline digest {
namespace {

// The codes up to 15 are the library's own numbers; later types have codes above 0x80.
DType dtype_of(const at::Tensor& tensor) {
  const int number = static_cast<int>(tensor.scalar_type());
  constexpr int last_named = static_cast<int>(DType::bfloat16);
  return static_cast<DType>(number <= last_named ? number : 0x80 + number);
}

void refuse_unreadable(const at::Tensor& tensor) {
  const auto refuse = [](const char* what) { throw InvalidInput("tensor", what, "dense tensors with data"); };
  if (tensor.is_meta()) refuse("meta");
  if (tensor.layout() != c10::kStrided) refuse("sparse or opaque layout");
  if (tensor.is_quantized()) refuse("quantized");
  if (tensor.is_nested()) refuse("nested");
}

}  // namespace

Psum2 tensor_digest(const at::Tensor& tensor) {
  if (!tensor.defined()) return psum2_finish({}, DType::undefined, {});
  refuse_unreadable(tensor);
  const at::Tensor rows = tensor.resolve_conj().resolve_neg().cpu().contiguous();
  const auto sizes = rows.sizes();
  return psum2(dtype_of(rows), {sizes.data(), sizes.size()},
               {static_cast<const std::byte*>(rows.const_data_ptr()), rows.nbytes()});
}

Psum2 tensor_digest(const std::vector<std::pair<std::string, at::Tensor>>& tensors) {
  std::vector<std::pair<std::string, Psum2>> entries;
  entries.reserve(tensors.size());
  for (const auto& [name, tensor] : tensors) entries.emplace_back(name, tensor_digest(tensor));
  return digest_list(entries);
}

}  // namespace retrial::determinism::inline digest
