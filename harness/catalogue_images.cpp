#include "harness/catalogue_rows.hpp"
#include "results/text.hpp"
#include "workloads/data/corrupt/corrupt.hpp"
#include "workloads/data/registry.hpp"
#include "workloads/distillation/describe.hpp"
#include "workloads/nn/closed_form.hpp"
#include "workloads/pruning/network.hpp"

namespace retrial::harness {
namespace {

std::string origin_of_bytes(corrupt::Made made) {
  switch (made) {
    case corrupt::Made::portable:
      return "the same everywhere";
    case corrupt::Made::own:
      return "the same everywhere, by definitions of ours";
    case corrupt::Made::library:
      return "those of a library";
  }
  return "";
}

}  // namespace

Rows data_set_rows(const Declarations&) {
  Rows out;
  for (const auto& set : data::all_data_sets())
    out.push_back({{"name", set.name},
                   {"images", set.count},
                   {"shape", {set.shape.channels, set.shape.height, set.shape.width}},
                   {"classes", set.classes},
                   {"train", set.published.train},
                   {"test", set.published.test},
                   {"embedded", set.embedded},
                   {"digest", set.identity ? Json(results::hex(*set.identity)) : Json()},
                   {"summary", set.summary},
                   {"who", set.who},
                   {"licence", set.licence},
                   {"how_to_get", set.how_to_get}});
  return out;
}

/// Sizes are those of the example on the smallest images it was made for.
Rows model_rows(const Declarations&) {
  Rows out;
  for (const auto& model : nn::all_models()) {
    const auto found = nn::closed_form(nn::parse_architecture(model.example, "model"), model.input, 10);
    out.push_back({{"name", model.spelling},
                   {"example", model.example},
                   {"input", std::to_string(model.input.channels) + "x" + std::to_string(model.input.height) + "x" +
                                 std::to_string(model.input.width)},
                   {"parameters", found.parameters},
                   {"macs", found.macs},
                   {"summary", model.summary}});
  }
  return out;
}

Rows method_rows(const Declarations&) {
  Rows out;
  for (const auto& method : distillation::all_methods())
    out.push_back({{"name", method.name},
                   {"minimises", distillation::objective_text(method)},
                   {"needs", distillation::needs_text(method)},
                   {"summary", method.summary}});
  return out;
}

/// The layers of each example that pruning may take weights from, in the order of their first use.
Rows layer_rows(const Declarations&) {
  Rows out;
  for (const auto& model : nn::all_models()) {
    const auto network = prune::network_of(nn::parse_architecture(model.example, "model"), model.input, 10);
    std::int64_t order = 0;
    for (const auto& layer : network.layers)
      out.push_back({{"model", model.example},
                     {"order", order++},
                     {"name", layer.name},
                     {"shape", {layer.out.count, layer.in.count * layer.in.repeat, layer.taps}},
                     {"weights", layer.weights()},
                     {"group", layer.out.group}});
  }
  return out;
}

Rows corruption_rows(const Declarations&) {
  Rows out;
  for (const auto& row : corrupt::table())
    out.push_back({{"name", row.name},
                   {"bytes", origin_of_bytes(row.made)},
                   {"here", row.op == nullptr ? "no: " + row.missing : "yes"},
                   {"summary", row.summary}});
  return out;
}

}  // namespace retrial::harness
