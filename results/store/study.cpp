#include <algorithm>
#include <map>
#include <tuple>

#include "results/store/plan_body.hpp"
#include "results/store/seal.hpp"
#include "results/store/state.hpp"
#include "results/store/tally.hpp"

namespace retrial::results::inline store {
namespace {

bool has_study(Connection& connection, const Digest& digest) {
  return Query(connection, "SELECT 1 FROM study WHERE digest=?").bind(digest).step();
}

/// At most a million: a damaged count must not allocate huge memory.
std::size_t planned_trials(Connection& connection, const Digest& study) {
  Query row(connection, "SELECT trials FROM study WHERE digest=?");
  return row.bind(study).step() ? static_cast<std::size_t>(std::clamp<std::int64_t>(row.integer(0), 0, 1'000'000)) : 0;
}

void insert_whole_bodies(Connection& connection, const Digest& study, std::span<const PlanEntry> plan) {
  Query row(
      connection,
      "INSERT INTO plan(study,ordinal,identity,replicate,trial_body,workload,variant,pair_index,block,estimate_ns) "
      "VALUES(?,?,?,?,?,?,?,?,?,?)");
  for (const PlanEntry& e : plan)
    row.bind(study, e.ordinal, e.identity, e.replicate, e.trial_body, e.workload, e.variant, e.pair_index, e.block,
             e.estimate_ns)
        .run();
}

/// Of each variant, the first body is whole.
void insert_plan(Connection& connection, const Digest& study, std::span<const PlanEntry> plan) {
  if (connection.schema() < 2) return insert_whole_bodies(connection, study, plan);
  Query row(connection,
            "INSERT INTO plan(study,ordinal,identity,replicate,base,trial_body,workload,variant,pair_index,block,"
            "estimate_ns) VALUES(?,?,?,?,?,?,?,?,?,?,?)");
  std::map<std::pair<std::string, std::string>, std::pair<std::int64_t, BodyTemplate>> bases;
  for (const PlanEntry& e : plan) {
    const auto found = bases.find({e.workload, e.variant});
    auto leaves = found == bases.end() ? std::nullopt : found->second.second.differing(e.trial_body);
    if (found == bases.end())
      bases.emplace(std::piecewise_construct, std::forward_as_tuple(e.workload, e.variant),
                    std::forward_as_tuple(std::piecewise_construct, std::forward_as_tuple(e.ordinal),
                                          std::forward_as_tuple(e.trial_body)));
    row.bind(study, e.ordinal, e.identity, e.replicate, leaves ? std::optional(found->second.first) : std::nullopt,
             leaves ? *leaves : e.trial_body, e.workload, e.variant, e.pair_index, e.block, e.estimate_ns)
        .run();
  }
}

/// The bodies of a plan, read in order.
class Bodies {
 public:
  explicit Bodies(const Connection& connection) : connection_(connection) {}

  std::string whole(std::int64_t ordinal, std::optional<std::int64_t> base, std::string body) {
    if (!base) {
      bases_.try_emplace(ordinal, body);
      return body;
    }
    const auto found = bases_.find(*base);
    auto out = found == bases_.end() ? std::nullopt : found->second.with(body);
    if (!out)
      throw damaged(connection_.file(), "is damaged: trial " + std::to_string(ordinal) + " of a plan has no body");
    return std::move(*out);
  }

 private:
  const Connection& connection_;
  std::map<std::int64_t, BodyTemplate> bases_;
};

std::size_t count_studies(Connection& connection) {
  Query row(connection, "SELECT count(*) FROM study");
  return row.bind().step() ? static_cast<std::size_t>(row.integer(0)) : 0;
}

struct Named {
  std::string kind, body;
  Digest digest;
};

Named named(const std::string& kind, const Json& body) {
  check_document(kind, body);
  std::string text = canonical(body);
  const Digest digest = sha256(text);
  return {kind, std::move(text), digest};
}

}  // namespace

void Store::put_study(const std::string& name, const Json& study, std::span<const PlanEntry> plan,
                      std::span<const std::pair<std::string, Json>> documents) {
  std::vector<Named> all = {named("study", study)};
  for (const auto& [kind, body] : documents) all.push_back(named(kind, body));
  const Digest digest = all[0].digest;
  const auto trials = static_cast<std::int64_t>(plan.size());
  const std::string seal = hex(study_seal(name, trials, plan));
  Connection& connection = impl_->connection;
  connection.write(0, [&] {
    if (has_study(connection, digest)) return;
    for (std::size_t i = 0; i < all.size(); ++i) {
      const bool environment = all[i].kind == "environment";
      if (environment)
        insert_environment(connection, all[i].digest, all[i].body, environment_columns(documents[i - 1].second));
      else
        insert_document(connection, all[i].kind, all[i].digest, all[i].body);
    }
    insert_meta(connection, study_key(count_studies(connection) + 1), hex(digest) + " " + seal);
    if (connection.schema() >= 2) insert_meta(connection, listing_key(digest), hex(listing_seal(name, trials, plan)));
    Query(connection, "INSERT INTO study(digest,name,trials) VALUES(?,?,?)").bind(digest, name, trials).run();
    insert_plan(connection, digest, plan);
  });
}

std::vector<StudyRow> Store::studies() const {
  std::vector<StudyRow> out;
  Query places(impl_->connection, "SELECT value FROM meta WHERE key GLOB 'study/*' ORDER BY length(key), key");
  Query row(impl_->connection, "SELECT name, trials FROM study WHERE digest=?");
  for (places.bind(); places.step();) {
    const Digest digest = digest_from_hex(places.text(0).substr(0, 64), "study");
    const auto document = find_document(impl_->connection, digest);
    if (!row.bind(digest).step() || !document)
      throw damaged(path(), "is damaged: study " + hex(digest) + " is incomplete");
    out.push_back({.digest = digest, .name = row.name(0), .document = *document, .trials = row.integer(1, 0)});
  }
  return out;
}

std::vector<PlanEntry> read_plan(Connection& connection, const Digest& study) {
  std::vector<PlanEntry> out;
  Bodies bodies(connection);
  const bool parts = connection.schema() >= 2;
  Query rows(connection,
             parts ? "SELECT ordinal,identity,replicate,trial_body,workload,variant,pair_index,block,estimate_ns,base "
                     "FROM plan WHERE study=? ORDER BY ordinal"
                   : "SELECT ordinal,identity,replicate,trial_body,workload,variant,pair_index,block,estimate_ns "
                     "FROM plan WHERE study=? ORDER BY ordinal");
  for (rows.bind(study); rows.step();)
    out.push_back(
        {.ordinal = rows.integer(0, 0),
         .identity = rows.digest(1),
         .replicate = rows.count32(2),
         .trial_body = parts ? bodies.whole(rows.integer(0), rows.integer_or_null(9), rows.text(3)) : rows.text(3),
         .workload = rows.name(4),
         .variant = rows.name(5),
         .pair_index = rows.integer(6, 0),
         .block = rows.integer(7, 0),
         .estimate_ns = rows.integer(8, 0)});
  return out;
}

std::vector<PlanEntry> Store::plan(const Digest& study) const {
  return read_plan(impl_->connection, study);
}

std::vector<PlanEntry> Store::plan_listing(const Digest& study) const {
  std::vector<PlanEntry> out;
  out.reserve(planned_trials(impl_->connection, study));
  Query rows(impl_->connection,
             "SELECT ordinal,identity,replicate,workload,variant,pair_index,block,estimate_ns FROM plan "
             "INDEXED BY plan_listing WHERE study=? ORDER BY ordinal");
  for (rows.bind(study); rows.step();)
    out.push_back({.ordinal = rows.integer(0, 0),
                   .identity = rows.digest(1),
                   .replicate = rows.count32(2),
                   .workload = rows.name(3),
                   .variant = rows.name(4),
                   .pair_index = rows.integer(5, 0),
                   .block = rows.integer(6, 0),
                   .estimate_ns = rows.integer(7, 0)});
  return out;
}

namespace {

struct StoredBody {
  std::string text;
  std::optional<std::int64_t> base;
};

std::optional<StoredBody> stored_body(Connection& connection, const Digest& study, std::int64_t ordinal) {
  if (connection.schema() < 2) {
    Query row(connection, "SELECT trial_body FROM plan WHERE study=? AND ordinal=?");
    return row.bind(study, ordinal).step() ? std::optional(StoredBody{row.text(0), {}}) : std::nullopt;
  }
  Query row(connection, "SELECT trial_body, base FROM plan WHERE study=? AND ordinal=?");
  return row.bind(study, ordinal).step() ? std::optional(StoredBody{row.text(0), row.integer_or_null(1)})
                                         : std::nullopt;
}

}  // namespace

Json Store::trial_body(const Digest& study, std::int64_t ordinal) const {
  const auto own = stored_body(impl_->connection, study, ordinal);
  if (!own)
    throw damaged(path(), "is damaged: the plan of study " + hex(study) + " has no place " + std::to_string(ordinal));
  Bodies bodies(impl_->connection);
  if (own->base)
    if (auto base = stored_body(impl_->connection, study, *own->base); base && !base->base)
      static_cast<void>(bodies.whole(*own->base, {}, std::move(base->text)));
  const std::string what = "trial " + std::to_string(ordinal) + " of the plan";
  Json body = stored_json(impl_->connection, bodies.whole(ordinal, own->base, own->text), what);
  if (!body.is_object()) throw damaged(path(), "is damaged: " + what + " is not an object");
  return body;
}

void Store::put_verdict(const Digest& study, const Json& verdict, const std::string& claim, const std::string& word,
                        const Digest& inputs) {
  const Named document = named("verdict", verdict);
  Connection& connection = impl_->connection;
  connection.write(0, [&] {
    insert_document(connection, document.kind, document.digest, document.body);
    insert_meta(connection, "verdict/" + hex(document.digest), hex(verdict_seal(study, claim, word, inputs)));
    Query(connection,
          "INSERT INTO verdict(document,study,claim,verdict,inputs) VALUES(?,?,?,?,?) ON CONFLICT(document) DO NOTHING")
        .bind(document.digest, study, claim, word, inputs)
        .run();
    if (connection.changed()) keep_tally(connection, "verdict", document.digest);
  });
}

}  // namespace retrial::results::inline store
