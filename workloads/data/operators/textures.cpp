#include "workloads/data/operators/textures.hpp"

#include <mutex>
#include <string_view>

#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "workloads/data/files/files.hpp"
#include "workloads/data/images/raster.hpp"
#include "workloads/data/operators/operators.hpp"

namespace retrial::corrupt {
namespace {

namespace fs = std::filesystem;

std::string size_text(int width, int height) {
  return std::to_string(width) + " x " + std::to_string(height) + " pixels";
}

bool is_png(const TextureFile& file) {
  return std::string_view(file.name).ends_with(".png");
}

[[noreturn]] void refuse(const fs::path& path, const TextureFile& file, const std::string& found) {
  throw Error({.code = "corrupt.bad_texture",
               .where = results::one_line(path.string(), 300),
               .problem = "not the photograph that frost needs: " + results::one_line(found, 200),
               .allowed = std::string(is_png(file) ? "PNG, " : "JPEG, ") + size_text(file.width, file.height)});
}

/// Scaled to a fifth, bilinear with pixel centres: place i is at 5 (i + 1/2) - 1/2 = 5 i + 2, a whole pixel, so that
/// nothing is averaged. Sides are rounded as in OpenCV's resize.
Texture fifth_of(const Raster& raster) {
  constexpr int factor = 5, middle = 2;
  Texture small{.width = (raster.width + middle) / factor, .height = (raster.height + middle) / factor, .rgb = {}};
  for (int y = 0; y < small.height; ++y)
    for (int x = 0; x < small.width; ++x) {
      const auto from = static_cast<std::size_t>(((factor * y + middle) * raster.width + factor * x + middle) * 3);
      small.rgb.insert(small.rgb.end(), {raster.rgb[from], raster.rgb[from + 1], raster.rgb[from + 2]});
    }
  return small;
}

Texture read_texture(const fs::path& folder, const TextureFile& file) {
  const fs::path path = folder / file.name;
  Raster raster;
  try {
    constexpr std::uint64_t max_bytes = 16 << 20;
    std::vector<std::uint8_t> bytes(data::file_bytes(path, max_bytes));
    data::read_into(path, bytes);
    raster = (is_png(file) ? read_png : read_jpeg)(bytes, file.width, file.height);
  } catch (const std::runtime_error& wrong) {
    refuse(path, file, wrong.what());
  }
  if (raster.width != file.width || raster.height != file.height)
    refuse(path, file, size_text(raster.width, raster.height));
  return fifth_of(raster);
}

Textures read_textures(const fs::path& folder) {
  Textures all;
  results::Sha256 sum;
  for (const TextureFile& file : texture_files()) {
    all.images.push_back(read_texture(folder, file));
    const Texture& made = all.images.back();
    sum.update(std::string(file.name) + '\0' + size_text(made.width, made.height) + '\0');
    sum.update({reinterpret_cast<const char*>(made.rgb.data()), made.rgb.size()});
  }
  all.digest = sum.finish();
  return all;
}

/// A folder and the state of its files.
std::string stamp_of(const fs::path& folder) {
  std::string stamp = folder.string();
  for (const TextureFile& file : texture_files())
    stamp += '\0' + std::to_string(fs::file_size(folder / file.name)) + ' ' +
             std::to_string(fs::last_write_time(folder / file.name).time_since_epoch().count());
  return stamp;
}

}  // namespace

const std::array<TextureFile, 6>& texture_files() {
  static constexpr std::array<TextureFile, 6> files{{{"frost1.png", 900, 600},
                                                     {"frost2.png", 560, 315},
                                                     {"frost3.png", 560, 315},
                                                     {"frost4.jpg", 527, 350},
                                                     {"frost5.jpg", 660, 495},
                                                     {"frost6.jpg", 485, 323}}};
  return files;
}

std::string texture_words() {
  std::vector<std::string> words;
  for (const TextureFile& file : texture_files())
    words.push_back(file.name + (" (" + std::to_string(file.width)) + " x " + std::to_string(file.height) +
                    (words.empty() ? " pixels)" : ")"));
  return results::joined(words);
}

std::string textures_missing(const fs::path& folder) {
  if (*digital::jpeg_library() == '\0') return "this program was built without libjpeg, which reads three of them";
  if (folder.empty()) return "no folder with its six photographs of ice is named";
  std::error_code ignored;
  if (!fs::is_directory(folder, ignored)) return "there is no folder " + results::one_line(folder.string(), 200);
  for (const TextureFile& file : texture_files())
    if (!fs::is_regular_file(folder / file.name, ignored))
      return std::string("there is no ") + file.name + " in " + results::one_line(folder.string(), 200);
  return "";
}

std::shared_ptr<const Textures> load_textures(const fs::path& folder) {
  static std::mutex one;
  static std::string known;
  static std::shared_ptr<const Textures> kept;
  if (!textures_missing(folder).empty()) return nullptr;
  const std::lock_guard lock(one);
  if (const std::string stamp = stamp_of(folder); stamp != known || !kept) {
    kept = std::make_shared<const Textures>(read_textures(folder));
    known = stamp;
  }
  return kept;
}

}  // namespace retrial::corrupt
