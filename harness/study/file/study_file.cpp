#include "harness/study/file/study_file.hpp"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>

#include "harness/study/file/study_keys.hpp"
#include "harness/study/file/study_table.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "workloads/interface/registry.hpp"

namespace retrial::harness::inline study::inline file {
namespace {

constexpr std::size_t max_file = 1 << 20;
constexpr int max_dots = 512;

/// The parser of tomlplusplus recurses on dotted keys without a limit: a key of 500,000 segments would crash the
/// process. So the bytes are scanned first. A key ends with its line, so all dots of a line are counted; skipping those
/// in quotes would take a parser of its own: escapes and texts of several lines have hidden a key before.
void refuse_deep_keys(const std::string& text, const std::string& path) {
  int dots = 0, line = 1;
  for (const char c : text) {
    if (c == '\n') ++line, dots = 0;
    if (c == '.' && ++dots > max_dots)
      throw Error({.code = "study.too_deep",
                   .where = path + ":" + std::to_string(line),
                   .problem = "more than 512 dots in one line: a dotted key may be too deep"});
  }
}

std::string read_file(const std::string& path) {
  const auto unreadable = [&](const std::string& problem) {
    throw Error({.code = "study.unreadable",
                 .where = path,
                 .problem = problem,
                 .help = "give a study file (TOML) or a workload (see retrial list)"});
  };
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) unreadable("is a folder, not a study file");
  std::ifstream file(path, std::ios::binary);
  if (!file) unreadable("cannot be read: " + std::error_code(errno, std::generic_category()).message());
  std::string text(max_file + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (file.bad()) unreadable("cannot be read to its end");
  text.resize(static_cast<std::size_t>(file.gcount()));
  if (text.size() > max_file)
    throw Error({.code = "study.too_large", .where = path, .problem = "larger than 1 MiB, the limit for study files"});
  refuse_deep_keys(text, path);
  return text;
}

Json mode_table(const toml::table& table, const StudyTable& at) {
  Json out = Json::object();
  for (const auto& [key, node] : table) {
    const std::string name(key.str());
    if (node.is_boolean())
      out[name] = node.as_boolean()->get();
    else if (node.is_integer())
      out[name] = node.as_integer()->get();
    else if (node.is_string())
      out[name] = node.as_string()->get();
    else
      at.wrong(node, name, "text, whole number, true or false");
  }
  return out;
}

void read_mode(const toml::table& root, const StudyTable& top, StudyDraft& draft) {
  const auto* node = root.get("mode");
  if (node == nullptr) return;
  if (node->is_string())
    draft.mode = determinism::mode_from_name(node->as_string()->get(), top.where(*node));
  else if (node->is_table())
    draft.mode = determinism::mode_from_json(mode_table(*node->as_table(), top), top.where(*node));
  else
    top.wrong(*node, "mode", "the name of a kernel mode, or a table of its axes");
}

/// The separator of the workload; an unknown workload is refused later.
std::string_view list_separator(const StudyDraft& draft) {
  const auto* declaration = workloads::workload_if_known(draft.workload);
  return declaration == nullptr ? "," : std::string_view(declaration->list_separator);
}

/// In place of the same key, or added.
void put_key(std::vector<StudyDraft::Key>& keys, StudyDraft::Key key) {
  std::erase_if(keys, [&](const auto& each) { return each.key == key.key; });
  keys.push_back(std::move(key));
}

void read_variants(const StudyTable& top, StudyDraft& draft) {
  const auto* tables = top.child("variant", "tables [variant.NAME]");
  if (tables == nullptr) return;
  for (const auto& [key, body] : in_file_order(*tables)) {
    const StudyTable table = top.named(top.field("variant." + std::string(key->str())), *body);
    StudyDraft::DraftVariant read{.name = std::string(key->str()),
                                  .preset = table.text("preset").value_or(""),
                                  .where = table.where(*key),
                                  .keys = table.keys({"preset"}, list_separator(draft))};
    const auto known = std::ranges::find(draft.variants, read.name, &StudyDraft::DraftVariant::name);
    if (known == draft.variants.end()) {
      draft.variants.push_back(std::move(read));
      continue;
    }
    if (!read.preset.empty()) known->preset = read.preset;
    for (auto& each : read.keys) put_key(known->keys, std::move(each));
  }
}

Json value_of(const StudyTable& table, const DesignField& field) {
  const auto json = [](const auto& value) { return value ? Json(*value) : Json(); };
  switch (field.kind) {
    case FieldKind::text:
      return json(table.text(field.name));
    case FieldKind::whole:
      return json(table.integer(field.name));
    case FieldKind::number:
      return json(table.number(field.name));
    case FieldKind::interval:
      return json(table.numbers(field.name));
    case FieldKind::counts:
      return json(table.integers(field.name));
  }
  return {};
}

void read_compare(const StudyTable& top, StudyDraft& draft) {
  const auto* body = top.child("compare", "a table [compare]");
  if (body == nullptr) return;
  const StudyTable table = top.named(top.field("compare"), *body);
  table.only(study_key_names("compare"));
  table.add_places(draft, "compare");
  for (const auto& [key, into] :
       {std::pair{"metric", &draft.metric}, {"baseline", &draft.baseline}, {"candidate", &draft.candidate}})
    if (auto given = table.text(key)) *into = std::move(given);
  for (const auto& field : design_table())
    if (auto value = value_of(table, field); !value.is_null()) draft.design[field.name] = std::move(value);
}

std::optional<Contrast> contrast_of(const StudyTable& claim) {
  const auto* weights = claim.child("contrast", "a table { VARIANT = weight, ... }");
  if (weights == nullptr) return {};
  const StudyTable table = claim.named(claim.field("contrast"), *weights);
  Contrast out;
  for (const auto& [key, node] : in_file_order(*weights))
    out.push_back({std::string(key->str()), table.number(key->str()).value_or(0)});
  return out;
}

void read_claims(const StudyTable& top, StudyDraft& draft) {
  const auto* tables = top.child("claim", "tables [claim.NAME]");
  if (tables == nullptr) return;
  for (const auto& [key, body] : in_file_order(*tables)) {
    const StudyTable table = top.named("claim." + std::string(key->str()), *body);
    table.only(study_key_names("claim.NAME"));
    draft.claims.push_back({.name = std::string(key->str()),
                            .where = table.where(*key),
                            .says = table.text("says"),
                            .expect = table.text("expect"),
                            .test = table.text("test"),
                            .candidate = table.texts("candidate"),
                            .baseline = table.texts("baseline"),
                            .metric = table.texts("metric"),
                            .against = table.texts("against"),
                            .value = table.number("value"),
                            .margin = table.number("margin"),
                            .share = table.number("share"),
                            .contrast = contrast_of(table)});
  }
}

void read_variance(const StudyTable& top, StudyDraft& draft) {
  const auto* body = top.child("variance", "a table [variance]");
  if (body == nullptr) return;
  const StudyTable table = top.named("variance", *body);
  table.only(study_key_names("variance"));
  // The published estimators have words for the sources that they redraw: "init", "data", "all".
  const auto* sources = body->get("sources");
  const bool word = sources != nullptr && sources->is_string();
  draft.variance = StudyDraft::Variance{
      .where = table.where(*body),
      .design = table.text("design"),
      .sources = word ? std::optional{std::vector{*table.text("sources")}} : table.names("sources"),
      .runs = table.integer("runs"),
      .groups = table.integer("groups"),
      .replicates = table.integer("replicates")};
  if (const auto metric = table.text("metric")) {
    draft.metric = metric;
    draft.places["compare.metric"] = table.where(*body->get("metric"));
  }
}

void read_profile(const StudyTable& top, StudyDraft& draft) {
  const auto* body = top.child("profile", "a table [profile]");
  if (body == nullptr) return;
  const StudyTable table = top.named("profile", *body);
  const auto keys = study_key_names("profile");
  table.only(keys);
  for (const std::string& key : keys)
    if (const auto* node = body->get(key)) draft.places["profile." + key] = table.where(*node);
  draft.profile = StudyDraft::Profile{.blocks = table.integer("blocks"),
                                      .tolerance = table.number("tolerance"),
                                      .collector = table.text("collector"),
                                      .level = table.text("level")};
}

void read_search(const StudyTable& top, StudyDraft& draft) {
  const auto* body = top.child("search", "a table [search]");
  if (body == nullptr) return;
  const StudyTable table = top.named("search", *body);
  table.only(study_key_names("search"));
  draft.search = StudyDraft::Search{.where = table.where(*body),
                                    .method = table.text("method"),
                                    .metric = table.text("metric"),
                                    .trials = table.integer("trials"),
                                    .keys = {}};
  const auto* keys = table.child("keys", "a table [search.keys]");
  if (keys == nullptr) return;
  for (const auto& [name, node] : *keys) {
    const std::string key(name.str());
    if (!node.is_table()) table.wrong(node, "keys." + key, "a table such as { low = 0.01, high = 1.0, log = true }");
    const StudyTable one = table.named("search.keys." + key, node);
    one.only(study_key_names("search.keys.KEY"));
    draft.search->keys.push_back({.key = key,
                                  .where = table.where(name),
                                  .low = one.number("low"),
                                  .high = one.number("high"),
                                  .log = one.flag("log"),
                                  .points = one.integer("points")});
  }
}

std::optional<std::uint64_t> read_seed(const toml::table& root, const StudyTable& top) {
  const auto* node = root.get("seed");
  if (node == nullptr) return {};
  if (node->is_integer() && node->as_integer()->get() >= 0)
    return static_cast<std::uint64_t>(node->as_integer()->get());
  if (node->is_string())
    if (const auto seed = results::parse_u64(node->as_string()->get())) return seed;
  throw Error({.code = "study.seed",
               .where = top.where(*node),
               .field = "seed",
               .problem = "not a seed",
               .allowed = "0 to 2^64-1; above 2^63-1 in quotes, decimal or 0x and hex digits"});
}

/// The parser says "Error while parsing key-value pair: cannot redefine existing string 'pairs'".
std::string syntax_problem(std::string_view said) {
  constexpr std::string_view begin = "Error while parsing ", twice = "cannot redefine existing ", line_end = "'\\n'";
  if (said.starts_with(begin)) said = said.substr(std::min(said.find(": "), said.size() - 2) + 2);
  const auto quote = said.find('\'');
  if (said.starts_with(twice) && quote != said.npos)
    return std::string(said.substr(quote + 1, said.rfind('\'') - quote - 1)) + ": given twice";
  std::string problem = "not TOML: " + std::string(said);
  if (problem.ends_with(line_end))
    problem.replace(problem.size() - line_end.size(), line_end.size(), "the end of the line");
  return problem;
}

toml::table parsed_file(const std::string& path) {
  const std::string text = read_file(path);
  try {
    return toml::parse(text, path);
  } catch (const toml::parse_error& error) {
    const auto at = error.source().begin;
    throw Error({.code = "study.syntax",
                 .where = path + ":" + std::to_string(at.line) + ":" + std::to_string(at.column),
                 .problem = syntax_problem(results::one_line(error.description())),
                 .help = "study files are TOML 1.0; retrial --generate man-study explains the keys"});
  }
}

/// The keys that a benchmark of a suite may have too. What is there already stays where the table lacks the key.
void read_bench_keys(const toml::table& table, const StudyTable& at, StudyDraft& draft) {
  if (auto workload = at.text("workload")) draft.workload = *workload;
  if (table.contains("vary")) draft.vary = at.names("vary");
  if (table.contains("hold")) draft.hold = at.names("hold");
  read_mode(table, at, draft);
  if (const auto* set = at.child("set", "a table [set]"))
    for (auto& key : at.named(at.field("set"), *set).keys({}, list_separator(draft)))
      put_key(draft.set, std::move(key));
  read_variants(at, draft);
  read_compare(at, draft);
}

StudyDraft draft_of(const toml::table& root, const StudyTable& top, const std::string& path) {
  top.only(study_key_names(""));
  if (const auto schema = top.integer("schema"); schema != 1)
    throw Error({.code = "study.schema",
                 .where = schema ? top.where(*root.get("schema")) : path,
                 .field = "schema",
                 .value = schema ? std::to_string(*schema) : "",
                 .problem = schema ? "not a known version" : "missing",
                 .allowed = "1",
                 .help = "begin the file with: schema = 1"});
  StudyDraft draft{.where = path};
  top.add_places(draft);
  draft.name = top.text("name").value_or("");
  draft.seed = read_seed(root, top);
  draft.pairs = top.integer("pairs");
  read_bench_keys(root, top, draft);
  if (const auto* grid = top.child("grid", "a table [grid]"))
    draft.grid = top.named("grid", *grid).grid(list_separator(draft));
  draft.claims_about = top.text("claims_about");
  read_claims(top, draft);
  read_variance(top, draft);
  read_search(top, draft);
  read_profile(top, draft);
  return draft;
}

Json gate_value(const StudyTable& table, const GateKey& key) {
  const auto json = [](const auto& value) { return value ? Json(*value) : Json(); };
  switch (key.kind) {
    case GateKeyKind::number:
      return json(table.number(key.name));
    case GateKeyKind::whole:
      return json(table.integer(key.name));
    case GateKeyKind::flag:
      return table.flag(key.name) ? Json(true) : Json();
    case GateKeyKind::text:
      return json(table.text(key.name));
    case GateKeyKind::texts:
      return json(table.texts(key.name));
  }
  return {};
}

GateTable read_gate(const StudyTable& top) {
  GateTable out;
  const auto* body = top.child("gate", "a table [gate]");
  if (body == nullptr) return out;
  const StudyTable table = top.named("gate", *body);
  table.only(study_key_names("gate"));
  for (const auto& key : gate_keys()) {
    const auto* node = body->get(key.name);
    if (node == nullptr) continue;
    if (auto value = gate_value(table, key); !value.is_null()) out.values[key.name] = std::move(value);
    out.places[key.name] = table.where(*node);
  }
  return out;
}

}  // namespace

StudyDraft read_study_file(const std::string& path) {
  const toml::table root = parsed_file(path);
  const StudyTable top(root, path, "");
  StudyDraft draft = draft_of(root, top, path);
  for (const char* key : {"gate", "bench"})
    if (const auto* node = root.get(key))
      throw Error({.code = "study.suite",
                   .where = top.where(*node),
                   .field = key,
                   .problem = "this is a suite of retrial gate, not a study of its own",
                   .help = "retrial gate " + results::one_line(path, 200) + " runs and judges it"});
  return draft;
}

SuiteFile read_suite_file(const std::string& path) {
  const toml::table root = parsed_file(path);
  const StudyTable top(root, path, "");
  const StudyDraft whole = draft_of(root, top, path);
  SuiteFile out{.name = whole.name.empty() ? std::filesystem::path(path).stem().string() : whole.name,
                .benches = {},
                .gate = read_gate(top)};
  if (whole.profile) top.wrong(*root.get("profile"), "profile", "left out: a suite of retrial gate judges scores");
  const auto* tables = top.child("bench", "tables [bench.NAME]");
  if (tables == nullptr) {
    out.benches.push_back({"", whole});
    return out;
  }
  for (const auto& [key, body] : in_file_order(*tables)) {
    const std::string name(key->str());
    const StudyTable table = top.named("bench." + name, *body);
    table.only(study_key_names("bench.NAME"));
    StudyDraft draft = whole;
    draft.where = table.where(*key);
    table.add_places(draft, "");
    read_bench_keys(*body->as_table(), table, draft);
    out.benches.push_back({name, std::move(draft)});
  }
  if (out.benches.empty()) top.wrong(*tables, "bench", "at least one table [bench.NAME]");
  return out;
}

}  // namespace retrial::harness::inline study::inline file
