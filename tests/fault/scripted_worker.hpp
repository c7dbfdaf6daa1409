// A worker of a few lines of shell: it greets, then misbehaves as scripted.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>

#include "harness/worker/pool.hpp"

namespace retrial::tests {

/// `body` runs with descriptor 3 (orders) and 4 (answers); the files hello, progress and finished next to it have whole
/// lines of the protocol.
inline std::filesystem::path scripted_worker(const std::filesystem::path& folder, const std::string& body) {
  using harness::WorkerEvent;
  const auto line = [&](const char* name, const WorkerEvent& event) {
    std::ofstream(folder / name) << harness::encode(event);
  };
  line("hello", {.kind = WorkerEvent::Kind::hello,
                 .worker = "scripted",
                 .mode_effective = Json::object(),
                 .manifest = {{"program", {{"build_id", "aa"}}}}});
  line("progress", {.kind = WorkerEvent::Kind::progress, .fraction = 0.5});
  line("finished", {.kind = WorkerEvent::Kind::finished, .wall_ns = 1});
  const auto file = folder / "worker";
  std::ofstream(file) << "#!/bin/sh\ncd '" << folder.string() << "'\n" << body << "\n";
  std::filesystem::permissions(file, std::filesystem::perms::owner_all);
  return file;
}

}  // namespace retrial::tests
