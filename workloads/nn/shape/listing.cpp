#include "workloads/interface/contributions.hpp"
#include "workloads/nn/shape/closed_form.hpp"

namespace retrial::nn::inline shape {
namespace {

std::string text_of(const data::Shape& shape) {
  return std::to_string(shape.channels) + "x" + std::to_string(shape.height) + "x" + std::to_string(shape.width);
}

/// Sizes are those of the example on the smallest images that fit it.
std::vector<Json> model_rows() {
  std::vector<Json> out;
  for (const auto& model : all_models()) {
    const auto found = closed_form(parse_architecture(model.example, "model"), model.input, 10);
    out.push_back({{"name", model.spelling},
                   {"example", model.example},
                   {"input", text_of(model.input)},
                   {"parameters", found.parameters},
                   {"macs", found.macs},
                   {"summary", model.summary}});
  }
  // Of a file nothing is known before it is loaded.
  out.push_back({{"name", "script:FILE"},
                 {"example", "script:net.pt"},
                 {"input", nullptr},
                 {"parameters", nullptr},
                 {"macs", nullptr},
                 {"summary", "a TorchScript file of your own; needs --allow-scripts"}});
  return out;
}

const workloads::RegisterSharedContribution registered{
    {.name = "nn",
     .contributes = {
         .listings = {{.name = "models",
                       .title = "Models (keys student and teacher; sizes of the example with 10 classes)",
                       .meaning = "networks known by name, with their numbers of parameters and multiply-accumulates",
                       .columns = {{"name", "name"},
                                   {"example", "example"},
                                   {"input", "input"},
                                   {"parameters", "parameters"},
                                   {"macs", "MACs"},
                                   {"summary", "description"}},
                       .rows = model_rows}}}}};

}  // namespace
}  // namespace retrial::nn::inline shape
