#include <algorithm>
#include <array>

#include "results/store/state.hpp"
#include "results/store/tally.hpp"
#include "results/text/text.hpp"

namespace retrial::results::inline store {
namespace {

constexpr std::array<std::string_view, 11> kinds = {"study",       "design",  "config",    "environment",
                                                    "dataset",     "program", "claim",     "verdict",
                                                    "calibration", "result",  "gate_state"};

std::string schema_of(const Json& body) {
  const auto schema = body.is_object() ? body.find("schema") : body.end();
  return schema != body.end() && schema->is_string() ? schema->get<std::string>() : "";
}

/// Reads a row of digest and body. The body is checked against its digest: hashing costs less than parsing.
Json document_of(Connection& connection, const Query& row) {
  const Digest digest = row.digest(0);
  const std::string body = row.text(1);
  if (sha256(body) != digest)
    throw damaged(connection.file(), "is damaged: document " + hex(digest) + " does not match its digest");
  return stored_json(connection, body, "document " + hex(digest));
}

}  // namespace

void check_document(const std::string& kind, const Json& body) {
  if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end()) {
    const std::vector<std::string> known(kinds.begin(), kinds.end());
    throw Error({.code = "store.document_kind",
                 .field = "kind",
                 .value = kind,
                 .problem = "unknown kind of document",
                 .allowed = joined(known)});
  }
  if (kind == "environment") return;  // part of a manifest, which has its own schema
  const std::string expected = "retrial." + kind + "/";
  if (!schema_of(body).starts_with(expected))
    throw Error({.code = "store.document_schema",
                 .field = "schema",
                 .value = one_line(schema_of(body), 100),
                 .problem = "is not the schema of a document of kind " + kind,
                 .allowed = expected + "1"});
}

Json stored_json(const Connection& connection, const std::string& text, const std::string& what) {
  try {
    return parse_json(text, what);
  } catch (const Error& error) {
    throw damaged(connection.file(), "is damaged: " + std::string(error.what()));
  }
}

void insert_document(Connection& connection, const std::string& kind, const Digest& digest, const std::string& body) {
  Query(connection, "INSERT INTO document(digest,kind,body) VALUES(?,?,?) ON CONFLICT(digest) DO NOTHING")
      .bind(digest, kind, body)
      .run();
  if (connection.changed()) keep_tally(connection, "document", digest);
}

void insert_environment(Connection& connection, const Digest& digest, const std::string& body,
                        const EnvironmentColumns& c) {
  insert_document(connection, "environment", digest, body);
  Query(connection,
        "INSERT INTO environment(digest,stratum,cpu_model,cpu_cores,isa,governor,gpu_model,gpu_driver,torch_version,"
        "cuda_version,os,kernel) VALUES(?,?,?,?,?,?,?,?,?,?,?,?) ON CONFLICT(digest) DO NOTHING")
      .bind(digest, c.stratum, c.cpu_model, c.cpu_cores, c.isa, c.governor, c.gpu_model, c.gpu_driver, c.torch_version,
            c.cuda_version, c.os, c.kernel)
      .run();
}

std::optional<Json> find_document(Connection& connection, const Digest& digest) {
  Query row(connection, "SELECT digest, body FROM document WHERE digest=?");
  if (!row.bind(digest).step()) return std::nullopt;
  return document_of(connection, row);
}

Digest Store::put_document(const std::string& kind, const Json& document) {
  check_document(kind, document);
  const std::string body = results::canonical(document);
  const Digest digest = sha256(body);
  impl_->connection.write(0, [&] {
    if (kind == "environment")
      insert_environment(impl_->connection, digest, body, environment_columns(document));
    else
      insert_document(impl_->connection, kind, digest, body);
  });
  return digest;
}

std::optional<Json> Store::document(const Digest& digest) const {
  return find_document(impl_->connection, digest);
}

std::vector<Json> Store::documents(const std::string& kind) const {
  std::vector<Json> out;
  Query rows(impl_->connection, "SELECT digest, body FROM document WHERE kind=? ORDER BY digest");
  for (rows.bind(kind); rows.step();) out.push_back(document_of(impl_->connection, rows));
  return out;
}

std::vector<Json> Store::environments(const Digest& study) const {
  std::vector<Json> out;
  Query rows(
      impl_->connection,
      "SELECT digest, body FROM document WHERE kind='environment' AND digest IN (SELECT t.environment FROM plan p "
      "JOIN trial t ON t.identity=p.identity AND t.replicate=p.replicate WHERE p.study=?) ORDER BY digest");
  for (rows.bind(study); rows.step();) out.push_back(document_of(impl_->connection, rows));
  return out;
}

std::vector<std::pair<std::int64_t, Digest>> Store::environments_by_attempt(const Digest& study) const {
  std::vector<std::pair<std::int64_t, Digest>> out;
  Query rows(impl_->connection,
             "SELECT t.trial_id, t.environment FROM plan p JOIN trial t ON t.identity=p.identity AND "
             "t.replicate=p.replicate WHERE p.study=? ORDER BY t.trial_id");
  for (rows.bind(study); rows.step();) out.emplace_back(rows.integer(0), rows.digest(1));
  return out;
}

}  // namespace retrial::results::inline store
