#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "results/digest/sha256.hpp"

/// The photographs of ice that the corruption frost lays over an image. They are not distributed with this program;
/// users name a folder of their own (the photographs come with the code of Hendrycks and Dietterich, ICLR 2019).
namespace retrial::corrupt {

/// An expected file; sizes in pixels.
struct TextureFile {
  const char* name;
  int width, height;
};
/// frost1.png to frost3.png, frost4.jpg to frost6.jpg.
[[nodiscard]] const std::array<TextureFile, 6>& texture_files();

/// "frost1.png (900 x 600 pixels), ...".
[[nodiscard]] std::string texture_words();

/// One photograph, scaled to a fifth; red, green and blue of every pixel, row by row.
struct Texture {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgb;
};

struct Textures {
  std::vector<Texture> images;  ///< in the order of texture_files()
  results::Digest digest{};     ///< covers names, sizes and bytes after scaling
};

/// The reason why they are missing: no folder was named, it does not exist, a file is missing, or this program cannot
/// read JPEG; empty: they exist.
[[nodiscard]] std::string textures_missing(const std::filesystem::path& folder);

/// All six; kept while the folder does not change, so that trials share them. Nothing if they are missing. Throws
/// Error{usage} naming the file and the expectation if a file has another format or size.
[[nodiscard]] std::shared_ptr<const Textures> load_textures(const std::filesystem::path& folder);

}  // namespace retrial::corrupt
