#include "workloads/data/files/files.hpp"

#include <fcntl.h>
#include <unistd.h>
#include <zlib.h>

#include <cerrno>
#include <cstring>
#include <new>

#include "results/text/error.hpp"

namespace retrial::data::inline files {
namespace {

/// An archive above both limits is treated as a bomb: zlib reaches 1,030 to 1, images of handwriting 5 to 1.
constexpr std::uint64_t harmless = 16 << 20, largest_ratio = 200;

[[noreturn]] void refuse(Exit exit, const std::filesystem::path& file, const std::string& problem) {
  throw Error(ErrorText{.exit = exit, .code = "data.unreadable", .where = file.string(), .problem = problem});
}

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  [[nodiscard]] int number() const { return number_; }

 private:
  int number_;
};

}  // namespace

void refuse_content(const std::filesystem::path& file, const std::string& problem, const std::string& help) {
  throw Error(ErrorText{.code = "data.content", .where = file.string(), .problem = problem, .help = help});
}

void refuse_missing(const std::filesystem::path& file, const std::string& help) {
  throw Error(ErrorText{.exit = Exit::incomparable,
                        .code = "data.missing",
                        .where = file.string(),
                        .problem = "no such file",
                        .help = help});
}

std::uint64_t file_bytes(const std::filesystem::path& file, std::uint64_t max) {
  std::error_code problem;
  const auto status = std::filesystem::status(file, problem);
  if (!std::filesystem::exists(status)) refuse(Exit::incomparable, file, problem ? problem.message() : "no such file");
  if (!std::filesystem::is_regular_file(status)) refuse(Exit::incomparable, file, "not a regular file");
  const std::uint64_t bytes = std::filesystem::file_size(file, problem);
  if (problem) refuse(Exit::incomparable, file, problem.message());
  if (bytes > max) refuse_content(file, std::to_string(bytes) + " bytes, expected at most " + std::to_string(max));
  return bytes;
}

void read_into(const std::filesystem::path& file, std::span<std::uint8_t> to, std::uint64_t offset) {
  const Descriptor from(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
  if (from.number() < 0) refuse(Exit::incomparable, file, std::strerror(errno));
  std::size_t filled = 0;
  while (filled < to.size()) {
    const ssize_t got =
        ::pread(from.number(), to.data() + filled, to.size() - filled, static_cast<off_t>(offset + filled));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) refuse(Exit::incomparable, file, std::strerror(errno));
    if (got == 0) refuse(Exit::incomparable, file, "became shorter while being read");
    filled += static_cast<std::size_t>(got);
  }
}

namespace {

class Inflater {
 public:
  explicit Inflater(std::span<std::uint8_t> from) {
    constexpr int gzip_window = 15 + 16;
    if (inflateInit2(&stream_, gzip_window) != Z_OK) throw std::bad_alloc();
    stream_.next_in = from.data();
    stream_.avail_in = static_cast<uInt>(from.size());
  }
  ~Inflater() { inflateEnd(&stream_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  /// Number of bytes written; `status` is zlib's.
  std::size_t fill(std::span<std::uint8_t> to, int& status) {
    stream_.next_out = to.data();
    stream_.avail_out = static_cast<uInt>(to.size());
    status = inflate(&stream_, Z_NO_FLUSH);
    return to.size() - stream_.avail_out;
  }
  [[nodiscard]] std::size_t left() const { return stream_.avail_in; }
  [[nodiscard]] std::string message() const { return stream_.msg == nullptr ? "damaged archive" : stream_.msg; }

 private:
  z_stream stream_{};
};

void check_growth(const std::filesystem::path& file, std::uint64_t packed, std::uint64_t open, std::uint64_t max) {
  if (open > max) refuse_content(file, "decompresses to more than " + std::to_string(max) + " bytes");
  if (open > harmless && open / largest_ratio > packed)
    refuse_content(file, "decompresses to more than " + std::to_string(largest_ratio) + " times its size");
}

std::vector<std::uint8_t> gunzip(std::vector<std::uint8_t> packed, const std::filesystem::path& file,
                                 std::uint64_t max) {
  Inflater from(packed);
  std::vector<std::uint8_t> bytes, piece(1 << 20);
  for (int status = Z_OK; status != Z_STREAM_END;) {
    const std::size_t got = from.fill(piece, status);
    if (status == Z_BUF_ERROR || (status == Z_OK && got < piece.size() && from.left() == 0))
      refuse_content(file, "the archive is cut short after " + std::to_string(packed.size()) + " bytes");
    if (status != Z_OK && status != Z_STREAM_END) refuse_content(file, "damaged archive: " + from.message());
    bytes.insert(bytes.end(), piece.begin(), piece.begin() + static_cast<std::ptrdiff_t>(got));
    check_growth(file, packed.size(), bytes.size(), max);
  }
  if (from.left() > 0)
    refuse_content(file, std::to_string(from.left()) + " bytes follow the end of the archive at byte offset " +
                             std::to_string(packed.size() - from.left()));
  return bytes;
}

}  // namespace

std::vector<std::uint8_t> opened(std::vector<std::uint8_t> bytes, const std::filesystem::path& file,
                                 std::uint64_t max) {
  if (bytes.size() >= 2 && bytes[0] == 0x1f && bytes[1] == 0x8b) return gunzip(std::move(bytes), file, max);
  if (bytes.size() > max) refuse_content(file, "more than " + std::to_string(max) + " bytes");
  return bytes;
}

}  // namespace retrial::data::inline files
