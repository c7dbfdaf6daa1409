#include "workloads/data/files.hpp"

#include <fcntl.h>
#include <unistd.h>
#include <zlib.h>

#include <cerrno>
#include <cstring>
#include <memory>

#include "results/error.hpp"

namespace retrial::data {
namespace {

struct Closer {
  void operator()(gzFile_s* file) const { gzclose(file); }
};

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

std::uint64_t file_bytes(const std::filesystem::path& file, std::uint64_t most) {
  std::error_code problem;
  const auto status = std::filesystem::status(file, problem);
  if (!std::filesystem::exists(status)) refuse(Exit::incomparable, file, problem ? problem.message() : "no such file");
  if (!std::filesystem::is_regular_file(status)) refuse(Exit::incomparable, file, "not a regular file");
  const std::uint64_t bytes = std::filesystem::file_size(file, problem);
  if (problem) refuse(Exit::incomparable, file, problem.message());
  if (bytes > most) refuse_content(file, std::to_string(bytes) + " bytes, expected at most " + std::to_string(most));
  return bytes;
}

void read_into(const std::filesystem::path& file, std::span<std::uint8_t> to) {
  const Descriptor from(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
  if (from.number() < 0) refuse(Exit::incomparable, file, std::strerror(errno));
  std::size_t filled = 0;
  while (filled < to.size()) {
    const ssize_t got = ::read(from.number(), to.data() + filled, to.size() - filled);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) refuse(Exit::incomparable, file, std::strerror(errno));
    if (got == 0) refuse(Exit::incomparable, file, "became shorter while it was read");
    filled += static_cast<std::size_t>(got);
  }
}

std::vector<std::uint8_t> read_bytes(const std::filesystem::path& file, std::uint64_t most) {
  errno = 0;
  // zlib passes a file that is no archive through unchanged.
  const std::unique_ptr<gzFile_s, Closer> from(gzopen(file.c_str(), "rb"));
  if (!from) refuse(Exit::incomparable, file, std::strerror(errno));
  std::vector<std::uint8_t> bytes, piece(1 << 20);
  int got = 0;
  while ((got = gzread(from.get(), piece.data(), static_cast<unsigned>(piece.size()))) > 0) {
    if (bytes.size() + static_cast<std::size_t>(got) > most)
      refuse(Exit::integrity, file, "more than " + std::to_string(most) + " bytes");
    bytes.insert(bytes.end(), piece.begin(), piece.begin() + got);
  }
  int code = Z_OK;
  const char* message = gzerror(from.get(), &code);
  if (got < 0)
    refuse(code == Z_ERRNO ? Exit::incomparable : Exit::integrity, file,
           code == Z_ERRNO ? std::strerror(errno) : message);
  if (code == Z_BUF_ERROR) refuse(Exit::integrity, file, "the archive is cut short");
  return bytes;
}

}  // namespace retrial::data
