#include "harness/worker/checkpoint.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>

#include "harness/system/line_io.hpp"
#include "results/digest/sha256.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline worker {
namespace {

constexpr std::string_view magic = "RTCK1\n";

[[noreturn]] void damaged(const std::filesystem::path& file, const std::string& how) {
  throw Error({.exit = Exit::integrity, .code = "checkpoint.damaged", .where = file.string(), .problem = how});
}

[[noreturn]] void unwritten(const std::filesystem::path& file, int error) {
  throw Error({.exit = Exit::measurement,
               .code = "checkpoint.write",
               .where = file.string(),
               .problem = std::string("cannot be written: ") + std::strerror(error)});
}

}  // namespace

// Layout: magic, 64 hex digits of the rest, LF, {"identity","recorded"} in one line, LF, the state.
void write_checkpoint(const std::filesystem::path& file, const Checkpoint& checkpoint) {
  const std::string rest = results::canonical({{"identity", checkpoint.identity}, {"recorded", checkpoint.recorded}}) +
                           "\n" + checkpoint.state;
  const auto head = std::string(magic) + results::hex(results::sha256(std::string_view(rest))) + "\n";
  std::string temporary = file.parent_path() / ".retrial-XXXXXX";  // a name that nobody can guess, and no link
  const int made = ::mkostemp(temporary.data(), O_CLOEXEC);
  if (made < 0) unwritten(file, errno);
  const int failed = write_all(made, head) && write_all(made, rest) ? 0 : errno;
  ::close(made);
  if (failed == 0 && ::rename(temporary.c_str(), file.c_str()) == 0) return;
  const int error = failed == 0 ? errno : failed;
  ::unlink(temporary.c_str());
  unwritten(file, error);
}

Checkpoint read_checkpoint(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) damaged(file, "cannot be read");
  const std::string all{std::istreambuf_iterator<char>(in), {}};
  const auto head = magic.size() + 65;
  if (all.size() < head || all.compare(0, magic.size(), magic) != 0 || all[head - 1] != '\n')
    damaged(file, "not a checkpoint");
  const std::string_view rest = std::string_view(all).substr(head);
  if (results::hex(results::sha256(rest)) != all.substr(magic.size(), 64)) damaged(file, "its SHA-256 does not match");
  const auto line = rest.find('\n');
  if (line == std::string_view::npos) damaged(file, "ends early");
  const Json json = results::parse_json(rest.substr(0, line), file.string());
  return {.identity = json.at("identity").get<std::string>(),
          .recorded = json.at("recorded"),
          .state = std::string(rest.substr(line + 1))};
}

}  // namespace retrial::harness::inline worker
