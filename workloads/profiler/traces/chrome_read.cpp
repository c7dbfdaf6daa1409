#include <charconv>
#include <cmath>
#include <map>

#include "results/json/json.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "workloads/profiler/traces/chrome.hpp"
#include "workloads/profiler/traces/words.hpp"

namespace retrial::profiler::inline traces {
namespace {

constexpr const char* foreign = "foreign";

/// Microseconds as written in the file, in ns, rounded to the nearest. A double would lose nanoseconds of times since
/// 1970.
std::optional<std::int64_t> ns_of_microseconds(std::string_view text) {
  std::int64_t whole = 0;
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), whole);
  if (error != std::errc() || whole > std::int64_t{9'000'000'000'000'000}) return std::nullopt;
  std::string_view rest = text.substr(static_cast<std::size_t>(end - text.data()));
  std::int64_t ns = whole * 1000;
  if (rest.find_first_of("eE") != std::string_view::npos) {
    const auto value = results::parse_double(std::string(text));
    if (!value || *value > 9e15) return std::nullopt;
    ns = std::llround(*value * 1000);
  } else if (rest.starts_with('.')) {
    rest.remove_prefix(1);
    std::int64_t scale = 100;
    for (std::size_t i = 0; i < rest.size() && i < 4; ++i, scale /= 10)
      ns += i < 3 ? scale * (rest[i] - '0') : (rest[i] >= '5' ? 1 : 0);
  }
  return negative ? -ns : ns;
}

/// The fields of one event of the file that we read.
struct RawEvent {
  std::string phase, category, name, process, thread, argument_name;
  std::string time, duration;
  SpanArguments arguments;
  std::uint64_t value = 0;
};

/// Intervals of a timeline from the events of a file.
class Importer {
 public:
  explicit Importer(std::string file) : file_(std::move(file)) {}

  void event(RawEvent& e) {
    if (e.phase == "M") return metadata(e);
    const bool instant = e.phase == "i" || e.phase == "I";
    if (e.phase != "X" && e.phase != "B" && e.phase != "E" && !instant) return;
    const auto at = ns_of_microseconds(e.time);
    if (!at) refuse("ts", e.time);
    if (instant) {
      if (e.category == "progress") build_.mark(e.name, lane(e), *at, e.value);
      return;
    }
    if (e.phase == "B") {
      open_[key(e)].push_back({*at, e});
      return;
    }
    if (e.phase == "E") return close(e, *at);
    const auto length = ns_of_microseconds(e.duration);
    if (!length || *length < 0) refuse("dur", e.duration);
    add(e, {*at, *at + *length});
  }
  Timeline& timeline() { return build_.timeline; }
  Timeline finish() {
    for (const auto& [key, events] : open_) build_.timeline.faults.unmatched += events.size();
    for (Lane& lane : build_.timeline.lanes) finish_lane(lane);
    return build_.finish();
  }

 private:
  [[noreturn]] void refuse(const char* field, const std::string& value) const {
    throw Error({.exit = Exit::integrity,
                 .code = "profile.trace",
                 .where = file_,
                 .field = field,
                 .value = results::one_line(value, 40),
                 .problem = "an event of the trace has no such time",
                 .allowed = "microseconds, 0 and more for a duration"});
  }
  void finish_lane(Lane& lane) const {
    if (!lane.gpu) return;
    if (build_.timeline.collector != foreign)
      lane.group -= first_device;
    else
      lane.name = "GPU " + std::to_string(lane.group) + " stream " + std::to_string(lane.number);
  }
  static std::string key(const RawEvent& e) { return e.process + "/" + e.thread; }
  std::uint32_t lane(const RawEvent& e) {
    const auto number = [](const std::string& text) { return results::parse_int(text).value_or(0); };
    return build_.lane(key(e), {.name = "thread " + e.thread, .group = number(e.process), .number = number(e.thread)});
  }
  void metadata(const RawEvent& e) {
    if (e.name == "thread_name") {
      static_cast<void>(lane(e));
      build_.name_lane(key(e), e.argument_name);
    } else if (e.name == "process_name" && build_.timeline.process.empty()) {
      build_.timeline.process = e.argument_name;
    }
  }
  void close(const RawEvent& e, std::int64_t at) {
    auto& open = open_[key(e)];
    if (open.empty() || at < open.back().first) {
      ++build_.timeline.faults.unmatched;
      return;
    }
    const auto [begin, event] = open.back();
    open.pop_back();
    add(event, {begin, at});
  }
  void add(const RawEvent& e, Interval time) {
    const WordMeaning word = meaning_of(e.category);
    if (word.unknown) ++build_.timeline.faults.ignored;
    if (!word.meaning) return;
    if (word.meaning->kind == SpanKind::region) return build_.add(*word.meaning, e.name, 0, time, e.arguments);
    const std::uint32_t place = lane(e);
    constexpr std::string_view step = "ProfilerStep#";  // torch.profiler numbers the steps of its schedule
    if (word.meaning->kind != SpanKind::operation || !e.name.starts_with(step))
      return build_.add(*word.meaning, e.name, place, time, e.arguments);
    build_.add(*word.meaning, "ProfilerStep", place, time, e.arguments);
    build_.mark("step", place, time.end, results::parse_u64(e.name.substr(step.size())).value_or(0));
  }

  std::string file_;
  TimelineBuilder build_;
  std::map<std::string, std::vector<std::pair<std::int64_t, RawEvent>>> open_;
};

/// Events of the parser. Only traceEvents[] and its args are looked into.
class Handler : public nlohmann::json_sax<Json> {
 public:
  Handler(Importer& to, std::string file) : to_(to), file_(std::move(file)) {}

  bool start_object(std::size_t) override {
    enter(true);
    return true;
  }
  bool end_object() override {
    if (in_event_ && depth_ == event_depth_) {
      to_.event(event_);
      in_event_ = false;
    }
    leave();
    return true;
  }
  bool start_array(std::size_t) override {
    if (depth_ == 1 && key_ == "traceEvents") events_depth_ = 2;
    if (depth_ == 0) events_depth_ = 1;
    enter(false);
    return true;
  }
  bool end_array() override {
    if (depth_ == events_depth_) {
      seen_events_ = true;
      events_depth_ = -1;
    }
    leave();
    return true;
  }
  bool key(std::string& text) override {
    key_ = text;
    return true;
  }
  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(std::int64_t value) override { return number(std::to_string(value)); }
  bool number_unsigned(std::uint64_t value) override { return number(std::to_string(value)); }
  bool number_float(double, const std::string& text) override { return number(text); }
  bool string(std::string& text) override {
    if (!in_event_) return true;
    if (depth_ == event_depth_) return field(text);
    if (depth_ == event_depth_ + 1 && in_args_) {
      if (key_ == "name") event_.argument_name = text;
      if (key_ == "operation") event_.arguments.operation = text;
    }
    return true;
  }
  bool binary(binary_t&) override { return true; }
  bool parse_error(std::size_t at, const std::string&, const nlohmann::detail::exception&) override {
    throw Error({.exit = Exit::integrity,
                 .code = "profile.trace",
                 .where = file_,
                 .field = "byte " + std::to_string(at),
                 .problem = "this is no JSON from here on"});
  }
  [[nodiscard]] bool seen_events() const { return seen_events_; }

 private:
  void enter(bool object) {
    if (in_event_ && depth_ == event_depth_) in_args_ = key_ == "args";
    ++depth_;
    if (object && !in_event_ && events_depth_ > 0 && depth_ == events_depth_ + 1) {
      in_event_ = true;
      event_depth_ = depth_;
      event_ = {};
    }
  }
  void leave() {
    if (in_event_ && depth_ == event_depth_ + 1) in_args_ = false;
    --depth_;
  }
  bool number(const std::string& text) {
    if (!in_event_) return true;
    if (depth_ == event_depth_) return field(text);
    if (depth_ != event_depth_ + 1 || !in_args_) return true;
    SpanArguments& a = event_.arguments;
    const std::uint64_t value = results::parse_u64(text).value_or(0);
    if (key_ == "correlation") a.correlation = value;
    if (key_ == "inner") a.inner = value;
    if (key_ == "lane") a.lane = value;
    if (key_ == "value") event_.value = value;
    if (key_ == "adopted") a.adopted = value == 1;
    if (key_ == "open") a.open = value == 1;
    return true;
  }
  bool field(const std::string& text) {
    if (key_ == "ph") event_.phase = text;
    if (key_ == "cat") event_.category = text;
    if (key_ == "name") event_.name = text;
    if (key_ == "pid") event_.process = text;
    if (key_ == "tid") event_.thread = text;
    if (key_ == "ts") event_.time = text;
    if (key_ == "dur") event_.duration = text;
    return true;
  }

  Importer& to_;
  std::string file_, key_;
  int depth_ = 0, events_depth_ = -1, event_depth_ = 0;
  bool in_event_ = false, in_args_ = false, seen_events_ = false;
  RawEvent event_;
};

/// The object behind "retrial" at the top, which we write before the events.
void read_own_part(std::string_view text, Timeline& to) {
  constexpr std::string_view key = "\"retrial\":{";
  const std::size_t begin = text.substr(0, 200).find(key), end = text.find(",\"traceEvents\":[", begin);
  if (begin == std::string_view::npos || end == std::string_view::npos) {
    to.collector = foreign;
    return;
  }
  const std::size_t object = begin + key.size() - 1;
  read_carried(std::string(text.substr(object, end - object)), to);
}

}  // namespace

Timeline read_chrome(std::string_view text, const std::string& file) {
  Importer importer(file);
  Handler handler(importer, file);
  read_own_part(text, importer.timeline());
  Json::sax_parse(text, &handler);
  if (!handler.seen_events())
    throw Error({.exit = Exit::integrity,
                 .code = "profile.trace",
                 .where = file,
                 .field = "traceEvents",
                 .problem = "this JSON is no trace: it has no list of events"});
  return importer.finish();
}

}  // namespace retrial::profiler::inline traces
