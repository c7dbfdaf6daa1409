#include "determinism/digest/tensor_digest_torch.hpp"

#include <c10/core/Layout.h>

#include "determinism/digest/psum2_cuda.hpp"
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

namespace {

/// In row-major order, where the tensor is, if its lanes can be summed there; else on the host.
at::Tensor rows_of(const at::Tensor& tensor) {
  const at::Tensor plain = tensor.resolve_conj().resolve_neg();
  return (lanes_on_device() == nullptr ? plain.cpu() : plain).contiguous();
}

/// Those on a device in one launch, for which the host waits once.
std::vector<Psum2> digests_of(const std::vector<at::Tensor>& tensors) {
  std::vector<at::Tensor> rows(tensors.size());
  std::vector<Lanes> lanes(tensors.size());
  std::vector<DeviceBytes> there;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    if (!tensors[i].defined()) continue;
    refuse_unreadable(tensors[i]);
    rows[i] = rows_of(tensors[i]);
    if (rows[i].is_cpu())
      lanes[i] = psum2_part({static_cast<const std::byte*>(rows[i].const_data_ptr()), rows[i].nbytes()}, 0);
    else
      there.push_back({.data = rows[i].const_data_ptr(), .bytes = rows[i].nbytes()});
  }
  std::vector<Lanes> found;
  if (!there.empty()) found = lanes_on_device()(there);
  auto next = found.begin();
  std::vector<Psum2> digests;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    if (!rows[i].defined()) {
      digests.push_back(psum2_finish({}, DType::undefined, {}));
      continue;
    }
    if (!rows[i].is_cpu()) lanes[i] = *next++;
    const auto sizes = rows[i].sizes();
    digests.push_back(psum2_finish(lanes[i], dtype_of(rows[i]), {sizes.data(), sizes.size()}));
  }
  return digests;
}

}  // namespace

Psum2 tensor_digest(const at::Tensor& tensor) {
  return digests_of({tensor}).front();
}

Psum2 tensor_digest(const std::vector<std::pair<std::string, at::Tensor>>& tensors) {
  std::vector<at::Tensor> all;
  for (const auto& [name, tensor] : tensors) all.push_back(tensor);
  const std::vector<Psum2> digests = digests_of(all);
  std::vector<std::pair<std::string, Psum2>> entries;
  for (std::size_t i = 0; i < tensors.size(); ++i) entries.emplace_back(tensors[i].first, digests[i]);
  return digest_list(entries);
}

}  // namespace retrial::determinism::inline digest
