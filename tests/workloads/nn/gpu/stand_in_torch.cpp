#include "tests/workloads/nn/gpu/stand_in_torch.hpp"

#include <ATen/EmptyTensor.h>
#include <ATen/detail/PrivateUse1HooksInterface.h>
#include <ATen/ops/_copy_from.h>
#include <ATen/ops/as_strided_native.h>
#include <ATen/ops/empty_strided.h>
#include <ATen/ops/view_native.h>
#include <c10/core/Allocator.h>
#include <c10/core/impl/DeviceGuardImplInterface.h>
#include <sys/mman.h>
#include <torch/library.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <map>
#include <mutex>
#include <stdexcept>
#include <string>
#include <vector>

namespace retrial::tests::stand_in {
namespace {

constexpr std::size_t capacity = std::size_t{1} << 32;
std::atomic<std::int64_t> waits_so_far{0};

/// One file in memory, seen twice: by the host, and at the device's addresses, where nothing may be read.
class Memory final : public c10::Allocator {
 public:
  Memory() {
    const int file = memfd_create("stand-in", 0);
    if (file < 0 || ftruncate(file, capacity) != 0) throw std::runtime_error("no memory for the stand-in device");
    host_ = map(PROT_READ | PROT_WRITE, file);
    device_ = map(PROT_NONE, file);
    close(file);
  }

  c10::DataPtr allocate(std::size_t bytes) override {
    const std::lock_guard lock(mutex_);
    constexpr std::size_t unit = 512;
    const std::size_t size = std::max(unit, (bytes + unit - 1) / unit * unit);
    auto& free = free_[size];
    if (free.empty()) {
      if (used_ + size > capacity) throw std::runtime_error("the stand-in device is full");
      free.push_back(device_ + used_);
      used_ += size;
    }
    char* const address = free.back();
    free.pop_back();
    sizes_[address] = size;
    return {address, address, &release, device()};
  }
  c10::DeleterFnPtr raw_deleter() const override { return &release; }
  void copy_data(void* to, const void* from, std::size_t bytes) const override {
    std::memcpy(on_host(to), on_host(from), bytes);
  }

  [[nodiscard]] bool holds(const void* address) const {
    const auto* at = static_cast<const char*>(address);
    return at >= device_ && at < device_ + capacity;
  }
  [[nodiscard]] bool is_seen_by_host(const void* address) const {
    const auto* at = static_cast<const char*>(address);
    return at >= host_ && at < host_ + capacity;
  }
  [[nodiscard]] char* host_address(const void* address) const {
    return host_ + (static_cast<const char*>(address) - device_);
  }

 private:
  static char* map(int protection, int file) {
    void* const at = mmap(nullptr, capacity, protection, MAP_SHARED | MAP_NORESERVE, file, 0);
    if (at == MAP_FAILED) throw std::runtime_error("no addresses for the stand-in device");
    return static_cast<char*>(at);
  }
  static void release(void* address);
  void take_back(char* address) {
    const std::lock_guard lock(mutex_);
    free_[sizes_.at(address)].push_back(address);
  }

  char *host_ = nullptr, *device_ = nullptr;
  std::mutex mutex_;
  std::size_t used_ = 0;
  std::map<std::size_t, std::vector<char*>> free_;
  std::map<char*, std::size_t> sizes_;
};

Memory& memory() {
  static Memory* const one = new Memory;  // tensors may be released after main
  return *one;
}

void Memory::release(void* address) {
  memory().take_back(static_cast<char*>(address));
}

constexpr c10::DispatchKeySet keys(c10::DispatchKey::PrivateUse1);

at::Tensor empty(at::IntArrayRef sizes, std::optional<at::ScalarType> type, std::optional<at::Layout>,
                 std::optional<at::Device>, std::optional<bool>, std::optional<at::MemoryFormat> format) {
  return at::detail::empty_generic(sizes, &memory(), keys, type.value_or(at::kFloat), format);
}

at::Tensor empty_strided(at::IntArrayRef sizes, at::IntArrayRef strides, std::optional<at::ScalarType> type,
                         std::optional<at::Layout>, std::optional<at::Device>, std::optional<bool>) {
  return at::detail::empty_strided_generic(sizes, strides, &memory(), keys, type.value_or(at::kFloat));
}

at::Tensor strided_view(const at::Tensor& self, at::IntArrayRef sizes, at::IntArrayRef strides,
                        std::optional<std::int64_t> offset) {
  return at::native::as_strided_tensorimpl(self, sizes, strides, offset);
}

at::Tensor view(const at::Tensor& self, at::IntArrayRef sizes) {
  return at::native::view(self, sizes);
}

/// A tensor of the host over the same memory, which an operator may make larger.
at::Tensor seen_by_host(const at::Tensor& tensor) {
  if (!tensor.defined() || !tensor.is_privateuseone()) return tensor;
  void* const at = memory().host_address(static_cast<const char*>(tensor.storage().data()) +
                                         tensor.storage_offset() * static_cast<std::int64_t>(tensor.itemsize()));
  const auto bytes = at::detail::computeStorageNbytes(tensor.sizes(), tensor.strides(), tensor.itemsize());
  c10::Storage storage({}, bytes, {at, at::kCPU}, c10::GetAllocator(at::kCPU), true);
  at::Tensor seen = at::detail::make_tensor<at::TensorImpl>(std::move(storage),
                                                            c10::DispatchKeySet(c10::DispatchKey::CPU), tensor.dtype());
  seen.unsafeGetTensorImpl()->set_sizes_and_strides(tensor.sizes(), tensor.strides());
  return seen;
}

at::Tensor copy_from(const at::Tensor& from, const at::Tensor& to, bool) {
  if (from.is_privateuseone() && !to.is_privateuseone()) ++waits_so_far;
  seen_by_host(to).copy_(seen_by_host(from));
  return to;
}

at::Scalar value_of(const at::Tensor& self) {
  ++waits_so_far;
  return seen_by_host(self).item();
}

bool may_take_data_of_each_other(const at::Tensor&, const at::Tensor&) {
  return true;
}

/// A tensor of the device that an operator was given, as the host saw it.
struct Given {
  at::Tensor there, here;
};

/// An operator may have given its result another size, and memory of the host where it had too little.
void resize(const Given& given) {
  const at::Tensor &there = given.there, &here = given.here;
  if (here.numel() > 0 && !memory().is_seen_by_host(here.storage().data())) {
    const at::Tensor grown = empty_strided(here.sizes(), here.strides(), here.scalar_type(), {}, {}, {});
    seen_by_host(grown).copy_(here);
    there.unsafeGetTensorImpl()->set_storage_keep_dtype(grown.storage());
  }
  if (here.sizes() != there.sizes() || here.strides() != there.strides())
    there.unsafeGetTensorImpl()->set_sizes_and_strides(here.sizes(), here.strides());
}

/// What was given and changed in place, a view of it, or a new tensor.
at::Tensor brought_back(const at::Tensor& result, const std::vector<Given>& all) {
  if (!result.defined()) return result;
  for (const Given& given : all) {
    if (result.is_same(given.here)) return given.there;
    if (given.here.storage().data() != nullptr && result.storage().data() == given.here.storage().data())
      return strided_view(given.there, result.sizes(), result.strides(),
                          given.there.storage_offset() + result.storage_offset());
  }
  at::Tensor made = empty_strided(result.sizes(), result.strides(), result.scalar_type(), {}, {}, {});
  seen_by_host(made).copy_(result);
  return made;
}

/// f on every tensor of a value.
template <typename Change>
void change_tensors(c10::IValue& value, const Change& change) {
  if (value.isTensor()) {
    value = change(value.toTensor());
  } else if (value.isTensorList()) {
    c10::List<at::Tensor> list;
    for (const at::Tensor& one : value.toTensorVector()) list.push_back(change(one));
    value = list;
  } else if (value.isOptionalTensorList()) {
    c10::List<std::optional<at::Tensor>> list;
    for (const std::optional<at::Tensor>& one : value.toOptionalTensorVector())
      list.push_back(one ? std::optional(change(*one)) : std::nullopt);
    value = list;
  }
}

/// Any other operator: the CPU's, on the same memory.
void by_cpu(const c10::OperatorHandle& op, torch::jit::Stack* stack) {
  std::vector<Given> all;
  for (auto i = stack->size() - op.schema().arguments().size(); i < stack->size(); ++i) {
    c10::IValue& value = (*stack)[i];
    if (value.isDevice()) value = at::Device(at::kCPU);
    change_tensors(value, [&](const at::Tensor& tensor) {
      if (!tensor.defined()) return tensor;
      if (tensor.is_privateuseone()) return all.emplace_back(tensor, seen_by_host(tensor)).here;
      if (tensor.dim() > 0)
        throw std::runtime_error("a tensor of the host among those of the device: " + op.schema().name());
      return tensor;
    });
  }
  op.redispatchBoxed(c10::DispatchKeySet(c10::DispatchKey::CPU), stack);
  for (const Given& given : all) resize(given);
  for (auto i = stack->size() - op.schema().returns().size(); i < stack->size(); ++i)
    change_tensors((*stack)[i], [&](const at::Tensor& tensor) { return brought_back(tensor, all); });
}

TORCH_LIBRARY_IMPL(aten, PrivateUse1, library) {
  library.impl("empty.memory_format", &empty);
  library.impl("empty_strided", &empty_strided);
  library.impl("as_strided", &strided_view);
  library.impl("view", &view);
  library.impl("_copy_from", &copy_from);
  library.impl("_local_scalar_dense", &value_of);
  library.impl("_has_compatible_shallow_copy_type", &may_take_data_of_each_other);
  for (const char* chosen_by_device : {"convolution", "convolution_backward", "smooth_l1_loss"})
    library.impl(chosen_by_device, torch::CppFunction::makeFromBoxedFunction<&by_cpu>());
}
TORCH_LIBRARY_IMPL(_, PrivateUse1, library) {
  library.fallback(torch::CppFunction::makeFromBoxedFunction<&by_cpu>());
}

struct Guard final : c10::impl::NoOpDeviceGuardImpl<c10::DeviceType::PrivateUse1> {
  at::Device exchangeDevice(at::Device) const override { return device(); }
  at::Device getDevice() const override { return device(); }
  c10::Stream getStream(at::Device) const noexcept override { return c10::Stream(c10::Stream::DEFAULT, device()); }
  c10::Stream exchangeStream(c10::Stream) const noexcept override {
    return c10::Stream(c10::Stream::DEFAULT, device());
  }
};

struct Hooks final : at::PrivateUse1HooksInterface {
  bool hasPrimaryContext(c10::DeviceIndex) const override { return true; }
  bool isBuilt() const override { return true; }
  bool isAvailable() const override { return true; }
};

const bool registered = [] {
  static const c10::impl::DeviceGuardImplRegistrar guard(c10::DeviceType::PrivateUse1, new Guard);
  c10::register_privateuse1_backend("standin");
  at::RegisterPrivateUse1HooksInterface(new Hooks);
  return true;
}();

}  // namespace

at::Device device() {
  return {at::kPrivateUse1, 0};
}

void* on_host(const void* address) {
  return address != nullptr && memory().holds(address) ? memory().host_address(address) : const_cast<void*>(address);
}

std::int64_t waits() {
  return waits_so_far;
}

}  // namespace retrial::tests::stand_in
