#include "workloads/distillation/inputs.hpp"

#include "results/error.hpp"
#include "results/text.hpp"
#include "variance/error.hpp"

namespace retrial::distillation {

const data::DataSetInfo& data_set_of(const Values& values) {
  const std::string& name = std::get<std::string>(values.at("dataset"));
  const data::DataSetInfo* info = data::find_data_set(name);
  if (info == nullptr) throw InvalidInput("dataset", name, results::joined(data::data_set_names()));
  return *info;
}

namespace {

const std::string& text(const Values& values, const std::string& key) {
  return std::get<std::string>(values.at(key));
}

data::Source source_of(const Values& values) {
  const std::string& files = text(values, "files");
  return {.folder = text(values, "data_dir"),
          .hash = text(values, "verify") == "full",
          .files = files == "all" ? "" : files,
          .downscale = static_cast<int>(std::get<std::int64_t>(values.at("downscale")))};
}

}  // namespace

std::shared_ptr<const data::ImageSet> loaded_set(const Values& values) {
  const data::DataSetInfo& info = data_set_of(values);
  const data::Source source = source_of(values);
  if (!info.embedded && !std::filesystem::is_directory(source.folder))
    throw Error({.exit = Exit::incomparable,
                 .code = "data.no_folder",
                 .field = "distillation.data_dir",
                 .value = source.folder.string(),
                 .problem = source.folder.empty() ? info.name + " is read from files: name their folder"
                                                  : "there is no such folder",
                 .help = "--set data_dir=FOLDER, or --data FOLDER; " + info.how_to_get});
  return info.load(source);
}

Values located(Values values, const std::filesystem::path& folder) {
  if (text(values, "data_dir").empty() && !data_set_of(values).embedded) values["data_dir"] = folder.string();
  return values;
}

data::Shape image_shape(const Values& values) {
  const data::Shape& full = data_set_of(values).shape;
  const auto k = static_cast<int>(std::get<std::int64_t>(values.at("downscale")));
  return {full.channels, full.height / k, full.width / k};
}

nn::Architecture architecture_of(const Values& values, const std::string& key) {
  const std::string& name = text(values, key);
  if (text(values, "ablation") == "none") return nn::parse_architecture(name, key);
  const auto changed = nn::without_closing_relu(nn::parse_architecture(name, key).name);
  if (!changed)
    throw InvalidInput("ablation", "norelu",
                       "none with " + key + " = " + name + ", which has no ReLU that closes a block");
  return nn::parse_architecture(*changed, key);
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

const data::Operator* augmentation_of(const Values& values, const std::string& key) {
  const bool own = key == "augment" && method_of(values).name == "uda";
  const std::string& name = own ? "autoaugment" : text(values, key);
  if (name == "none") return nullptr;
  const auto sign = text(values, "rotate_sign") == "positive" ? data::RotateSign::positive : data::RotateSign::both;
  return &data::find_augmentation(name, sign);
}

}  // namespace retrial::distillation
