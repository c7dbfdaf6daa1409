#include "workloads/distillation/inputs.hpp"

#include "results/text.hpp"
#include "variance/error.hpp"

namespace retrial::distillation {

const data::DataSetInfo& data_set_of(const Values& values) {
  const std::string& name = std::get<std::string>(values.at("dataset"));
  const data::DataSetInfo* info = data::find_data_set(name);
  if (info == nullptr) throw InvalidInput("dataset", name, results::joined(data::data_set_names()));
  return *info;
}

data::PartsRequest parts_request(const Values& values, std::optional<std::uint64_t> split_seed) {
  return {.rule = data::rule_from(std::get<std::string>(values.at("split"))),
          .seed = split_seed,
          .subset = data::subset_from(std::get<std::string>(values.at("subset"))),
          .train_count = static_cast<std::uint32_t>(std::get<std::int64_t>(values.at("train_count"))),
          .validation = std::get<double>(values.at("validation"))};
}

data::Normalisation normalisation_of(const Values& values, const data::ImageSet& set,
                                     std::span<const std::uint32_t> rows) {
  return data::make_normalisation(std::get<std::string>(values.at("normalise")), set, rows);
}

bool has_teacher(const Values& values) {
  return find_method(std::get<std::string>(values.at("method"))).needs_teacher;
}

}  // namespace retrial::distillation
