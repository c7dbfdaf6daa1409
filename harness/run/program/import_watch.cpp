#include "harness/run/program/import_watch.hpp"

#include <sys/stat.h>

#include <algorithm>

#include "harness/run/program/program_change.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline run::inline program {
namespace {

namespace fs = std::filesystem;

bool written_after(const fs::path& file, std::int64_t ns) {
  struct stat facts {};
  return ::stat(file.c_str(), &facts) == 0 && facts.st_ctim.tv_sec * 1'000'000'000LL + facts.st_ctim.tv_nsec >= ns;
}

}  // namespace

std::size_t ImportWatch::add(const workloads::ImportTrace& trace) {
  const auto same = std::ranges::find_if(traces_, [&](const Traced& each) {
    return each.trace.base == trace.base && each.trace.folders == trace.folders;
  });
  if (same != traces_.end()) return static_cast<std::size_t>(same - traces_.begin());
  for (const auto& folder : trace.folders) opened_.watch(folder);
  traces_.push_back({.trace = trace, .modules = {}});
  return traces_.size() - 1;
}

void ImportWatch::expect(std::size_t trace, const std::string& name, const results::Digest& digest) {
  auto& [from, modules] = traces_[trace];
  modules[name] = {.source = from.base / name, .opened = {}, .digest = digest};
}

/// Byte code of an older source proves an edit only where the source was written since the watch began: Python may be
/// about to replace it, or not be allowed to.
void ImportWatch::read(const workloads::ImportTrace& trace, Module& module, results::FileDigests& digests) const {
  const auto import = trace.import_of(module.opened);
  if (import && import->edited && written_after(module.source, began_ns_)) return;
  module.digest = digests.of(module.source);
}

void ImportWatch::learn(Traced& traced, const fs::path& opened, results::FileDigests& digests) const {
  const auto& trace = traced.trace;
  if (!trace.import_of || std::ranges::find(trace.folders, opened.parent_path()) == trace.folders.end()) return;
  const auto import = trace.import_of(opened);
  if (!import) return;
  const auto [module, fresh] = traced.modules.try_emplace(name_of_source(import->source, trace.base));
  if (!fresh) return;
  module->second = {.source = import->source, .opened = opened, .digest = std::nullopt};
  read(trace, module->second, digests);
}

void ImportWatch::listen(results::FileDigests& digests) {
  for (const auto& opened : opened_.take())
    for (auto& traced : traces_) learn(traced, opened, digests);
}

std::vector<std::string> ImportWatch::changes(std::size_t trace, results::FileDigests& digests) {
  std::vector<std::string> out;
  for (auto& [name, module] : traces_[trace].modules) {
    if (!module.digest) read(traces_[trace].trace, module, digests);
    const auto now = digests.of(module.source);
    if (module.digest && now != module.digest)
      out.push_back(file_change(name, *module.digest, now));
    else if (!module.digest)
      out.push_back(results::one_line(name, 200) + " changed since it was imported");
  }
  return out;
}

Json ImportWatch::modules(std::size_t trace) const {
  Json out = Json::object();
  for (const auto& [name, module] : traces_[trace].modules)
    if (module.digest) out[name] = results::hex(*module.digest);
  return out;
}

}  // namespace retrial::harness::inline run::inline program
