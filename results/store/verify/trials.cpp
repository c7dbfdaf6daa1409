#include "results/record/identity.hpp"
#include "results/record/record_text.hpp"
#include "results/store/verify/verify.hpp"
#include "results/text/file_system.hpp"
#include "results/text/text.hpp"

namespace retrial::results::inline store {
namespace {

std::optional<Digest> manifest_id(Connection& connection, std::int64_t trial) {
  Query row(connection, "SELECT id FROM manifest WHERE trial_id=?");
  return row.bind(trial).step() ? std::optional(row.digest(0)) : std::nullopt;
}

void verify_trial(Connection& connection, const Query& row, Shared& shared, Findings& out) {
  const std::int64_t id = row.integer(0);
  const std::string name = "trial " + std::to_string(id);
  const TrialRecord record = read_measurements(connection, id, shared);
  const auto manifest = manifest_id(connection, id);
  if (manifest && read_manifest_digest(connection, id, shared) != *manifest)
    out.add("manifest", name, "does not match its id when merged");
  const Measured m = measured(record);
  if (sha256(payload_text(record, m)) != row.digest(2))
    out.add("trial", name, "its measurements do not match its payload digest");
  if (sha256(record_text(record, m, row.digest(2), row.digest(3), manifest)) != row.digest(1))
    out.add("trial", name, "does not match its record digest");
  if (!Query(connection, "SELECT 1 FROM environment WHERE digest=?").bind(row.digest(3)).step())
    out.add("trial", name, "its environment is missing");
}

void verify_chunk(const Query& row, std::int64_t expected, const std::string& name, Findings& out) {
  const std::string data = row.bytes(6);
  if (row.integer(2) != expected) out.add("series", name, "chunk " + std::to_string(expected) + " is missing");
  if (sha256(data) != row.digest(5)) out.add("series", name, "its bytes do not match their digest");
  const auto points = points_of_chunk("", data);
  if (row.text(4) != "raw1" || !points || static_cast<std::int64_t>(points->size()) != row.integer(3))
    out.add("series", name, "codec, count and bytes do not agree");
}

void verify_orphans(Connection& connection, Findings& out) {
  static constexpr std::pair<const char*, const char*> tables[] = {
      {"manifest", "SELECT DISTINCT trial_id FROM manifest WHERE trial_id NOT IN (SELECT trial_id FROM trial)"},
      {"metric", "SELECT DISTINCT trial_id FROM metric WHERE trial_id NOT IN (SELECT trial_id FROM trial)"},
      {"series", "SELECT DISTINCT trial_id FROM series WHERE trial_id NOT IN (SELECT trial_id FROM trial)"},
      {"digest", "SELECT DISTINCT trial_id FROM digest WHERE trial_id NOT IN (SELECT trial_id FROM trial)"},
      {"artifact", "SELECT DISTINCT trial_id FROM artifact WHERE trial_id NOT IN (SELECT trial_id FROM trial)"}};
  for (const auto& [table, sql] : tables) {
    Query rows(connection, sql);
    for (rows.bind(); rows.step();)
      out.add(table, "trial " + std::to_string(rows.integer(0)), "does not belong to a trial");
  }
}

}  // namespace

void verify_trials(Connection& connection, Findings& out) {
  Shared shared;
  Query rows(connection, "SELECT trial_id, record, payload, environment FROM trial");
  for (rows.bind(); rows.step();) {
    const std::int64_t id = rows.integer(0);
    out.guarded("trial", "trial " + std::to_string(id), [&] { verify_trial(connection, rows, shared, out); });
  }
  verify_orphans(connection, out);
}

void verify_series(Connection& connection, Findings& out) {
  Query rows(connection,
             "SELECT trial_id,metric_id,chunk,count,codec,digest,data FROM series ORDER BY trial_id, metric_id, chunk");
  std::pair<std::int64_t, std::int64_t> last{-1, -1};
  std::int64_t expected = 0;
  for (rows.bind(); rows.step();) {
    const std::pair now{rows.integer(0), rows.integer(1)};
    expected = now == last ? expected + 1 : 0;
    last = now;
    const std::string name = "trial " + std::to_string(now.first) + " metric " + std::to_string(now.second);
    out.guarded("series", name, [&] { verify_chunk(rows, expected, name, out); });
  }
}

void verify_metric_values(Connection& connection, Findings& out) {
  Query rows(connection, "SELECT trial_id, metric_id, step, value, bits FROM metric");
  for (rows.bind(); rows.step();)
    out.guarded("metric", "", [&] {
      if (rows.readable_form_fits(3, 4)) return;
      out.add("metric",
              "trial " + std::to_string(rows.integer(0)) + " metric " + std::to_string(rows.integer(1)) + " step " +
                  std::to_string(rows.integer(2)),
              "stored value and bit pattern disagree");
    });
}

void verify_artifacts(Connection& connection, Findings& out) {
  Query rows(connection, "SELECT trial_id,name,digest,bytes,body,kind FROM artifact");
  for (rows.bind(); rows.step();)
    out.guarded("artifact", "", [&] {
      const std::string name = one_line(rows.text(1), 100),
                        row = "trial " + std::to_string(rows.integer(0)) + " " + name;
      const auto file = artifact_file(connection.file(), rows.digest(2));
      if (rows.null(4) && !std::filesystem::exists(file)) return;
      const std::string body = rows.null(4) ? read_whole(file).value_or("") : rows.bytes(4);
      if (static_cast<std::int64_t>(body.size()) != rows.integer(3) || sha256(body) != rows.digest(2))
        out.add("artifact", row,
                (rows.null(4) ? "the bytes of " + file.string() + " do" : std::string("its bytes do")) +
                    " not match their digest");
      if (rows.text(5) == "jsonl") verify_chain(connection, rows.integer(0), rows.text(1), body, out);
    });
}

void verify_events(Connection& connection, Findings& out) {
  Query rows(connection, "SELECT digest,at_ns,kind,identity,attempt,detail FROM event");
  for (rows.bind(); rows.step();)
    out.guarded("event", "", [&] {
      const Event event{.at_ns = rows.integer(1),
                        .kind = rows.text(2),
                        .identity = rows.null(3) ? std::nullopt : std::optional(rows.digest(3)),
                        .attempt = rows.id16_or_null(4),
                        .detail = rows.text(5)};
      if (digest_of(event_document(event)) != rows.digest(0))
        out.add("event", hex(rows.digest(0)), "does not match its digest");
    });
}

}  // namespace retrial::results::inline store
