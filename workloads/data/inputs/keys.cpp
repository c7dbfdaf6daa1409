#include "workloads/data/inputs/keys.hpp"

#include <cmath>

#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "variance/numbers/error.hpp"
#include "workloads/data/files/rational.hpp"

namespace retrial::data::inline inputs {
namespace {

using workloads::Range, workloads::Reads;
using Choices = std::vector<std::string>;

bool is_npy(const Values& values) {
  return text_in(values, "dataset") == "npy";
}

Source source_of(const Values& values) {
  const std::string& files = text_in(values, "files");
  Source source{.folder = text_in(values, "data_dir"),
                .hash = text_in(values, "verify") == "full",
                .files = files == "all" ? "" : files,
                .downscale = static_cast<int>(integer_in(values, "downscale"))};
  if (!is_npy(values)) return source;
  source.images = text_in(values, "npy_images");
  source.labels = text_in(values, "npy_labels");
  source.test = static_cast<std::uint32_t>(integer_in(values, "npy_test"));
  return source;
}

/// The set as its files have it, for a set of the user's own; else null.
std::shared_ptr<const ImageSet> own_set(const Values& values) {
  return data_set_of(values).sized_by_files() ? loaded_set("", values) : nullptr;
}

void check_npy_names(const Values& values, std::vector<workloads::Problem>& problems) {
  if (!is_npy(values)) return;
  for (const char* key : {"npy_images", "npy_labels"})
    if (text_in(values, key).find('/') != std::string::npos)
      problems.push_back({key, "names another folder", "the name of a file in data_dir, without /"});
}

std::string names_with_training_rows() {
  std::vector<std::string> names;
  for (const std::string& name : data_set_names())
    if (find_data_set(name)->published.train > 0 || find_data_set(name)->sized_by_files()) names.push_back(name);
  return results::joined(names);
}

}  // namespace

std::vector<workloads::Parameter> data_parameters(const KeyMeanings& meanings) {
  using std::string_literals::operator""s;
  return {
      {"dataset", "digits"s, "data set to train and test on", data_set_names()},
      {"data_dir",
       ""s,
       "folder of a data set that is not built in; the identity holds the digest of the data, not the folder",
       {},
       Reads::place},
      {"verify", "full"s, "full: also check the digests of the files; size: check only their sizes and contents",
       Choices{"full", "size"}, Reads::evaluation},
      {"files", "all"s, "files of the set: all, or t10k, only the test images of MNIST", Choices{"all", "t10k"}},
      {"downscale", std::int64_t{1}, "side of the blocks of pixels to average into one: 1, 2 or 4", Range{1, 4}},
      {"split", "published"s, "division of the rows; permuted and oob draw from data-split", rule_names()},
      {"train_count", std::int64_t{0}, meanings.train_count, Range{0, 1e9}},
      {"subset", "first"s, "choice of the train_count rows: the first, or equally many of each class", subset_names()},
      {"validation", 0.0, meanings.validation, Range{0, .5}},
      {"normalise", "default"s,
       "scaling of pixels: by mean and sd of the training rows (computed), by one of two published pairs, or none; "
       "default: computed, but none for digits",
       normalisation_names()},
      {.name = "npy_images",
       .fallback = "images.npy"s,
       .meaning = "dataset npy: file of the images in data_dir, bytes of shape (n, height, width), (n, height, width, "
                  "channels) or (n, values)",
       .allowed = {},
       .reads = Reads::evaluation,
       .written_at_default = false},
      {.name = "npy_labels",
       .fallback = "labels.npy"s,
       .meaning = "dataset npy: file of the labels in data_dir, whole numbers from 0 to classes - 1",
       .allowed = {},
       .reads = Reads::evaluation,
       .written_at_default = false},
      {.name = "npy_test",
       .fallback = std::int64_t{0},
       .meaning = "dataset npy: number of test rows, the last ones; 0: a fifth of the rows, drawn by a constant "
                  "permutation",
       .allowed = Range{0, 1e9},
       .written_at_default = false},
  };
}

std::vector<std::string> data_keys_read(const Values& values) {
  std::vector<std::string> keys{"dataset", "files",       "downscale",  "data_dir", "verify",
                                "split",   "train_count", "validation", "normalise"};
  if (integer_in(values, "train_count") > 0) keys.emplace_back("subset");
  if (is_npy(values))
    for (const char* key : {"npy_images", "npy_labels", "npy_test"}) keys.emplace_back(key);
  return keys;
}

const DataSetInfo& data_set_of(const Values& values) {
  const std::string& name = text_in(values, "dataset");
  const DataSetInfo* info = find_data_set(name);
  if (info == nullptr) throw InvalidInput("dataset", name, results::joined(data_set_names()));
  return *info;
}

std::shared_ptr<const ImageSet> loaded_set(const std::string& workload, const Values& values) {
  const DataSetInfo& info = data_set_of(values);
  const Source source = source_of(values);
  if (!info.embedded && !std::filesystem::is_directory(source.folder))
    throw Error({.exit = Exit::incomparable,
                 .code = "data.no_folder",
                 .field = (workload.empty() ? "" : workload + ".") + "data_dir",
                 .value = source.folder.string(),
                 .problem = source.folder.empty() ? info.name + " is read from files, and no folder is named"
                                                  : "no such folder",
                 .help = "--set data_dir=FOLDER, or --data FOLDER; " + info.how_to_get});
  return info.load(source);
}

Values located(Values values, const std::filesystem::path& folder) {
  if (text_in(values, "data_dir").empty() && !data_set_of(values).embedded) values["data_dir"] = folder.string();
  return values;
}

Values located(Values values, const workloads::Place& place) {
  for (const auto& [key, folder] : place.folders)
    if (values.contains(key)) values[key] = folder.string();
  return located(std::move(values), place.data);
}

Shape image_shape(const Values& values) {
  if (const auto set = own_set(values)) return set->shape;
  const Shape& full = data_set_of(values).shape;
  const auto k = static_cast<int>(integer_in(values, "downscale"));
  return {full.channels, full.height / k, full.width / k};
}

int classes_of(const Values& values) {
  const auto set = own_set(values);
  return set ? set->classes : data_set_of(values).classes;
}

std::int64_t published_training_rows(const Values& values) {
  const auto set = own_set(values);
  return set ? set->published.train : data_set_of(values).published.train;
}

PartsRequest parts_request(const Values& values, std::optional<std::uint64_t> split_seed) {
  return {.rule = rule_from(text_in(values, "split")),
          .seed = split_seed,
          .subset = subset_from(text_in(values, "subset")),
          .train_count = static_cast<std::uint32_t>(integer_in(values, "train_count")),
          .validation = number_in(values, "validation")};
}

Normalisation normalisation_of(const Values& values, const ImageSet& set, std::span<const std::uint32_t> rows) {
  return make_normalisation(text_in(values, "normalise"), set, rows);
}

/// The range of the key includes 3, which is not allowed.
void check_images(const Values& values, std::vector<workloads::Problem>& problems) try {
  const std::size_t before = problems.size();
  check_npy_names(values, problems);
  if (problems.size() > before) return;
  const auto k = integer_in(values, "downscale");
  Values full = values;
  full["downscale"] = std::int64_t{1};
  const Shape shape = image_shape(full);
  if (k == 3 || shape.height % k != 0 || shape.width % k != 0)
    problems.push_back({"downscale",
                        "does not divide images of " + std::to_string(shape.height) + "x" + std::to_string(shape.width),
                        "1, 2, 4"});
} catch (const InvalidInput& wrong) {
  problems.push_back({wrong.field, "does not fit the data set", wrong.allowed});
}

/// Everything that the draws cannot change is checked before the first trial: sizes always, classes if the split is
/// constant.
void check_rows(const std::string& workload, const Values& values, std::vector<workloads::Problem>& problems) try {
  const std::shared_ptr<const ImageSet> set = loaded_set(workload, values);
  if (const std::string& how = text_in(values, "normalise"); how == "paper" || how == "common")
    (void)normalisation_of(values, *set, {});  // published for some sets only
  if (set->published.train == 0) {
    problems.push_back({"dataset", "is only a test set: it has no rows to train on", names_with_training_rows()});
    return;
  }
  const auto wanted = integer_in(values, "train_count");
  const double validation = number_in(values, "validation");
  if (wanted > set->published.train) {
    problems.push_back(
        {"train_count", "larger than the training split", "0 (all) to " + std::to_string(set->published.train)});
  } else if (text_in(values, "split") == "published") {
    (void)make_parts(*set, parts_request(values, std::nullopt));
  } else if (validation > 0 && floor_of_share(validation, wanted == 0 ? set->published.train : wanted) == 0) {
    throw InvalidInput("validation", results::text_of(validation),
                       "a share that gives at least one validation row, or 0");
  }
} catch (const InvalidInput& wrong) {
  problems.push_back({wrong.field, "does not fit the data set", wrong.allowed});
}

std::int64_t training_rows(const std::string& workload, const Values& values) {
  const auto wanted = integer_in(values, "train_count");
  const std::int64_t rows = wanted > 0 ? wanted : std::int64_t{loaded_set(workload, values)->published.train};
  if (text_in(values, "split") == "oob") return rows;
  return rows - floor_of_share(number_in(values, "validation"), rows);
}

std::int64_t smallest_batch(std::int64_t rows, std::int64_t batch) {
  if (rows <= 0) return 0;
  const std::int64_t left = rows % batch;
  return left > 0 ? left : batch;
}

namespace {

/// The sizes of the files that were read; nothing if these are gone, because a user's files decide.
std::optional<Division> division_of(const std::string& workload, const Values& values) try {
  if (const DataSetInfo& info = data_set_of(values); info.embedded) return info.published;
  Values quick = values;
  quick["verify"] = std::string("size");
  return loaded_set(workload, quick)->published;
} catch (const Error&) {
  return std::nullopt;
}

/// Rows of `all` that `draws` draws with replacement are expected to leave.
double left_by(double all, double draws) {
  return all * std::pow(1 - 1 / all, draws);
}

}  // namespace

std::optional<std::int64_t> test_rows(const std::string& workload, const Values& values) {
  const auto sizes = division_of(workload, values);
  return sizes ? std::optional<std::int64_t>(sizes->test) : std::nullopt;
}

std::optional<std::int64_t> effective_test_rows(const std::string& workload, const Values& values) {
  const auto sizes = text_in(values, "split") == "oob" ? division_of(workload, values) : std::nullopt;
  if (!sizes || sizes->test == 0) return std::nullopt;
  const auto train = static_cast<double>(sizes->train), places = static_cast<double>(sizes->test);
  const auto valid = static_cast<double>(floor_of_share(number_in(values, "validation"), sizes->train));
  const double left = left_by(left_by(train + places, train), valid);
  return static_cast<std::int64_t>(std::llround(places / (1 + (places - 1) / left)));
}

std::optional<double> split_overlap(const std::string& workload, const Values& values) {
  const auto sizes = text_in(values, "split") == "published" ? std::nullopt : division_of(workload, values);
  if (!sizes || sizes->train == 0) return std::nullopt;
  return static_cast<double>(sizes->test) / static_cast<double>(sizes->train);
}

}  // namespace retrial::data::inline inputs
