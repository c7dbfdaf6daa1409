#include <algorithm>
#include <tuple>

#include "results/json/json.hpp"
#include "results/text/utf8.hpp"
#include "workloads/profiler/traces/chrome.hpp"
#include "workloads/profiler/traces/words.hpp"

namespace retrial::profiler::inline traces {
namespace {

/// Microseconds with three decimals.
std::string microseconds(std::int64_t ns) {
  const std::uint64_t size =
      ns < 0 ? std::uint64_t{0} - static_cast<std::uint64_t>(ns) : static_cast<std::uint64_t>(ns);
  std::string decimals = std::to_string(1000 + size % 1000);
  decimals[0] = '.';
  return (ns < 0 ? "-" : "") + std::to_string(size / 1000) + decimals;
}

/// A name from outside may be no UTF-8, and no file may be.
std::string quoted(const std::string& text) {
  std::string out;
  results::append_string(out, results::storable_text(text, text.size()));
  return out;
}

/// One line of the file, and what orders it.
struct Line {
  std::int64_t at = 0;
  std::uint64_t length = 0;
  std::uint32_t lane = 0;
  std::string text;
};

/// Processes and threads of the file: the process is 1, device d of a GPU first_device + d.
std::string place_text(const Timeline& t, std::uint32_t lane) {
  const Lane& l = t.lanes[lane];
  return "\"pid\":" + std::to_string(l.gpu ? first_device + l.group : 1) +
         ",\"tid\":" + std::to_string(l.gpu ? l.number : lane);
}

std::string arguments_text(const SpanArguments& a) {
  std::string out;
  const auto add = [&](const char* key, const std::string& value) {
    out += (out.empty() ? "" : ",") + std::string("\"") + key + "\":" + value;
  };
  if (a.correlation != 0) add("correlation", std::to_string(a.correlation));
  if (a.inner != 0) add("inner", std::to_string(a.inner));
  if (a.adopted) add("adopted", "1");
  if (a.open) add("open", "1");
  if (!a.operation.empty()) add("operation", quoted(a.operation));
  return out.empty() ? "" : ",\"args\":{" + out + "}";
}

class Lines {
 public:
  explicit Lines(const Timeline& timeline) : timeline_(timeline) {}

  void add(SpanKind kind, const std::vector<Span>& spans) {
    for (const Span& s : spans) {
      lines_.push_back({s.start, s.length(), s.lane,
                        "{\"ph\":\"X\",\"cat\":\"" + std::string(word_of(kind, s.category)) +
                            "\",\"name\":" + quoted(timeline_.name(s.name)) + "," + place_text(timeline_, s.lane) +
                            ",\"ts\":" + microseconds(s.start) +
                            ",\"dur\":" + microseconds(static_cast<std::int64_t>(s.length())) +
                            arguments_text(arguments_of(kind, s, timeline_)) + "}"});
      if (s.id != 0 && (kind == SpanKind::call || kind == SpanKind::gpu)) add_flow(kind, s);
    }
  }
  void add_regions() {
    for (const Region& r : timeline_.regions)
      lines_.push_back({r.start, r.length(), 0,
                        "{\"ph\":\"X\",\"cat\":\"region\",\"name\":" + quoted(r.phase) +
                            ",\"pid\":1,\"tid\":" + region_thread + ",\"ts\":" + microseconds(r.start) +
                            ",\"dur\":" + microseconds(static_cast<std::int64_t>(r.length())) +
                            ",\"args\":{\"lane\":" + std::to_string(r.lane) + "}}"});
  }
  void add_marks() {
    for (const Mark& m : timeline_.progress)
      lines_.push_back({m.at, 0, m.lane,
                        "{\"ph\":\"i\",\"s\":\"t\",\"cat\":\"progress\",\"name\":" + quoted(timeline_.name(m.name)) +
                            "," + place_text(timeline_, m.lane) + ",\"ts\":" + microseconds(m.at) +
                            ",\"args\":{\"value\":" + std::to_string(m.value) + "}}"});
  }
  [[nodiscard]] std::string text() {
    std::ranges::stable_sort(lines_, {}, [](const Line& l) { return std::tuple(l.at, ~l.length, l.lane); });
    std::string out;
    for (const Line& line : lines_) out += ",\n" + line.text;
    return out;
  }
  static constexpr const char* region_thread = "1000000";

 private:
  void add_flow(SpanKind kind, const Span& s) {
    lines_.push_back({s.start, 0, s.lane,
                      std::string("{\"ph\":\"") + (kind == SpanKind::call ? "s\"" : "f\",\"bp\":\"e\"") +
                          ",\"cat\":\"ac2g\",\"name\":\"ac2g\",\"id\":" + std::to_string(s.id) + "," +
                          place_text(timeline_, s.lane) + ",\"ts\":" + microseconds(s.start) + "}"});
  }

  const Timeline& timeline_;
  std::vector<Line> lines_;
};

std::string name_line(const char* what, const std::string& place, const std::string& name) {
  return std::string("{\"ph\":\"M\",\"name\":\"") + what + "\"," + place + ",\"args\":{\"name\":" + quoted(name) + "}}";
}

}  // namespace

std::string chrome_json(const Timeline& timeline) {
  std::string out = "{\"schemaVersion\":1,\"displayTimeUnit\":\"ns\",\"baseTimeNanoseconds\":0,\"retrial\":" +
                    carried_text(timeline) + ",\"traceEvents\":[\n" +
                    name_line("process_name", "\"pid\":1,\"tid\":0", timeline.process);
  for (std::uint32_t lane = 0; lane < timeline.lanes.size(); ++lane)
    out += ",\n" + name_line("thread_name", place_text(timeline, lane), timeline.lanes[lane].name);
  Lines lines(timeline);
  lines.add_regions();
  lines.add(SpanKind::operation, timeline.operations);
  lines.add(SpanKind::layer, timeline.layers);
  lines.add(SpanKind::call, timeline.calls);
  lines.add(SpanKind::gpu, timeline.gpu);
  lines.add(SpanKind::overhead, timeline.overhead);
  lines.add_marks();
  return out + lines.text() + "\n]}\n";
}

}  // namespace retrial::profiler::inline traces
