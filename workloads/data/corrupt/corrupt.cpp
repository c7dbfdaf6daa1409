#include "workloads/data/corrupt/corrupt.hpp"

#include <algorithm>
#include <cstdlib>

#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "variance/numbers/error.hpp"
#include "variance/numbers/parallel.hpp"

namespace retrial::corrupt {
namespace {

template <typename Keep>
std::vector<std::string> names_of(Keep&& keep) {
  std::vector<std::string> names;
  for (const Corruption& row : table())
    if (keep(row)) names.push_back(row.name);
  return names;
}

}  // namespace

const Corruption& find(std::string_view name) {
  const auto row = std::find_if(table().begin(), table().end(), [&](const Corruption& c) { return c.name == name; });
  if (row != table().end()) return *row;
  refuse_unknown("corruption", name, names_of([](const Corruption&) { return true; }));
}

void refuse_unknown(const std::string& what, std::string_view name, std::vector<std::string> names) {
  const auto near = results::nearest(name, names);
  std::sort(names.begin(), names.end());
  throw Error({.code = "corrupt.unknown",
               .field = what,
               .value = results::one_line(name, 100),
               .problem = "unknown " + what,
               .allowed = results::joined(names),
               .help = near ? "did you mean " + *near + "?" : ""});
}

std::vector<std::string> available() {
  return names_of([](const Corruption& row) { return row.op != nullptr; });
}

std::vector<std::string> portable() {
  return names_of([](const Corruption& row) { return row.made == Made::portable; });
}

std::vector<ExtraFolder> extra_folders() {
  std::vector<ExtraFolder> out;
  for (const Corruption& row : table())
    if (row.needs_folder()) out.push_back({row.folder, "the photographs for " + row.name + ": " + texture_words()});
  return out;
}

void require_severity(int severity) {
  if (severity < 1 || severity > 5) throw InvalidInput("severity", std::to_string(severity), "1 to 5");
}

std::string note_on(const Corruption& corruption, const data::Shape& shape) {
  if (corruption.op != colour::saturate || shape.channels == 3) return "";
  return "saturate does not change gray images";
}

void require_available(const Corruption& corruption, const std::filesystem::path& folder) {
  std::string why = corruption.op == nullptr ? corruption.missing : "";
  if (corruption.needs_folder()) why = textures_missing(folder);
  if (why.empty()) return;
  throw Error({.exit = Exit::incomparable,
               .code = "corrupt.unavailable",
               .field = "corruption",
               .value = corruption.name,
               .problem = "not available: " + why,
               .allowed = results::joined(available()),
               .help = corruption.needs_folder() ? corruption.missing + "; see docs/data.md" : ""});
}

std::string problem_with(const Corruption& corruption, const data::Shape& shape) {
  constexpr int max_side = 63;  // the least side of the photographs, scaled
  if (!corruption.needs_folder() || std::max(shape.height, shape.width) <= max_side) return "";
  return corruption.name + " takes images of at most 63 x 63 pixels, not " + std::to_string(shape.height) + " x " +
         std::to_string(shape.width);
}

void apply(const Corruption& corruption, int severity, const ImageView& in, std::span<std::uint8_t> out,
           variance::Stream draws, const Textures* textures) {
  require_severity(severity);
  if (!corruption.needs_folder() || textures == nullptr) require_available(corruption);
  const Constants& constants = corruption.constants[static_cast<std::size_t>(severity - 1)];
  write_bytes(corruption.needs_folder() ? weather::frost(image_of(in), constants, *textures, draws)
                                        : corruption.op(image_of(in), constants, draws),
              out);
}

std::uint64_t key_of(std::uint64_t seed, std::string_view name, int severity) {
  return variance::derive(variance::derive(seed, name), static_cast<std::uint64_t>(severity));
}

data::ImageSet corrupted(const data::ImageSet& set, std::span<const std::uint32_t> rows, const Request& request) {
  const Corruption& corruption = find(request.name);
  require_severity(request.severity);
  if (!corruption.needs_folder() || !request.textures) require_available(corruption);
  if (const std::string wrong = problem_with(corruption, set.shape); !wrong.empty())
    throw InvalidInput("corruption", request.name, wrong);
  const std::size_t pixels = set.shape.pixels();
  const auto count = static_cast<std::uint32_t>(rows.size());
  data::ImageSet changed{
      .name = set.name + ", " + request.name + " " + std::to_string(request.severity) + " (" + table_name + ")",
      .count = count,
      .shape = set.shape,
      .classes = set.classes,
      .scale = 255,
      .pixels = std::vector<std::uint8_t>(rows.size() * pixels),
      .labels = {},
      .class_names = set.class_names,
      .files = {},
      .published = {.train = 0, .test = count}};
  for (const std::uint32_t row : rows) {
    changed.labels.push_back(set.labels[row]);
    if (!set.coarse.empty()) changed.coarse.push_back(set.coarse[row]);
  }
  const std::uint64_t key = key_of(request.seed, request.name, request.severity);
  variance::parallel_for(rows.size(), request.threads, [&](std::size_t i) {
    apply(corruption, request.severity, {set.shape, set.image(rows[i]), set.scale},
          {changed.pixels.data() + i * pixels, pixels}, variance::Stream(key, rows[i]), request.textures.get());
  });
  return changed;
}

double mean_change(const data::ImageSet& set, std::span<const std::uint32_t> rows, const data::ImageSet& changed) {
  const std::size_t pixels = set.shape.pixels();
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t v = 0; v < pixels; ++v)
      sum += std::abs(changed.pixels[i * pixels + v] * set.scale - set.image(rows[i])[v] * 255);
  const auto values = static_cast<double>(rows.size() * pixels);
  return values > 0 ? static_cast<double>(sum) / set.scale / values : 0.0;
}

}  // namespace retrial::corrupt
