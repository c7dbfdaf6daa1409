#include "workloads/profiler/traces/read.hpp"

#include "results/text/error.hpp"
#include "results/text/file_system.hpp"
#include "workloads/profiler/traces/chrome.hpp"
#include "workloads/profiler/traces/perfetto.hpp"

namespace retrial::profiler::inline traces {

Timeline read_trace(const std::filesystem::path& file, Damage damage) {
  const std::string name = file.string();
  const auto bytes = std::filesystem::is_directory(file) ? std::nullopt : results::read_whole(file);
  if (!bytes)
    throw Error({.exit = Exit::incomparable,
                 .code = "profile.no_trace",
                 .where = name,
                 .problem = "cannot be read",
                 .allowed = "a trace: .rtrace, Chrome JSON (torch.profiler's export_chrome_trace), Perfetto"});
  const std::string_view text = *bytes;
  if (text.starts_with(rtrace_magic)) return timeline_of(read_rtrace(text, name, damage));
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first != std::string_view::npos && (text[first] == '{' || text[first] == '[')) return read_chrome(text, name);
  if (!text.empty() && text[0] == '\n') return read_perfetto(text, name);  // field 1 of bytes is 0x0A
  const bool compressed = text.starts_with("\x1F\x8B");
  throw Error({.exit = Exit::integrity,
               .code = "profile.trace",
               .where = name,
               .field = "byte 0",
               .problem = text.empty() ? "the file is empty"
                          : compressed ? "the file is compressed"
                                       : "the format of this file is unknown",
               .allowed = ".rtrace, Chrome JSON, Perfetto",
               .help = compressed ? "gunzip " + name : ""});
}

}  // namespace retrial::profiler::inline traces
