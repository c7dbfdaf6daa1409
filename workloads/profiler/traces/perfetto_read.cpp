#include <map>
#include <optional>

#include "workloads/profiler/traces/perfetto.hpp"
#include "workloads/profiler/traces/perfetto_fields.hpp"
#include "workloads/profiler/traces/protobuf.hpp"
#include "workloads/profiler/traces/words.hpp"

namespace retrial::profiler::inline traces {
namespace {

using namespace traces_fields;

struct TrackEvent {
  std::uint64_t type = 0, track = 0, value = 0;
  std::string category, name, carried;
  SpanArguments arguments;
};

class Reader {
 public:
  Timeline read(const ByteReader& file) {
    each_field(file, [&](std::uint64_t field, std::uint64_t, const ByteReader& bytes) {
      if (field != trace_packet) bytes.refuse("this is no trace of Perfetto: a field that no trace has");
      read_packet(bytes);
    });
    if (packets_ == 0) file.refuse("a trace of Perfetto without a packet");
    for (const auto& [track, events] : open_) build_.timeline.faults.unmatched += events.size();
    return build_.finish();
  }

 private:
  void read_packet(const ByteReader& packet) {
    ++packets_;
    std::int64_t at = 0;
    std::optional<TrackEvent> event;
    each_field(packet, [&](std::uint64_t field, std::uint64_t number, const ByteReader& bytes) {
      if (field == packet_timestamp) at = static_cast<std::int64_t>(number);
      if (field == packet_descriptor) read_track(bytes);
      if (field == packet_event) event = event_of(bytes);
    });
    if (event) apply(*event, at);
  }

  void read_track(const ByteReader& bytes) {
    std::uint64_t uuid = 0, parent = 0;
    bool process = false, thread = false;
    std::string name;
    each_field(bytes, [&](std::uint64_t field, std::uint64_t number, const ByteReader& inner) {
      if (field == track_uuid) uuid = number;
      if (field == track_parent) parent = number;
      if (field == track_name) name = text_in(inner);
      if (field == track_process) process = true, read_name(inner, process_name, build_.timeline.process);
      if (field == track_thread) thread = true, read_name(inner, thread_name, name);
    });
    if (process) {
      process_ = uuid;
      return;
    }
    // A track below that of a lane is the same lane; one below the process may be one of a GPU.
    if (const auto lane = lanes_.find(parent); lane != lanes_.end() && parent != process_)
      lanes_[uuid] = lane->second;
    else if (thread || name != "regions")
      lanes_[uuid] =
          build_.lane(std::to_string(uuid), {.gpu = !thread, .name = name, .number = std::int64_t(lanes_.size())});
  }
  static void read_name(const ByteReader& bytes, std::uint32_t field, std::string& to) {
    each_field(bytes, [&](std::uint64_t f, std::uint64_t, const ByteReader& inner) {
      if (f == field) to = text_in(inner);
    });
  }

  static TrackEvent event_of(const ByteReader& bytes) {
    TrackEvent out;
    each_field(bytes, [&](std::uint64_t field, std::uint64_t number, const ByteReader& inner) {
      if (field == event_type) out.type = number;
      if (field == event_track) out.track = number;
      if (field == event_category) out.category = text_in(inner);
      if (field == event_name) out.name = text_in(inner);
      if (field == event_annotation) read_annotation(inner, out);
    });
    return out;
  }
  static void read_annotation(const ByteReader& bytes, TrackEvent& to) {
    std::string name, text;
    std::uint64_t value = 0;
    each_field(bytes, [&](std::uint64_t field, std::uint64_t number, const ByteReader& inner) {
      if (field == annotation_name) name = text_in(inner);
      if (field == annotation_string) text = text_in(inner);
      if (field == annotation_uint) value = number;
    });
    SpanArguments& a = to.arguments;
    if (name == "correlation") a.correlation = value;
    if (name == "inner") a.inner = value;
    if (name == "lane") a.lane = value;
    if (name == "adopted") a.adopted = value == 1;
    if (name == "open") a.open = value == 1;
    if (name == "operation") a.operation = text;
    if (name == "value") to.value = value;
    if (name == "retrial") to.carried = text;
  }

  void apply(const TrackEvent& event, std::int64_t at) {
    if (event.type == type_begin) {
      open_[event.track].emplace_back(at, event);
    } else if (event.type == type_instant && event.category == "progress") {
      if (const auto lane = lanes_.find(event.track); lane != lanes_.end())
        build_.mark(event.name, lane->second, at, event.value);
    } else if (event.type == type_end) {
      close(event.track, at);
    }
  }
  void close(std::uint64_t track, std::int64_t at) {
    auto& open = open_[track];
    if (open.empty() || at < open.back().first) {
      ++build_.timeline.faults.unmatched;
      return;
    }
    const auto [begin, event] = std::move(open.back());
    open.pop_back();
    const WordMeaning word = meaning_of(event.category);
    if (word.unknown) ++build_.timeline.faults.ignored;
    if (!word.meaning) return;
    if (!event.carried.empty()) read_carried(event.carried, build_.timeline);
    const auto lane = lanes_.find(track);
    if (word.meaning->kind != SpanKind::region && lane == lanes_.end()) {
      ++build_.timeline.faults.ignored;
      return;
    }
    build_.add(*word.meaning, event.name, lane == lanes_.end() ? 0 : lane->second, {begin, at}, event.arguments);
  }

  TimelineBuilder build_;
  std::map<std::uint64_t, std::uint32_t> lanes_;
  std::map<std::uint64_t, std::vector<std::pair<std::int64_t, TrackEvent>>> open_;
  std::uint64_t process_ = 0, packets_ = 0;
};

}  // namespace

Timeline read_perfetto(std::string_view bytes, const std::string& file) {
  return Reader().read(ByteReader(bytes, file));
}

}  // namespace retrial::profiler::inline traces
