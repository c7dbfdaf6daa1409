#include "workloads/profiler/traces/rtrace.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

#include "determinism/digest/xxh3c.hpp"
#include "results/json/json.hpp"
#include "workloads/profiler/traces/bytes.hpp"

namespace retrial::profiler::inline traces {
namespace {

constexpr std::size_t block_size = 4096;

Json header_of(const Recording& r, Packing packing, bool salvaged) {
  Json regions = Json::array(), lanes = Json::array();
  for (const RecordedRegion& region : r.regions)
    regions.push_back({{"phase", region.phase}, {"begin", region.begin}, {"end", region.end}, {"lane", region.lane}});
  for (const RecordedLane& lane : r.lanes)
    lanes.push_back({{"gpu", lane.gpu},
                     {"lane", lane.lane},
                     {"name", lane.name},
                     {"events", lane.events.size()},
                     {"dropped", lane.dropped}});
  return {{"host", r.host},
          {"process", r.process},
          {"collector", r.collector},
          {"clock",
           {{"source", name_of(r.source)},
            {"ticks", {r.clock.first.ticks, r.clock.last.ticks}},
            {"ns", {r.clock.first.ns, r.clock.last.ns}}}},
          {"metadata", r.metadata},
          {"names", r.names},
          {"regions", regions},
          {"lanes", lanes},
          {"packing", packing == Packing::plain ? "plain" : "compressed"},
          {"salvaged", salvaged}};
}

/// (name, kind, category), by which most events repeat others.
using Form = std::tuple<NameId, EventKind, Category>;

class Packer {
 public:
  void pack(std::string& to, const Event& e) {
    const auto [place, fresh] = forms_.try_emplace({e.name, e.kind, e.category}, forms_.size());
    append_varint(to, fresh ? 0 : place->second + 1);
    if (fresh) {
      append_varint(to, e.name);
      append_word(to, static_cast<std::uint8_t>(e.kind));
      append_word(to, static_cast<std::uint8_t>(e.category));
    }
    append_varint(to, zigzag(e.t - time_));
    append_varint(to, zigzag(e.arg - arg_));
    time_ = e.t, arg_ = e.arg;
  }

 private:
  std::map<Form, std::uint64_t> forms_;
  std::uint64_t time_ = 0, arg_ = 0;
};

class Unpacker {
 public:
  Event unpack(ByteReader& from, std::uint16_t lane) {
    const std::uint64_t form = from.varint("an event");
    if (form > forms_.size()) from.refuse("an event of a form that the block has not named");
    if (form == 0) {
      const auto name = static_cast<NameId>(from.varint("an event"));
      const auto kind = from.word<std::uint8_t>("an event"), category = from.word<std::uint8_t>("an event");
      forms_.emplace_back(name, EventKind{kind}, Category{category});
    }
    const auto& [name, kind, category] = form == 0 ? forms_.back() : forms_[form - 1];
    time_ += from_zigzag(from.varint("an event"));
    arg_ += from_zigzag(from.varint("an event"));
    return {time_, arg_, name, kind, category, lane};
  }

 private:
  std::vector<Form> forms_;
  std::uint64_t time_ = 0, arg_ = 0;
};

/// {u32 lane of the table, u32 count}, then the events; packed ones after their length in bytes.
std::string block_of(std::uint32_t lane, std::span<const Event> events, Packing packing) {
  std::string out;
  append_word(out, lane);
  append_word(out, static_cast<std::uint32_t>(events.size()));
  if (packing == Packing::plain)
    return out.append(reinterpret_cast<const char*>(events.data()), events.size() * sizeof(Event));
  Packer packer;
  std::string packed;
  for (const Event& e : events) packer.pack(packed, e);
  append_word(out, static_cast<std::uint32_t>(packed.size()));
  return out + packed;
}

std::uint64_t digest_of(std::string_view bytes) {
  return determinism::xxh3_64(std::as_bytes(std::span(bytes)));
}

void demand_event(const ByteReader& from, const Recording& recording, const Event& e) {
  const auto kind = static_cast<std::uint8_t>(e.kind);
  if (kind == 0 || kind > last_event_kind || static_cast<std::size_t>(e.category) >= category_names.size() ||
      (e.name != no_name && e.name >= recording.names.size()))
    from.refuse("an event of unknown kind, category or name");
}

void read_block(ByteReader& from, Recording& to, Packing packing) {
  const auto lane = from.word<std::uint32_t>("the head of a block"),
             count = from.word<std::uint32_t>("the head of a block");
  if (lane >= to.lanes.size()) from.refuse("a block of a lane that the header does not name");
  RecordedLane& into = to.lanes[lane];
  std::vector<Event> events;
  if (packing == Packing::plain) {
    ByteReader body(from.take(std::uint64_t{count} * sizeof(Event), "a block"), from.file(),
                    from.place() - std::size_t{count} * sizeof(Event));
    for (std::uint32_t i = 0; i < count; ++i) {
      events.push_back(body.word<Event>("an event"));
      demand_event(body, to, events.back());
    }
  } else {
    const auto length = from.word<std::uint32_t>("the head of a block");
    const std::size_t begin = from.place();
    ByteReader body(from.take(length, "a block"), from.file(), begin);
    Unpacker unpacker;
    for (std::uint32_t i = 0; i < count; ++i) {
      events.push_back(unpacker.unpack(body, into.lane));
      demand_event(body, to, events.back());
    }
    if (body.left() != 0) body.refuse("a block is longer than its events");
  }
  into.events.insert(into.events.end(), events.begin(), events.end());
}

Recording recording_of(const Json& header, const std::string& file, Packing& packing, std::uint64_t& events) {
  Recording out;
  try {
    out.host = header.at("host"), out.process = header.at("process"), out.collector = header.at("collector");
    const Json& clock = header.at("clock");
    out.source = clock.at("source") == "tsc" ? ClockSource::tsc : ClockSource::monotonic;
    out.clock = {{clock.at("ticks").at(0), clock.at("ns").at(0)}, {clock.at("ticks").at(1), clock.at("ns").at(1)}};
    header.at("metadata").get_to(out.metadata);
    header.at("names").get_to(out.names);
    for (const Json& r : header.at("regions"))
      out.regions.push_back({.phase = r.at("phase"), .begin = r.at("begin"), .end = r.at("end"), .lane = r.at("lane")});
    for (const Json& l : header.at("lanes")) {
      events += l.at("events").get<std::uint64_t>();
      out.lanes.push_back({.gpu = l.at("gpu"), .lane = l.at("lane"), .name = l.at("name"), .dropped = l.at("dropped")});
    }
    packing = header.at("packing") == "plain" ? Packing::plain : Packing::compressed;
    out.salvaged = header.at("salvaged");
  } catch (const Json::exception& e) {
    throw Error({.exit = Exit::integrity,
                 .code = "profile.trace",
                 .where = file,
                 .field = "header",
                 .problem = "a value is missing or of another type",
                 .help = e.what()});
  }
  return out;
}

}  // namespace

std::string rtrace_bytes(const Recording& recording, Packing packing) {
  std::string out(rtrace_magic);
  const std::string header = results::canonical(header_of(recording, packing, recording.salvaged));
  append_word(out, static_cast<std::uint32_t>(header.size()));
  out += header;
  std::vector<std::uint64_t> places;
  for (std::uint32_t lane = 0; lane < recording.lanes.size(); ++lane) {
    const std::span<const Event> events = recording.lanes[lane].events;
    for (std::size_t at = 0; at < events.size(); at += block_size) {
      places.push_back(out.size());
      out += block_of(lane, events.subspan(at, std::min(block_size, events.size() - at)), packing);
    }
  }
  const std::uint64_t trailer = out.size();
  for (const std::uint64_t place : places) append_word(out, place);
  append_word(out, static_cast<std::uint64_t>(places.size()));
  append_word(out, trailer);
  append_word(out, digest_of(out));
  return out;
}

Recording read_rtrace(std::string_view bytes, const std::string& file, Damage damage) {
  ByteReader from(bytes, file);
  if (from.take(std::min(rtrace_magic.size(), bytes.size()), "the magic") != rtrace_magic) {
    throw Error({.exit = Exit::integrity,
                 .code = "profile.trace",
                 .where = file,
                 .field = "byte 0",
                 .problem = "this is no trace: it does not begin with " + std::string(rtrace_magic)});
  }
  const auto length = from.word<std::uint32_t>("the length of the header");
  Packing packing = Packing::plain;
  std::uint64_t expected = 0;
  Recording out = recording_of(results::parse_json(from.take(length, "the header"), file), file, packing, expected);
  try {
    constexpr std::size_t tail = 24;
    if (from.left() < tail) from.refuse("the file ends inside the trailer");
    ByteReader trailer(bytes.substr(bytes.size() - tail), file, bytes.size() - tail);
    const auto blocks = trailer.word<std::uint64_t>("the trailer"), begin = trailer.word<std::uint64_t>("the trailer"),
               digest = trailer.word<std::uint64_t>("the trailer");
    const bool whole = begin >= from.place() && begin <= bytes.size() - tail &&
                       (bytes.size() - tail - begin) / 8 == blocks && (bytes.size() - tail - begin) % 8 == 0;
    // Without a trailer the file is cut: the blocks are read up to the cut, which then is named.
    for (std::uint64_t b = 0; whole ? b < blocks : out.events() < expected; ++b) read_block(from, out, packing);
    if (!whole || from.place() != begin) from.refuse("the trailer is missing or damaged");
    if (digest != digest_of(bytes.substr(0, bytes.size() - 8))) trailer.refuse("the content does not match its digest");
  } catch (const Error&) {
    if (damage == Damage::refused) throw;
    out.salvaged = true;
  }
  return out;
}

}  // namespace retrial::profiler::inline traces
