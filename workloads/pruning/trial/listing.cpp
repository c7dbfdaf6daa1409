#include "workloads/pruning/trial/listing.hpp"

#include "workloads/nn/shape/closed_form.hpp"
#include "workloads/pruning/network/network.hpp"

namespace retrial::pruning::inline trial {
namespace {

Json row_of(const std::string& model, std::int64_t order, const Layer& layer) {
  return {{"model", model},
          {"order", order},
          {"name", layer.name},
          {"shape", {layer.out.count, layer.in.count * layer.in.repeat, layer.taps}},
          {"weights", layer.weights()},
          {"group", layer.out.group}};
}

/// The layers of each model's example, in the order of their first use.
std::vector<Json> rows() {
  std::vector<Json> out;
  for (const auto& model : nn::all_models()) {
    std::int64_t order = 0;
    for (const Layer& layer : network_of(nn::parse_architecture(model.example, "model"), model.input, 10).layers)
      out.push_back(row_of(model.example, order++, layer));
  }
  return out;
}

}  // namespace

workloads::Listing layers_listing() {
  return {.name = "layers",
          .title =
              "Prunable layers of the example models (group: channels that are removed together; shape: out, in, taps)",
          .meaning = "layers with prunable weights",
          .columns = {{"model", "model"},
                      {"order", "order"},
                      {"name", "layer"},
                      {"shape", "shape"},
                      {"weights", "weights"},
                      {"group", "group"}},
          .rows = rows,
          .former_option = "prunable"};
}

}  // namespace retrial::pruning::inline trial
