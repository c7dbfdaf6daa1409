#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace retrial::automl::inline problems {

/// A tensor of float32 in row-major order.
struct Tensor {
  std::vector<std::int64_t> shape;
  std::vector<float> values;
};

/// The initializers of the graph in the bytes of an ONNX file, by name. Only float32 in raw bytes is read. Throws
/// std::invalid_argument for bytes that are no such message (protobuf wire format).
[[nodiscard]] std::map<std::string, Tensor> onnx_initializers(std::string_view bytes);

}  // namespace retrial::automl::inline problems
