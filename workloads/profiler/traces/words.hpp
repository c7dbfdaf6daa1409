#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "workloads/profiler/timeline/timeline.hpp"

/// How trace files of other programs name what we measure: the categories of Kineto, PyTorch's profiler.
namespace retrial::profiler::inline traces {

/// Number that our own files give device 0 of a GPU where a process is expected.
inline constexpr std::int64_t first_device = 100;

enum class SpanKind { region, operation, layer, call, gpu, overhead };

[[nodiscard]] std::string_view word_of(SpanKind kind, Category category);

struct Meaning {
  SpanKind kind = SpanKind::operation;
  Category category = Category::app;
};
/// Nothing for a category that is known to be no measured interval (flows, Python frames, copies of annotations), and
/// an `unknown` that counts.
struct WordMeaning {
  std::optional<Meaning> meaning;
  bool unknown = false;
};
[[nodiscard]] WordMeaning meaning_of(std::string_view word);

/// What a span is told with beside name, category and time.
struct SpanArguments {
  std::uint64_t correlation = 0, inner = 0, lane = 0;
  std::string operation, phase;
  bool adopted = false, open = false;
};
[[nodiscard]] SpanArguments arguments_of(SpanKind kind, const Span& span, const Timeline& timeline);

/// Header and faults, as JSON text that a file carries along.
[[nodiscard]] std::string carried_text(const Timeline& timeline);
void read_carried(const std::string& text, Timeline& to);

/// A timeline put together from the intervals of a file, in any order.
class TimelineBuilder {
 public:
  [[nodiscard]] NameId name(const std::string& text);
  /// The lane of this key, made at its first use.
  [[nodiscard]] std::uint32_t lane(const std::string& key, const Lane& lane);
  void name_lane(const std::string& key, const std::string& name);
  void add(const Meaning& meaning, const std::string& span_name, std::uint32_t lane, Interval time,
           const SpanArguments& arguments);
  void mark(const std::string& mark_name, std::uint32_t lane, std::int64_t at, std::uint64_t value);
  /// Sorted, relative to the begin of the first region, or of the whole where there is none.
  [[nodiscard]] Timeline finish();

  Timeline timeline;

 private:
  std::unordered_map<std::string, NameId> names_;
  std::unordered_map<std::string, std::uint32_t> lanes_;
};

}  // namespace retrial::profiler::inline traces
