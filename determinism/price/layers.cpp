#include "determinism/price/layers.hpp"

#include <algorithm>

#include "results/text/error.hpp"
#include "results/text/text.hpp"

namespace retrial::determinism::inline price {
namespace {

constexpr std::int64_t medium_batch = 16;

std::vector<PricedLayer> all_layers() {
  std::vector<PricedLayer> out;
  for (const std::int64_t k : {1, 3, 5, 7})
    out.push_back({.name = "conv" + std::to_string(k) + "x" + std::to_string(k),
                   .meaning = "convolution, 32 to 32 channels of 16x16",
                   .kernel = k});
  out.insert(out.end(),
             {{.name = "linear", .meaning = "linear layer, 512 to 512"},
              {.name = "batch_norm", .meaning = "batch norm in training, 32 channels of 16x16"},
              {.name = "max_pool", .meaning = "2x2 max-pool, 32 channels of 16x16"},
              {.name = "index_add", .meaning = "2,048 rows per image added into 1,000 rows of 16"},
              {.name = "indexing", .meaning = "2,048 rows per image read by index; its gradient adds them up"},
              {.name = "attention", .meaning = "4 heads, 64 places, 32 numbers each"},
              {.name = "smallcnn", .meaning = "3 convolutions 3x3 (16, 32, 32), dense 32, 10 classes, 32x32"}});
  for (const std::int64_t k : {1, 3, 5, 7})
    out.push_back({.name = "mediumcnn:" + std::to_string(k),
                   .meaning = "6 convolutions (16 to 512), batch norm, max-pool; 1,000 classes, 32x32",
                   .batch = medium_batch,
                   .kernel = k});
  return out;
}

}  // namespace

const std::vector<PricedLayer>& priced_layers() {
  static const std::vector<PricedLayer> all = all_layers();
  return all;
}

const PricedLayer& priced_layer(const std::string& name, const std::string& where) {
  const auto& all = priced_layers();
  if (const auto found = std::ranges::find(all, name, &PricedLayer::name); found != all.end()) return *found;
  std::vector<std::string> names;
  for (const PricedLayer& layer : all) names.push_back(layer.name);
  const auto near = results::nearest(name, names);
  throw Error({.code = "price.layer",
               .where = where,
               .value = results::one_line(name, 100),
               .problem = "unknown layer",
               .allowed = results::joined(names),
               .help = near ? "did you mean '" + *near + "'?" : ""});
}

}  // namespace retrial::determinism::inline price
