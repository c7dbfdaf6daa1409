#include "results/text/file_system.hpp"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
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
  Descriptor(const std::filesystem::path& file, int flags) : number_(::open(file.c_str(), flags | O_CLOEXEC)) {}
  explicit Descriptor(int number) : number_(number) {}
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
  bool give_rights(mode_t rights) const { return ::fchmod(number_, rights) == 0; }

 private:
  int number_;
};

/// Temporary files are made for their owner alone; what is written here gets the rights of any other new file. Asked
/// before there are threads, since the mask can only be read by changing it.
const mode_t usual_rights = [] {
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return 0644 & ~mask;
}();

std::filesystem::path folder_of(const std::filesystem::path& file) {
  return file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
}

/// A new file beside `file` under a name that nobody can guess or share: it follows no link and replaces nothing.
std::optional<std::filesystem::path> written_beside(const std::filesystem::path& file, std::string_view bytes) {
  std::string name = folder_of(file) / ".retrial-XXXXXX";
  const Descriptor out(::mkostemp(name.data(), O_CLOEXEC));
  if (!out.good()) return std::nullopt;
  if (out.give_rights(usual_rights) && out.write_all(bytes) && out.sync()) return name;
  ::unlink(name.c_str());
  return std::nullopt;
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
  const auto unfinished = written_beside(file, bytes);
  if (!unfinished) return false;
  std::filesystem::rename(*unfinished, file, error);
  if (error) {
    ::unlink(unfinished->c_str());
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
