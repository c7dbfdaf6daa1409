#include "workloads/data/formats/records.hpp"

#include <stdexcept>

namespace retrial::data::inline formats {
namespace {

std::string image_bytes(const ImageSet& set, std::uint32_t row) {
  return {set.image(row), set.image(row) + set.shape.pixels()};
}

template <typename Record>
std::string every_row(const ImageSet& set, Record&& record) {
  std::string bytes;
  for (std::uint32_t row = 0; row < set.count; ++row) bytes += record(row);
  return bytes;
}

std::string labels_of(const ImageSet& set) {
  return every_row(set, [&](std::uint32_t row) { return std::string(1, static_cast<char>(set.labels[row])); });
}

std::vector<RecordFile> cifar(const ImageSet& set) {
  return {{"", every_row(set, [&](std::uint32_t row) {
             std::string record;
             if (!set.coarse.empty()) record += static_cast<char>(set.coarse[row]);
             record += static_cast<char>(set.labels[row]);
             return record + image_bytes(set, row);
           })}};
}

std::string big_endian(std::uint32_t value) {
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(value >> shift & 0xff);
  return bytes;
}

std::vector<RecordFile> idx(const ImageSet& set) {
  const std::string images = big_endian(0x803) + big_endian(set.count) +
                             big_endian(static_cast<std::uint32_t>(set.shape.height)) +
                             big_endian(static_cast<std::uint32_t>(set.shape.width));
  return {{"", images + every_row(set, [&](std::uint32_t row) { return image_bytes(set, row); })},
          {"-labels", big_endian(0x801) + big_endian(set.count) + labels_of(set)}};
}

/// NPY 1.0 of bytes, the header padded to a multiple of 64.
std::string npy(const std::string& shape, const std::string& items) {
  std::string header = "{'descr': '|u1', 'fortran_order': False, 'shape': (" + shape + "), }";
  while ((10 + header.size() + 1) % 64 != 0) header += ' ';
  header += '\n';
  return std::string("\x93NUMPY\x01\0", 8) + static_cast<char>(header.size() & 0xff) +
         static_cast<char>(header.size() >> 8) + header + items;
}

std::vector<RecordFile> numpy(const ImageSet& set) {
  const std::size_t plane = set.shape.pixels() / static_cast<std::size_t>(set.shape.channels);
  const auto interleaved = [&](std::uint32_t row) {
    std::string bytes;
    for (std::size_t i = 0; i < plane; ++i)
      for (std::size_t c = 0; c < static_cast<std::size_t>(set.shape.channels); ++c)
        bytes += static_cast<char>(set.image(row)[c * plane + i]);
    return bytes;
  };
  const std::string count = std::to_string(set.count);
  const std::string sides = std::to_string(set.shape.height) + ", " + std::to_string(set.shape.width) + ", " +
                            std::to_string(set.shape.channels);
  return {{"", npy(count + ", " + sides, every_row(set, interleaved))}, {"-labels", npy(count + ",", labels_of(set))}};
}

std::vector<RecordFile> lines(const ImageSet& set) {
  return {{"", every_row(set, [&](std::uint32_t row) {
             std::string line;
             for (const char v : image_bytes(set, row)) line += std::to_string(static_cast<std::uint8_t>(v)) + ",";
             return line + std::to_string(set.labels[row]) + "\n";
           })}};
}

}  // namespace

std::vector<RecordFile> records_of(const std::string& origin, const ImageSet& set) {
  if (origin == "cifar10" || origin == "cifar100") return cifar(set);
  if (origin == "mnist" || origin == "fashion") return idx(set);
  if (origin == "cifar10.1") return numpy(set);
  if (origin == "digits") return lines(set);
  throw std::logic_error("no record format is known for " + origin);
}

}  // namespace retrial::data::inline formats
