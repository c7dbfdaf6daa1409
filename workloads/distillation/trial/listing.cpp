#include "workloads/distillation/trial/listing.hpp"

#include "workloads/distillation/methods/describe.hpp"

namespace retrial::distillation::inline trial {
namespace {

std::vector<Json> rows() {
  std::vector<Json> out;
  for (const Method& method : all_methods())
    out.push_back({{"name", method.name},
                   {"minimises", objective_text(method)},
                   {"needs", needs_text(method)},
                   {"summary", method.summary}});
  return out;
}

}  // namespace

workloads::Listing methods_listing() {
  return {
      .name = "methods",
      .title =
          "Distillation methods (key method; weights and epochs are defaults of the keys w_feat, init_epochs, base)",
      .meaning = "losses by which a student learns from a teacher",
      .columns = {{"name", "name"}, {"minimises", "minimises"}, {"needs", "needs"}, {"summary", "description"}},
      .rows = rows};
}

}  // namespace retrial::distillation::inline trial
