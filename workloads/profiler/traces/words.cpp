#include "workloads/profiler/traces/words.hpp"

#include <algorithm>
#include <array>

#include "results/json/json.hpp"

namespace retrial::profiler::inline traces {
namespace {

struct Word {
  std::string_view word;
  SpanKind kind;
  Category category;
};
/// The first of each kind and category is written, all are read.
constexpr std::array words{
    Word{"region", SpanKind::region, Category::app},
    Word{"user_annotation", SpanKind::operation, Category::app},
    Word{"app", SpanKind::layer, Category::app},
    Word{"simulator", SpanKind::layer, Category::simulator},
    Word{"cpu_op", SpanKind::layer, Category::backend},
    Word{"cuda_layer", SpanKind::layer, Category::cuda_api},
    Word{"cuda_runtime", SpanKind::call, Category::cuda_api},
    Word{"cuda_driver", SpanKind::call, Category::cuda_api},
    Word{"kernel", SpanKind::gpu, Category::gpu_kernel},
    Word{"gpu_memcpy", SpanKind::gpu, Category::gpu_memcpy},
    Word{"gpu_memset", SpanKind::gpu, Category::gpu_memset},
    Word{"overhead", SpanKind::overhead, Category::cupti_overhead},
    Word{"profiling_annotation", SpanKind::overhead, Category::prof_annotation},
    Word{"profiling_hook", SpanKind::overhead, Category::prof_hook},
    Word{"profiling_api", SpanKind::overhead, Category::prof_api},
    Word{"profiling_cupti", SpanKind::overhead, Category::prof_cupti},
};
constexpr std::array<std::string_view, 9> no_intervals{
    "python_function", "gpu_user_annotation", "cuda_sync", "cuda_event", "ac2g", "fwdbwd",
    "Trace",           "cpu_instant_event",   "progress"};

}  // namespace

std::string_view word_of(SpanKind kind, Category category) {
  const auto found =
      std::ranges::find_if(words, [&](const Word& w) { return w.kind == kind && w.category == category; });
  return found == words.end() ? "overhead" : found->word;
}

WordMeaning meaning_of(std::string_view word) {
  if (const auto found = std::ranges::find(words, word, &Word::word); found != words.end())
    return {.meaning = Meaning{found->kind, found->category}, .unknown = false};
  return {.meaning = std::nullopt, .unknown = std::ranges::find(no_intervals, word) == no_intervals.end()};
}

SpanArguments arguments_of(SpanKind kind, const Span& span, const Timeline& timeline) {
  SpanArguments out{.adopted = span.adopted, .open = span.open};
  (kind == SpanKind::layer ? out.inner : out.correlation) = span.id;
  if (span.operation != no_name) out.operation = timeline.name(span.operation);
  return out;
}

std::string carried_text(const Timeline& t) {
  return results::canonical({{"host", t.host},
                             {"process", t.process},
                             {"collector", t.collector},
                             {"clock", t.clock},
                             {"metadata", t.metadata},
                             {"faults",
                              {{"dropped", t.faults.dropped},
                               {"clamped", t.faults.clamped},
                               {"open", t.faults.open},
                               {"clipped", t.faults.clipped},
                               {"unmatched", t.faults.unmatched},
                               {"ignored", t.faults.ignored},
                               {"salvaged", t.faults.salvaged}}}});
}

void read_carried(const std::string& text, Timeline& to) {
  const Json from = results::parse_json(text, "retrial");
  const auto read = [](const Json& object, const char* key, auto& value) {
    if (object.contains(key)) object.at(key).get_to(value);
  };
  read(from, "host", to.host), read(from, "process", to.process), read(from, "collector", to.collector);
  read(from, "clock", to.clock), read(from, "metadata", to.metadata);
  if (!from.contains("faults")) return;
  const Json& faults = from.at("faults");
  read(faults, "dropped", to.faults.dropped), read(faults, "clamped", to.faults.clamped);
  read(faults, "open", to.faults.open), read(faults, "clipped", to.faults.clipped);
  read(faults, "salvaged", to.faults.salvaged), read(faults, "ignored", to.faults.ignored);
  read(faults, "unmatched", to.faults.unmatched);
}

NameId TimelineBuilder::name(const std::string& text) {
  const auto [place, fresh] = names_.try_emplace(text, static_cast<NameId>(timeline.names.size()));
  if (fresh) timeline.names.push_back(text);
  return place->second;
}

std::uint32_t TimelineBuilder::lane(const std::string& key, const Lane& lane) {
  const auto [place, fresh] = lanes_.try_emplace(key, static_cast<std::uint32_t>(timeline.lanes.size()));
  if (fresh) timeline.lanes.push_back(lane);
  return place->second;
}

void TimelineBuilder::name_lane(const std::string& key, const std::string& name) {
  timeline.lanes[lane(key, {})].name = name;
}

void TimelineBuilder::add(const Meaning& meaning, const std::string& span_name, std::uint32_t lane, Interval time,
                          const SpanArguments& arguments) {
  if (meaning.kind == SpanKind::region) {
    timeline.regions.push_back({time, span_name, static_cast<std::uint32_t>(arguments.lane)});
    return;
  }
  Span span{time, name(span_name), lane, meaning.category, arguments.correlation};
  span.adopted = arguments.adopted, span.open = arguments.open;
  if (meaning.kind == SpanKind::layer) span.id = arguments.inner;
  if (!arguments.operation.empty()) span.operation = name(arguments.operation);
  switch (meaning.kind) {
    case SpanKind::operation:
      timeline.operations.push_back(span);
      return;
    case SpanKind::layer:
      timeline.layers.push_back(span);
      return;
    case SpanKind::call:
      timeline.calls.push_back(span);
      return;
    case SpanKind::gpu:
      timeline.lanes[lane].gpu = true;
      timeline.gpu.push_back(span);
      return;
    case SpanKind::overhead:
    case SpanKind::region:
      timeline.overhead.push_back(span);
      return;
  }
}

void TimelineBuilder::mark(const std::string& mark_name, std::uint32_t lane, std::int64_t at, std::uint64_t value) {
  timeline.progress.push_back({.at = at, .name = name(mark_name), .lane = lane, .value = value});
}

Timeline TimelineBuilder::finish() {
  std::ranges::stable_sort(timeline.regions, {}, [](const Region& r) { return r.start; });
  demand_regions(timeline);
  const std::int64_t origin = timeline.regions.empty() ? 0 : timeline.regions.front().start;
  for (auto* spans : {&timeline.operations, &timeline.layers, &timeline.calls, &timeline.gpu, &timeline.overhead}) {
    for (Span& s : *spans) s.start -= origin, s.end -= origin;
    // Of those that begin together the longer is the outer one; of equal ones, the first in the file.
    std::ranges::stable_sort(*spans, {}, [](const Span& s) { return std::pair(s.start, -s.end); });
  }
  for (Region& r : timeline.regions) r.start -= origin, r.end -= origin;
  for (Mark& m : timeline.progress) m.at -= origin;
  std::ranges::stable_sort(timeline.progress, {}, &Mark::at);
  timeline.faults.clipped = clipped_operations(timeline);
  return std::move(timeline);
}

}  // namespace retrial::profiler::inline traces
