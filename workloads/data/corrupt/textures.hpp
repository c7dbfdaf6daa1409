#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "results/digest/sha256.hpp"

/// The photographs of ice that the corruption frost lays over an image. They cannot be handed on with this program;
/// whoever has them (they come with the code of Hendrycks and Dietterich, ICLR 2019) names their folder.
namespace retrial::corrupt {

/// A file as it is expected; sizes in pixels.
struct TextureFile {
  const char* name;
  int width, height;
};
/// frost1.png to frost3.png, frost4.jpg to frost6.jpg.
[[nodiscard]] const std::array<TextureFile, 6>& texture_files();

/// "frost1.png (900 x 600 pixels), ...".
[[nodiscard]] std::string texture_words();

/// One photograph a fifth of its size; red, green and blue of every pixel, row by row.
struct Texture {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgb;
};

struct Textures {
  std::vector<Texture> images;  ///< in the order of texture_files()
  results::Digest digest{};     ///< of what was made of them: names, sizes and bytes
};

/// Why they are not there: no folder was named, there is none of that name, a file is missing, or this program reads
/// no JPEG; empty: they are there.
[[nodiscard]] std::string textures_missing(const std::filesystem::path& folder);

/// All six; kept while the folder stays the same, so that trials share them. Nothing where they are missing. Throws
/// Error{usage} naming the file and what was expected when one is no image of its kind or has another size.
[[nodiscard]] std::shared_ptr<const Textures> load_textures(const std::filesystem::path& folder);

}  // namespace retrial::corrupt
