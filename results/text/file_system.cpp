#include "results/text/file_system.hpp"

#include <fcntl.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <fstream>
#include <iterator>

namespace retrial::results::inline text {
namespace {

struct NetworkFileSystem {
  long type;
  std::string_view name;
};
constexpr NetworkFileSystem network_file_systems[] = {
    {0x6969, "NFS"},      {0x5346414F, "AFS"},    {0x6B414653, "AFS"},  {0x01021997, "9p"},
    {0x65735546, "FUSE"}, {0x517B, "SMB"},        {0xFF534D42, "SMB"},  {0xFE534D42, "SMB"},
    {0x00C36400, "Ceph"}, {0x0BD00BD0, "Lustre"}, {0x47504653, "GPFS"}, {0x19830326, "BeeGFS"}};

// Closes in every case; SQLite holds no lock on the files written here.
class Descriptor {
 public:
  Descriptor(const std::filesystem::path& file, int flags) : number_(::open(file.c_str(), flags | O_CLOEXEC, 0644)) {}
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  bool write_all(std::string_view bytes) const {
    while (!bytes.empty()) {
      const ssize_t written = ::write(number_, bytes.data(), bytes.size());
      if (written <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
  }
  bool sync() const { return number_ >= 0 && ::fsync(number_) == 0; }
  bool good() const { return number_ >= 0; }

 private:
  int number_;
};

std::filesystem::path folder_of(const std::filesystem::path& file) {
  return file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
}

bool write_new(const std::filesystem::path& file, std::string_view bytes) {
  const Descriptor out(file, O_WRONLY | O_CREAT | O_TRUNC);
  return out.good() && out.write_all(bytes) && out.sync();
}

/// A device or a pipe must not be replaced by a file of the same name.
bool write_into(const std::filesystem::path& special, std::string_view bytes) {
  const Descriptor out(special, O_WRONLY);
  return out.good() && out.write_all(bytes);
}

}  // namespace

std::optional<std::string_view> network_file_system(long type) {
  for (const auto& [known, name] : network_file_systems)
    if (known == (type & 0xFFFFFFFF)) return name;
  return std::nullopt;
}

std::optional<std::string_view> network_file_system_of(const std::filesystem::path& file) {
  struct statfs about;
  std::error_code error;
  const auto place = std::filesystem::exists(file, error) ? file : folder_of(file);
  if (::statfs(place.c_str(), &about) != 0) return std::nullopt;
  return network_file_system(static_cast<long>(about.f_type));
}

bool write_durably(const std::filesystem::path& file, std::string_view bytes) {
  std::error_code error;
  if (std::filesystem::is_other(file, error)) return write_into(file, bytes);
  const std::filesystem::path unfinished = file.string() + ".tmp";
  if (write_new(unfinished, bytes))
    std::filesystem::rename(unfinished, file, error);
  else
    error = std::make_error_code(std::errc::io_error);
  if (error) {
    std::error_code ignored;
    std::filesystem::remove(unfinished, ignored);
    return false;
  }
  return Descriptor(folder_of(file), O_RDONLY | O_DIRECTORY).sync();
}

std::optional<std::string> read_whole(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) return std::nullopt;
  std::string bytes{std::istreambuf_iterator<char>(in), {}};
  return in.bad() ? std::nullopt : std::optional(std::move(bytes));
}

}  // namespace retrial::results::inline text
