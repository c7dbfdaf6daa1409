#include "harness/images/corrupt_images.hpp"

#include <algorithm>
#include <iostream>

#include "harness/images/contact_sheet.hpp"
#include "harness/study/options/key_options.hpp"
#include "harness/system/entropy.hpp"
#include "harness/text/colour.hpp"
#include "harness/text/output.hpp"
#include "harness/text/output_files.hpp"
#include "harness/text/table.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "workloads/data/corrupt/corrupt.hpp"
#include "workloads/data/formats/records.hpp"
#include "workloads/data/sets/describe.hpp"
#include "workloads/data/sets/registry.hpp"
#include "workloads/data/split/split.hpp"

namespace retrial::harness::inline images {
namespace {

using Rows = std::vector<std::uint32_t>;

/// The request on the command line.
struct Order {
  std::string dataset;
  std::shared_ptr<const data::ImageSet> set;
  Rows rows;  ///< the test part
  std::string name;
  int severity = 3;
  std::uint64_t root = 0;
  std::size_t threads = 1;
  workloads::Folders folders;                         ///< folders that corruptions need
  std::shared_ptr<const corrupt::Textures> textures;  ///< if the folder has them

  [[nodiscard]] corrupt::Request request(const std::string& which, int how_much) const {
    return {.name = which,
            .severity = how_much,
            .seed = variance::source_seed(root, "corrupt", 0),
            .threads = threads,
            .textures = textures};
  }
  /// Corruptions that are available here for images of this size.
  [[nodiscard]] std::vector<std::string> all_names() const {
    std::vector<std::string> names = corrupt::available();
    for (const auto& row : corrupt::table())
      if (row.needs_folder() && textures && corrupt::problem_with(row, set->shape).empty()) names.push_back(row.name);
    return names;
  }
};

const data::DataSetInfo& named_set(const std::string& name) {
  if (const data::DataSetInfo* info = data::find_data_set(name)) return *info;
  const auto names = data::data_set_names();
  const auto near = results::nearest(name, names);
  throw Error({.code = "data.unknown",
               .field = "--dataset",
               .value = results::one_line(name, 100),
               .problem = "unknown data set",
               .allowed = results::joined(names),
               .help = near ? "did you mean " + *near + "?" : ""});
}

/// A folder's files show which set it holds; the digits need no folder.
data::Recognised source_of(const Arguments& arguments) {
  const auto named = arguments.value("dataset"), folder = arguments.value("data-dir");
  if (!folder) return {named.value_or("digits"), {}};
  const data::Recognised found = data::recognise(*folder);
  if (named && named_set(*named).name != found.set)
    throw Error({.exit = Exit::incomparable,
                 .code = "data.other_set",
                 .where = results::one_line(*folder, 200),
                 .problem = "holds files of " + found.set + ", not of " + *named});
  return found;
}

[[noreturn]] void refuse_missing_option(const std::string& option, const std::string& allowed) {
  throw Error({.code = "data.usage", .field = option, .problem = "is missing", .allowed = allowed});
}

/// "" if none was given.
std::filesystem::path folder_of(const Order& order, const corrupt::Corruption& corruption) {
  const auto named = order.folders.find(corruption.folder);
  return named == order.folders.end() ? std::filesystem::path() : named->second;
}

/// If a given folder is incomplete, its corruption is left out of "all", with a note.
std::shared_ptr<const corrupt::Textures> textures_of(const Order& order) {
  for (const auto& row : corrupt::table()) {
    if (!row.needs_folder() || (order.name != "all" && order.name != row.name)) continue;
    const auto folder = folder_of(order, row);
    if (order.name == "all" && !folder.empty())
      if (const std::string why = corrupt::textures_missing(folder); !why.empty())
        note(row.name + " is left out: " + why);
    return corrupt::load_textures(folder);
  }
  return nullptr;
}

void require_fits(const Order& order) {
  if (const std::string wrong = corrupt::problem_with(corrupt::find(order.name), order.set->shape); !wrong.empty())
    throw Error({.code = "data.usage", .value = order.name, .problem = wrong});
}

Order order_of(const Arguments& arguments) {
  const auto [dataset, source] = source_of(arguments);
  Order order{.dataset = dataset, .set = named_set(dataset).load(source), .rows = {}, .name = {}};
  order.rows = data::make_split(*order.set, data::Rule::published, std::nullopt, 0).test;
  order.name = arguments.value("name").value_or("");
  order.folders = folders_set(arguments, corrupt_folders());
  if (order.name.empty()) refuse_missing_option("--name", "all, " + results::joined(corrupt::available()));
  if (order.name != "all") try {
      const auto& corruption = corrupt::find(order.name);
      corrupt::require_available(corruption, folder_of(order, corruption));
      require_fits(order);
    } catch (Error& error) {
      error.text.field = "--name";  // elsewhere this is a key of that name
      throw Error(error.text);
    }
  order.textures = textures_of(order);
  if (const auto severity = arguments.value("severity")) {
    order.severity = static_cast<int>(results::parse_int(*severity).value_or(0));
    if (order.severity < 1 || order.severity > 5)
      throw Error({.code = "data.usage",
                   .field = "--severity",
                   .value = results::one_line(*severity, 100),
                   .problem = "out of range",
                   .allowed = "1 to 5"});
  }
  order.root = arguments.has("seed") ? *arguments.u64("seed") : draw_root_seed();
  order.threads = static_cast<std::size_t>(arguments.integer("threads", 1, 256).value_or(1));
  return order;
}

std::vector<std::uint8_t> image_at(const data::ImageSet& set, std::uint32_t row) {
  return {set.image(row), set.image(row) + set.shape.pixels()};
}

/// The original image scaled to 255, then the image under the five severities.
std::vector<std::vector<std::uint8_t>> sheet_row(const Order& order, const std::string& name, std::uint32_t row) {
  std::vector<std::uint8_t> clean = image_at(*order.set, row);
  for (std::uint8_t& v : clean) v = static_cast<std::uint8_t>(v * 255 / order.set->scale);
  std::vector<std::vector<std::uint8_t>> images{clean};
  for (int severity = 1; severity <= 5; ++severity)
    images.push_back(image_at(corrupt::corrupted(*order.set, Rows{row}, order.request(name, severity)), 0));
  return images;
}

/// One corruption: eight images, one per row. All corruptions: one image, one row per corruption.
void write_sheet(const Order& order, const std::string& file) {
  constexpr std::size_t max_images = 8;
  ContactSheet sheet{.shape = order.set->shape, .rows = {}};
  if (order.name == "all")
    for (const std::string& name : order.all_names()) sheet.rows.push_back(sheet_row(order, name, order.rows.front()));
  else
    for (std::size_t i = 0; i < std::min(max_images, order.rows.size()); ++i)
      sheet.rows.push_back(sheet_row(order, order.name, order.rows[i]));
  write_output(file, png_of(sheet));
}

std::string sheet_legend(const Order& order) {
  const std::string columns = "columns: the original image, severities 1 to 5";
  if (order.name != "all") return columns + "; rows: the first images of the test part";
  return columns + "; rows: " + results::joined(order.all_names());
}

struct Made {
  data::ImageSet set;
  double change = 0;
};

Json corruption_document(const Order& order, const Made& made) {
  Json document{{"schema", "retrial.corrupt/1"},
                {"dataset", order.set->name},
                {"table", corrupt::table_name},
                {"name", order.name},
                {"severity", order.severity},
                {"seed", results::hex16(order.root)},
                {"images", made.set.count},
                {"mean_change", results::rounded10(made.change)},
                {"digest", results::hex(data::identity(made.set))}};
  if (order.textures) document["textures"] = results::hex(order.textures->digest);
  return document;
}

void print(const Order& order, const Made& made) {
  TextTable table({{""}, {""}});
  table.add(
      {"corruption", order.name + ", severity " + std::to_string(order.severity) + " (" + corrupt::table_name + ")"});
  table.add({"images", std::to_string(made.set.count) + " of the test part of " + order.set->name});
  table.add({"mean change", short_text(made.change) + " gray levels of 255"});
  table.add({"digest", results::hex(data::identity(made.set))});
  if (order.textures) table.add({"photographs", results::hex(order.textures->digest)});
  table.add({"seed", std::to_string(order.root)});
  std::cout << table.text(2, terminal_width());
}

void write_set(const Order& order, const Arguments& arguments) {
  Made made{corrupt::corrupted(*order.set, order.rows, order.request(order.name, order.severity)), 0};
  made.change = corrupt::mean_change(*order.set, order.rows, made.set);
  if (const auto file = arguments.value("output"))
    for (const auto& part : data::records_of(order.dataset, made.set)) write_output(*file + part.suffix, part.bytes);
  if (arguments.has("json")) return print_json(corruption_document(order, made));
  print(order, made);
}

void check_outputs(const Arguments& arguments, const Order& order) {
  std::vector<OutputFile> outputs;
  if (const auto file = arguments.value("output")) outputs = {{"-o", *file}, {"-o", *file + "-labels"}};
  if (const auto file = arguments.value("sheet")) {
    if (!file->ends_with(".png") && !file->starts_with("/dev/"))
      throw Error({.code = "data.usage",
                   .field = "--sheet",
                   .value = results::one_line(*file, 200),
                   .problem = "a contact sheet must be a PNG file",
                   .allowed = "FILE.png"});
    outputs.push_back({"--sheet", *file});
  }
  std::vector<std::filesystem::path> inputs;
  if (const auto folder = arguments.value("data-dir"))
    for (const auto& file : order.set->files) inputs.push_back(std::filesystem::path(*folder) / file.name);
  demand_separate(outputs, inputs);
}

}  // namespace

std::vector<std::string> corrupt_folders() {
  std::vector<std::string> keys;
  for (const auto& folder : corrupt::extra_folders()) keys.push_back(folder.key);
  return keys;
}

int corrupt_images(const Arguments& arguments) {
  const Order order = order_of(arguments);
  check_outputs(arguments, order);
  if (order.name == "all" && !arguments.has("sheet")) refuse_missing_option("--sheet", "--name all needs --sheet FILE");
  if (order.name != "all") {
    const std::string hint = corrupt::note_on(corrupt::find(order.name), order.set->shape);
    if (!hint.empty()) note(hint);
  }
  if (const auto file = arguments.value("sheet")) {
    write_sheet(order, *file);
    note(sheet_legend(order) + "; seed " + std::to_string(order.root));
  }
  if (order.name != "all" && (!arguments.has("sheet") || arguments.has("output"))) write_set(order, arguments);
  return 0;
}

}  // namespace retrial::harness::inline images
