#include <map>

#include "results/exchange/jsonl.hpp"
#include "results/record/identity.hpp"
#include "results/record/manifest_split.hpp"
#include "results/record/series.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"

namespace retrial::results::inline exchange {
namespace {

Error malformed(const std::string& where, const std::string& problem) {
  return Error({.exit = Exit::integrity, .code = "jsonl.malformed", .where = where, .problem = problem});
}

// Typed access to untrusted JSON.
class Fields {
 public:
  Fields(const Json& object, std::string where) : object_(object), where_(std::move(where)) {
    if (!object.is_object()) throw malformed(where_, "is not an object");
  }
  const std::string& where() const { return where_; }
  const Json& all() const { return object_; }
  bool has(const char* key) const { return object_.contains(key); }
  const Json& at(const char* key) const {
    if (!has(key)) throw malformed(where_, std::string("lacks \"") + key + "\"");
    return object_.at(key);
  }
  std::string text(const char* key) const { return text_in(at(key), key); }
  std::int64_t integer(const char* key) const { return integer_in(at(key), key); }
  template <typename T = std::int64_t>
  std::optional<T> integer_or_null(const char* key) const {
    return at(key).is_null() ? std::nullopt : std::optional(static_cast<T>(integer(key)));
  }
  std::optional<std::string> text_or_null(const char* key) const {
    return at(key).is_null() ? std::nullopt : std::optional(text(key));
  }
  Digest digest(const char* key) const { return digest_from_hex(text(key), where_ + ": " + key); }
  Id16 id16(const char* key) const { return id16_from_hex(text(key), where_ + ": " + key); }
  std::optional<Id16> id16_or_null(const char* key) const {
    return at(key).is_null() ? std::nullopt : std::optional(id16(key));
  }
  /// Rows of exactly `width` fields.
  const Json::array_t& rows(const char* key, std::size_t width) const {
    const Json& value = at(key);
    if (!value.is_array()) throw malformed(where_, std::string(key) + " is not an array");
    for (const Json& row : value)
      if (!row.is_array() || row.size() != width)
        throw malformed(where_, std::string("a row of ") + key + " has the wrong form");
    return value.get_ref<const Json::array_t&>();
  }
  std::string text_in(const Json& json, const char* what) const {
    if (!json.is_string()) throw malformed(where_, std::string(what) + " is not a string");
    return json.get<std::string>();
  }
  std::int64_t integer_in(const Json& json, const char* what) const {
    return std::get<std::int64_t>(value_from_canonical(json, std::int64_t{}, where_ + ": " + what));
  }
  std::string bytes_in(const Json& json, const char* what) const {
    const auto bytes = bytes_from_hex(text_in(json, what));
    if (!bytes) throw malformed(where_, std::string(what) + " is not hex");
    return {bytes->begin(), bytes->end()};
  }

 private:
  const Json& object_;
  std::string where_;
};

void read_definitions(const Fields& f, TrialRecord& record) {
  for (const Json& row : f.rows("defs", 6)) {
    std::array<std::string, 6> t;
    for (std::size_t i = 0; i < 6; ++i) t[i] = f.text_in(row[i], "defs");
    record.defs.push_back({.name = t[0],
                           .unit = t[1],
                           .direction = direction_from(t[2]),
                           .nature = nature_from(t[3]),
                           .scale = scale_from(t[4]),
                           .axis = axis_from(t[5])});
  }
}

void read_points(const Fields& f, TrialRecord& record) {
  for (const Json& row : f.rows("metrics", 3)) {
    const auto value = double_from_hex(f.text_in(row[2], "metrics"));
    if (!value) throw malformed(f.where(), "a value of metrics is not 16 hex digits");
    record.metrics.push_back(
        {.name = f.text_in(row[0], "metrics"), .step = f.integer_in(row[1], "metrics"), .value = *value});
  }
  for (const Json& row : f.rows("chunks", 3)) {
    const auto points = points_of_chunk(f.text_in(row[0], "chunks"), f.bytes_in(row[2], "chunks"));
    if (!points) throw malformed(f.where(), "a chunk has the wrong length");
    record.metrics.insert(record.metrics.end(), points->begin(), points->end());
  }
}

void read_evidence(const Fields& f, TrialRecord& record) {
  for (const Json& row : f.rows("digests", 4))
    record.digests.push_back({.name = f.text_in(row[0], "digests"),
                              .step = f.integer_in(row[1], "digests"),
                              .algo = f.text_in(row[2], "digests"),
                              .hex = f.text_in(row[3], "digests")});
  std::map<std::string, std::string> bodies;
  for (const Json& row : f.rows("bodies", 2)) bodies[f.text_in(row[0], "bodies")] = f.bytes_in(row[1], "bodies");
  for (const Json& row : f.rows("artifacts", 4)) {
    ArtifactValue a{.name = f.text_in(row[0], "artifacts"),
                    .kind = f.text_in(row[1], "artifacts"),
                    .digest = digest_from_hex(f.text_in(row[2], "artifacts"), f.where() + ": artifacts"),
                    .bytes = f.integer_in(row[3], "artifacts")};
    if (const auto body = bodies.find(a.name); body != bodies.end()) {
      if (sha256(body->second) != a.digest)
        throw malformed(f.where(), "the bytes of an artifact do not match its digest");
      a.body = std::move(body->second);
      bodies.erase(body);
    }
    record.artifacts.push_back(std::move(a));
  }
  if (!bodies.empty()) throw malformed(f.where(), "has bytes of an artifact that the trial does not have");
}

// The line without the fields that only a file needs: the rest must equal, field by field, the document rebuilt from
// its content.
Json body_of_line(const Json& line, std::initializer_list<const char*> additions) {
  Json body = line;
  for (const char* key : additions) body.erase(key);
  return body;
}

TrialRecord read_scalars(const Fields& f) {
  return {.identity = f.digest("identity"),
          .replicate = static_cast<std::uint32_t>(f.integer("replicate")),
          .attempt = f.id16("attempt"),
          .status = status_from(f.text("status")),
          .started_ns = f.integer("started_ns"),
          .wall_ns = f.integer("wall_ns"),
          .cpu_ns = f.integer_or_null("cpu_ns"),
          .peak_rss = f.integer_or_null("peak_rss"),
          .peak_gpu = f.integer_or_null("peak_gpu"),
          .exit_code = f.integer_or_null<int>("exit_code"),
          .signal = f.integer_or_null<int>("signal"),
          .worker = f.text("worker"),
          .host = f.text_or_null("host"),
          .message = f.text_or_null("message"),
          .boot = f.id16_or_null("boot"),
          .launch = f.id16_or_null("launch"),
          .defs = {},
          .metrics = {},
          .digests = {},
          .artifacts = {},
          .manifest = {}};
}

class Reader {
 public:
  explicit Reader(const std::function<std::optional<Json>(const Digest&)>& find) : find_(find) {}
  JsonlContent content;
  bool ended = false;

  void take(const Json& document, const std::string& where) {
    const Fields fields(document, where);
    if (ended) throw malformed(where, "is after the end line");
    const std::string type = fields.text("t");
    if (type == "document")
      take_document(fields);
    else if (type == "trial")
      take_trial(fields);
    else if (type == "event")
      take_event(fields);
    else if (type == "end")
      take_end(fields);
    else
      throw malformed(where, "has the unknown type \"" + one_line(type, 40) + "\"");
  }

 private:
  void take_document(const Fields& f) {
    const std::string kind = f.text("kind");
    if (f.all().size() != 3) throw malformed(f.where(), "has keys that a document line does not have");
    content.documents.emplace_back(kind, f.at("body"));
    if (kind == "environment") environments_[digest_of(f.at("body"))] = f.at("body");
  }

  Json environment(const Fields& f) const {
    const Digest digest = f.digest("environment");
    if (const auto known = environments_.find(digest); known != environments_.end()) return known->second;
    if (auto stored = find_(digest)) return std::move(*stored);
    throw malformed(f.where(), "the environment " + hex(digest) + " is missing");
  }

  void take_trial(const Fields& f) {
    TrialRecord record = read_scalars(f);
    read_definitions(f, record);
    read_points(f, record);
    read_evidence(f, record);
    const Json base = environment(f);
    if (!f.at("delta").is_null()) record.manifest = merged(base, f.at("delta"));
    const auto manifest = record.manifest.is_null() ? std::nullopt : std::optional(digest_of(record.manifest));
    const Json body = record_document(record, digest_of(base), manifest);
    const Digest digest = digest_of(body);
    if (digest != f.digest("record") || body != body_of_line(f.all(), {"t", "record", "delta", "chunks", "bodies"}))
      throw malformed(f.where(), "the record digest does not match the line");
    records_.push_back(digest);
    content.records.push_back(std::move(record));
  }

  void take_event(const Fields& f) {
    const auto attempt = f.id16_or_null("attempt");
    const auto identity = f.at("identity").is_null() ? std::nullopt : std::optional(f.digest("identity"));
    content.events.push_back({.at_ns = f.integer("at_ns"),
                              .kind = f.text("kind"),
                              .identity = identity,
                              .attempt = attempt,
                              .detail = f.text("detail")});
    if (event_document(content.events.back()) != body_of_line(f.all(), {"t"}))
      throw malformed(f.where(), "has keys that an event line does not have");
  }

  void take_end(const Fields& f) {
    ended = true;
    if (f.integer("records") != static_cast<std::int64_t>(records_.size()) ||
        f.digest("store") != store_digest(records_))
      throw malformed(f.where(), "the end line does not match the trials before it");
  }

  const std::function<std::optional<Json>(const Digest&)>& find_;
  std::map<Digest, Json> environments_;
  std::vector<Digest> records_;
};

// An error in a line of this file is damage of the file, whichever function detects it.
template <typename F>
void as_damage(const std::string& where, F&& read) {
  try {
    read();
  } catch (const Error& error) {
    if (error.text.exit == Exit::integrity && !error.text.where.empty()) throw;
    throw malformed(where, error.what());
  }
}

}  // namespace

JsonlContent read_jsonl(std::string_view text, const std::string& where,
                        const std::function<std::optional<Json>(const Digest&)>& find) {
  Reader reader(find);
  std::size_t number = 0;
  while (!text.empty()) {
    const std::string place = where + ":" + std::to_string(++number);
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) throw malformed(place, "the last line is incomplete");
    as_damage(place, [&] {
      const Json document = parse_json(text.substr(0, end), place);
      if (number > 1) return reader.take(document, place);
      if (document != Json{{"format", "retrial.jsonl/1"}})
        throw malformed(place, "is not a file in the format retrial.jsonl/1");
    });
    text.remove_prefix(end + 1);
  }
  if (!reader.ended) throw malformed(where, "has no end line: the file is incomplete");
  return std::move(reader.content);
}

}  // namespace retrial::results::inline exchange
