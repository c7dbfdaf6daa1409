#include <set>

#include "results/exchange/jsonl.hpp"
#include "results/record/identity.hpp"
#include "results/record/manifest_split.hpp"
#include "results/record/series.hpp"
#include "results/text/text.hpp"

namespace retrial::results::inline exchange {
namespace {

std::string hex_of_text(std::string_view bytes) {
  return hex(std::span(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()));
}

Json chunk_rows(const TrialRecord& record) {
  Json out = Json::array();
  for (const SeriesChunk& c : divided(record.metrics).series) out.push_back({c.name, c.chunk, hex_of_text(c.bytes)});
  return out;
}

Json body_rows(const TrialRecord& record) {
  Json out = Json::array();
  for (const ArtifactValue& a : record.artifacts)
    if (a.body) out.push_back(Json::array({a.name, hex_of_text(*a.body)}));
  return out;
}

std::string line(Json document, const char* type) {
  document["t"] = type;
  return canonical(document) + "\n";
}

struct Lines {
  std::string text;
  std::set<Digest> environments;
  std::vector<Digest> records;

  void add(const TrialRecord& record) {
    const bool has_manifest = !record.manifest.is_null();
    const SplitManifest split =
        has_manifest ? split_manifest(record.manifest) : SplitManifest{.base = Json::object(), .delta = nullptr};
    const Digest environment = digest_of(split.base);
    if (environments.insert(environment).second)
      text += line({{"kind", "environment"}, {"body", split.base}}, "document");
    Json body =
        record_document(record, environment, has_manifest ? std::optional(digest_of(record.manifest)) : std::nullopt);
    records.push_back(digest_of(body));
    body["record"] = hex(records.back());
    body["delta"] = split.delta;
    body["chunks"] = chunk_rows(record);
    body["bodies"] = body_rows(record);
    text += line(std::move(body), "trial");
  }
};

}  // namespace

std::string jsonl_text(std::span<const TrialRecord> records, std::span<const Event> events) {
  Lines lines;
  lines.text = canonical({{"format", "retrial.jsonl/1"}}) + "\n";
  for (const TrialRecord& record : records) lines.add(record);
  for (const Event& event : events) lines.text += line(event_document(event), "event");
  lines.text += line({{"records", lines.records.size()}, {"store", hex(store_digest(lines.records))}}, "end");
  return std::move(lines.text);
}

}  // namespace retrial::results::inline exchange
