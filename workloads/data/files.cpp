#include "workloads/data/files.hpp"

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

}  // namespace

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
