#include <algorithm>
#include <limits>
#include <tuple>

#include "results/text/utf8.hpp"
#include "workloads/profiler/traces/perfetto.hpp"
#include "workloads/profiler/traces/perfetto_fields.hpp"
#include "workloads/profiler/traces/protobuf.hpp"
#include "workloads/profiler/traces/words.hpp"

namespace retrial::profiler::inline traces {
namespace {

using namespace traces_fields;

constexpr std::uint64_t process_track = 1, first_lane_track = 2, lane_pid = 1;

std::string storable(const std::string& text) {
  return results::storable_text(text, text.size());
}

/// An interval of a lane that is to be drawn, and its form.
struct Drawn {
  Interval time;
  std::size_t order = 0;
  Message begin;  ///< a TrackEvent without type and track
};

class Writer {
 public:
  explicit Writer(const Timeline& timeline) : timeline_(timeline), lanes_(timeline.lanes.size()) {
    for (const auto* spans :
         {&timeline.operations, &timeline.layers, &timeline.calls, &timeline.gpu, &timeline.overhead})
      for (const Span& s : *spans) origin_ = std::min(origin_, s.start);
    for (const Region& r : timeline.regions) origin_ = std::min(origin_, r.start);
    for (const Mark& m : timeline.progress) origin_ = std::min(origin_, m.at);
    next_track_ = first_lane_track + lanes_.size();
  }

  std::string bytes() {
    describe();
    write_regions();
    add(SpanKind::operation, timeline_.operations);
    add(SpanKind::layer, timeline_.layers);
    add(SpanKind::call, timeline_.calls);
    add(SpanKind::gpu, timeline_.gpu);
    add(SpanKind::overhead, timeline_.overhead);
    for (std::uint32_t lane = 0; lane < lanes_.size(); ++lane) write_lane(lane);
    for (const Mark& m : timeline_.progress) write_mark(m);
    return std::move(out_);
  }

 private:
  static std::uint64_t track_of(std::uint32_t lane) { return first_lane_track + lane; }

  void packet(Message content) {
    content.number(packet_sequence, 1);
    if (out_.empty()) content.number(packet_flags, 1);
    out_ += Message().message(trace_packet, content).bytes();
  }
  void describe() {
    packet(Message().message(
        packet_descriptor,
        Message()
            .number(track_uuid, process_track)
            .message(track_process,
                     Message().number(process_pid, lane_pid).text(process_name, storable(timeline_.process)))));
    for (std::uint32_t lane = 0; lane < lanes_.size(); ++lane) describe_lane(lane);
  }
  void describe_lane(std::uint32_t lane) {
    const Lane& l = timeline_.lanes[lane];
    Message track;
    track.number(track_uuid, track_of(lane)).number(track_parent, process_track);
    if (l.gpu)
      track.text(track_name, storable(l.name));
    else
      track.message(
          track_thread,
          Message().number(thread_pid, lane_pid).number(thread_tid, lane + 1).text(thread_name, storable(l.name)));
    packet(Message().message(packet_descriptor, track));
  }
  /// A further track below the one of a lane.
  std::uint64_t extra_track(std::uint64_t parent, const std::string& name) {
    const std::uint64_t track = next_track_++;
    packet(Message().message(
        packet_descriptor,
        Message().number(track_uuid, track).number(track_parent, parent).text(track_name, storable(name))));
    return track;
  }

  static Message annotation(const char* name, std::uint64_t value) {
    return Message().text(annotation_name, name).number(annotation_uint, value);
  }
  static Message annotation(const char* name, const std::string& value) {
    return Message().text(annotation_name, name).text(annotation_string, storable(value));
  }

  void add(SpanKind kind, const std::vector<Span>& spans) {
    for (const Span& s : spans) {
      Message event;
      event.text(event_category, word_of(kind, s.category)).text(event_name, storable(timeline_.name(s.name)));
      const SpanArguments a = arguments_of(kind, s, timeline_);
      if (a.correlation != 0) event.message(event_annotation, annotation("correlation", a.correlation));
      if (a.inner != 0) event.message(event_annotation, annotation("inner", a.inner));
      if (a.adopted) event.message(event_annotation, annotation("adopted", 1));
      if (a.open) event.message(event_annotation, annotation("open", 1));
      if (!a.operation.empty()) event.message(event_annotation, annotation("operation", a.operation));
      if (s.id != 0 && (kind == SpanKind::call || kind == SpanKind::gpu)) event.fixed(event_flow, s.id);
      lanes_[s.lane].push_back({s, lanes_[s.lane].size(), std::move(event)});
    }
  }

  void event(std::uint64_t track, std::uint64_t type, std::int64_t at, Message content) {
    content.number(event_type, type).number(event_track, track);
    packet(Message()
               .number(packet_timestamp, static_cast<std::uint64_t>(at) - static_cast<std::uint64_t>(origin_))
               .message(packet_event, content));
  }

  void write_regions() {
    if (timeline_.regions.empty()) return;
    const std::uint64_t track = extra_track(process_track, "regions");
    for (const Region& r : timeline_.regions) {
      Message begin;
      begin.text(event_category, "region").text(event_name, storable(r.phase));
      begin.message(event_annotation, annotation("lane", r.lane));
      begin.message(event_annotation, annotation("retrial", carried_text(timeline_)));
      event(track, type_begin, r.start, std::move(begin));
      event(track, type_end, r.end, Message());
    }
  }

  /// The intervals of a lane in tracks on each of which they nest.
  void write_lane(std::uint32_t lane) {
    std::vector<Drawn>& drawn = lanes_[lane];
    std::ranges::sort(drawn, {}, [](const Drawn& d) { return std::tuple(d.time.start, -d.time.end, d.order); });
    struct Row {
      std::uint64_t track;
      std::vector<std::int64_t> open;
    };
    std::vector<Row> rows{{track_of(lane), {}}};
    const auto close_until = [&](Row& row, std::int64_t at) {
      for (; !row.open.empty() && row.open.back() <= at; row.open.pop_back())
        event(row.track, type_end, row.open.back(), Message());
    };
    for (Drawn& d : drawn) {
      Row* chosen = nullptr;
      for (Row& row : rows) {
        close_until(row, d.time.start);
        if (chosen == nullptr && (row.open.empty() || d.time.end <= row.open.back())) chosen = &row;
      }
      if (chosen == nullptr) {
        rows.push_back({extra_track(track_of(lane), timeline_.lanes[lane].name + " (overlapping)"), {}});
        chosen = &rows.back();
      }
      event(chosen->track, type_begin, d.time.start, std::move(d.begin));
      chosen->open.push_back(d.time.end);
    }
    for (Row& row : rows) close_until(row, std::numeric_limits<std::int64_t>::max());
  }

  void write_mark(const Mark& m) {
    Message content;
    content.text(event_category, "progress").text(event_name, storable(timeline_.name(m.name)));
    content.message(event_annotation, annotation("value", m.value));
    event(track_of(m.lane), type_instant, m.at, std::move(content));
  }

  const Timeline& timeline_;
  std::vector<std::vector<Drawn>> lanes_;
  std::int64_t origin_ = std::numeric_limits<std::int64_t>::max();
  std::uint64_t next_track_ = 0;
  std::string out_;
};

}  // namespace

std::string perfetto_bytes(const Timeline& timeline) {
  return Writer(timeline).bytes();
}

}  // namespace retrial::profiler::inline traces
