#include "workloads/automl/problems/onnx.hpp"

#include <bit>
#include <cstring>
#include <stdexcept>

namespace retrial::automl::inline problems {
namespace {

// onnx.proto: fields of a model, a graph and a tensor.
constexpr std::uint64_t graph_of_model = 7, initializer_of_graph = 5;
constexpr std::uint64_t dims = 1, data_type = 2, name_of_tensor = 8, raw_data = 9;
constexpr std::uint64_t float32 = 1;

[[noreturn]] void malformed() {
  throw std::invalid_argument("is not an ONNX file of float32 initializers");
}

struct Field {
  std::uint64_t number = 0, value = 0;  ///< value: of a varint
  std::string_view bytes;               ///< of a length-delimited field
  bool delimited = false;
};

/// The fields of one protobuf message, in order.
class Message {
 public:
  explicit Message(std::string_view bytes) : rest_(bytes) {}
  bool next(Field& field) {
    if (rest_.empty()) return false;
    const auto key = varint();
    field = {.number = key >> 3};
    switch (key & 7) {
      case 0:
        field.value = varint();
        return true;
      case 1:
        take(8);
        return true;
      case 2:
        field.bytes = take(varint());
        field.delimited = true;
        return true;
      case 5:
        take(4);
        return true;
      default:
        malformed();
    }
  }
  std::uint64_t varint() {
    std::uint64_t out = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      const auto byte = static_cast<unsigned char>(take(1).front());
      out |= static_cast<std::uint64_t>(byte & 127) << shift;
      if (byte < 128) return out;
    }
    malformed();
  }
  [[nodiscard]] bool empty() const { return rest_.empty(); }

 private:
  std::string_view take(std::uint64_t count) {
    if (count > rest_.size()) malformed();
    const auto out = rest_.substr(0, count);
    rest_.remove_prefix(count);
    return out;
  }
  std::string_view rest_;
};

/// Tensors are small here; a product that overflows must not pass for one.
std::uint64_t elements(const std::vector<std::int64_t>& shape) {
  constexpr std::int64_t most = 1 << 28;
  std::int64_t count = 1;
  for (const auto size : shape) {
    if (size < 0 || size > most) malformed();
    if ((count *= size) > most) malformed();
  }
  return static_cast<std::uint64_t>(count);
}

void read_tensor(std::string_view bytes, std::map<std::string, Tensor>& to) {
  static_assert(std::endian::native == std::endian::little, "ONNX files are little-endian");
  Tensor tensor;
  std::string name;
  std::string_view raw;
  std::uint64_t type = 0;
  Message message(bytes);
  for (Field field; message.next(field);) {
    if (field.number == dims && !field.delimited) tensor.shape.push_back(static_cast<std::int64_t>(field.value));
    if (field.number == dims && field.delimited)
      for (Message packed(field.bytes); !packed.empty();)
        tensor.shape.push_back(static_cast<std::int64_t>(packed.varint()));
    if (field.number == data_type) type = field.value;
    if (field.number == name_of_tensor) name = field.bytes;
    if (field.number == raw_data) raw = field.bytes;
  }
  if (type != float32 || raw.size() != elements(tensor.shape) * sizeof(float)) malformed();
  tensor.values.resize(raw.size() / sizeof(float));
  if (!raw.empty()) std::memcpy(tensor.values.data(), raw.data(), raw.size());
  to[name] = std::move(tensor);
}

}  // namespace

std::map<std::string, Tensor> onnx_initializers(std::string_view bytes) {
  std::map<std::string, Tensor> out;
  Message model(bytes);
  for (Field field; model.next(field);) {
    if (field.number != graph_of_model || !field.delimited) continue;
    Message graph(field.bytes);
    for (Field inner; graph.next(inner);)
      if (inner.number == initializer_of_graph && inner.delimited) read_tensor(inner.bytes, out);
  }
  if (out.empty()) malformed();
  return out;
}

}  // namespace retrial::automl::inline problems
