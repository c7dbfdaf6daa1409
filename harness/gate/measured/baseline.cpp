#include "harness/gate/measured/baseline.hpp"

#include <algorithm>
#include <filesystem>
#include <regex>

#include "harness/gate/gate_page.hpp"
#include "harness/gate/measured/commits.hpp"
#include "harness/gate/measured/stored_suite.hpp"
#include "harness/stored/store_choice.hpp"
#include "harness/text/output.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline gate::inline measured {
namespace {

constexpr const char* commit_key = "gate/commit";
constexpr const char* base_commit_key = "gate/base-commit";

struct Named {
  std::string file;
  std::optional<std::string> digest;
  FactFilter where;
};

/// Where the expression of STORE:EXPR begins: behind the first colon that a condition follows.
std::size_t expression_in(const std::string& text) {
  static const std::regex condition("^[ ]*[A-Za-z_]+[ ]*(=|!=|<|>|~)");
  for (auto at = text.find(':'); at != text.npos; at = text.find(':', at + 1))
    if (std::regex_search(text.begin() + static_cast<std::ptrdiff_t>(at) + 1, text.end(), condition)) return at;
  return text.npos;
}

/// FILE, or FILE@ and the digest of the store; behind it an expression.
Named named(std::string text, const char* option) {
  if (std::filesystem::exists(text)) return {text, {}, {}};
  FactFilter where;
  if (const auto colon = expression_in(text); colon != text.npos) {
    where = FactFilter(text.substr(colon + 1), option);
    where.require_known({"benchmark", "variant", "pair"});
    text.resize(colon);
  }
  const auto at = text.rfind('@');
  if (at == text.npos || std::filesystem::exists(text)) return {text, {}, where};
  const std::string digest = text.substr(at + 1);
  const bool hex = digest.size() == 64 && digest.find_first_not_of("0123456789abcdef") == digest.npos;
  if (!hex)
    throw Error({.code = "usage.option_value",
                 .field = option,
                 .value = results::one_line(text, 200),
                 .problem = "not a file, and what follows @ is not a digest",
                 .allowed = "FILE or FILE@ and 64 hex digits"});
  return {text.substr(0, at), digest, where};
}

[[noreturn]] void refuse_foreign(const std::string& file, const std::string& problem) {
  throw Error({.exit = Exit::integrity, .code = "gate.baseline", .where = file, .problem = problem});
}

/// The commit of --base-commit, as git calls it.
std::optional<std::string> wanted_commit(const Arguments& arguments) {
  const auto word = arguments.value("base-commit");
  return word ? std::optional(commit_named(word)) : std::nullopt;
}

/// The baseline of a commit, among the stores of a folder.
std::string store_in(const std::string& folder, const std::optional<std::string>& wanted) {
  if (!wanted)
    throw Error(
        {.code = "usage.missing_option",
         .where = results::one_line(folder, 200),
         .field = "--base-commit",
         .problem = "must be given: this is a folder, and the commit says which of its stores is the baseline"});
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".db") files.push_back(entry.path().string());
  std::ranges::sort(files);
  std::vector<std::string> known;
  for (const std::string& file : files) {
    const auto commit = base_commit_of(results::Store(file, results::Store::Access::read));
    if (commit && same_commit(*commit, *wanted)) return file;
    if (commit) known.push_back(short_commit(*commit));
  }
  const std::string path = (std::filesystem::path(folder) / (short_commit(*wanted) + ".db")).string();
  throw Error(
      {.exit = Exit::incomparable,
       .code = "gate.no_baseline",
       .where = results::one_line(folder, 200),
       .field = "--base-commit",
       .value = results::one_line(*wanted, 100),
       .problem = "no store of this folder is a baseline of that commit",
       .allowed = results::one_line(results::joined(known), 400),
       .help = "--make-baseline " + shell_word(path) + " --commit " + results::one_line(*wanted, 100) + " makes one"});
}

GivenStore verified(const Named& named, const char* option) {
  const auto& [file, digest, where] = named;
  results::Store store(file, results::Store::Access::read);
  if (const auto damage = store.verify(false); !damage.empty())
    refuse_foreign(file, damage.front().table + " " + damage.front().row + ": " + damage.front().problem);
  if (const auto is = results::hex(store.info().store_digest); digest && is != *digest)
    refuse_foreign(file, "its digest is " + is.substr(0, 12) + ", and " + digest->substr(0, 12) + " was asked for");
  demand_gate(store, file, "gate.baseline");
  return {.store = std::move(store), .option = option, .where = where};
}

}  // namespace

std::vector<Option> baseline_options() {
  return under(
      "Baseline",
      {{.name = "make-baseline",
        .value_name = "STORE",
        .meaning = "run the baseline alone into this store, which is never replaced"},
       {.name = "allow-missing-baseline", .meaning = "without the store of --baseline everything is new: code 0"},
       {.name = "commit",
        .value_name = "REV",
        .meaning = "the commit of the candidate, or of the side that --make-baseline runs (default: HEAD of the git "
                   "repository of its program, if nothing is changed there; of a watch: of this folder)"},
       {.name = "base-commit",
        .value_name = "REV",
        .meaning = "the commit of the baseline: --baseline must be of it, or is a folder with a store of it"},
       {.name = "anchor",
        .value_name = "STORE",
        .meaning =
            "judge against this store of a release, too, so that many small steps add up; with --scores the name "
            "of a side"},
       {.name = "confirm",
        .value_name = "STORE",
        .meaning = "a change counts only if this store of another run of the suite shows it too"}});
}

std::optional<GivenStore> given_baseline(const Arguments& arguments) {
  const auto text = arguments.value("baseline");
  if (!text) return {};
  Named given = named(*text, "--baseline");
  std::string& file = given.file;
  const auto wanted = wanted_commit(arguments);
  if (std::filesystem::is_directory(file)) file = store_in(file, wanted);
  if (!std::filesystem::exists(file)) {
    if (arguments.has("allow-missing-baseline")) return {};
    const std::string suite = arguments.positional.empty() ? "--command base='...'" : arguments.positional.front();
    throw Error({.exit = Exit::incomparable,
                 .code = "gate.no_baseline",
                 .where = results::one_line(file, 200),
                 .problem = "there is no such store: there is no baseline",
                 .help = "retrial gate " + results::one_line(suite, 200) + " --make-baseline " +
                         shell_word(results::one_line(file, 200)) + " makes one; --allow-missing-baseline passes"});
  }
  auto out = verified(given, "--baseline");
  const auto commit = base_commit_of(out.store);
  if (wanted && !(commit && same_commit(*commit, *wanted)))
    throw Error({.exit = Exit::incomparable,
                 .code = "gate.commit",
                 .where = file,
                 .problem = (commit ? "is of commit " + results::one_line(*commit, 100) : "names no commit") +
                            ", and " + results::one_line(*wanted, 100) + " was asked for",
                 .help = "make one of that commit in another file: --make-baseline FILE --commit " +
                         results::one_line(*wanted, 100)});
  return out;
}

GivenStore given_candidate(const Arguments& arguments) {
  const Named given = named(arguments.value("candidate").value_or(""), "--candidate");
  (void)existing_store(given.file);
  return verified(given, "--candidate");
}

std::optional<GivenStore> given_anchor(const Arguments& arguments) {
  const auto text = arguments.value("anchor");
  if (!text) return {};
  for (const char* name : {"until-decided", "confirm"})
    refuse_options(arguments, {name}, {.problem = "is about one baseline, and --anchor adds another one"});
  const Named given = named(*text, "--anchor");
  const std::string& file = given.file;
  if (!std::filesystem::exists(file))
    throw Error({.exit = Exit::incomparable,
                 .code = "gate.no_anchor",
                 .where = results::one_line(file, 200),
                 .problem = "there is no such store: there is no anchor",
                 .help = "make one of the release: retrial gate ... --make-baseline " +
                         shell_word(results::one_line(file, 200))});
  return verified(given, "--anchor");
}

std::optional<std::string> commit_of(const results::Store& store) {
  return store.meta(commit_key);
}

std::optional<std::string> base_commit_of(const results::Store& store) {
  if (auto commit = store.meta(base_commit_key)) return commit;
  const bool both = std::ranges::any_of(
      stored_benches(store), [](const auto& bench) { return bench.second.baseline != bench.second.candidate; });
  return both ? std::nullopt : commit_of(store);
}

void keep_commit(results::Store& store, const Arguments& arguments, const PlannedSuite& suite) {
  const auto word = arguments.value("commit");
  const SideCommit side = word ? SideCommit{commit_named(word), ""} : commit_of_variant(suite, suite.baseline);
  const auto before = commit_of(store);
  if (!side.name) {
    if (!before) note("no commit of the baseline is kept: " + side.why_none + "; --commit NAME names it");
    return;
  }
  if (before && !same_commit(*before, *side.name))
    throw Error({.exit = Exit::incomparable,
                 .code = "gate.commit",
                 .where = store.path().string(),
                 .problem = "is the baseline of commit " + results::one_line(*before, 100) + ", and is not replaced; " +
                            (word ? "--commit is " : "the program is now of commit ") +
                            results::one_line(*side.name, 100),
                 .help = "choose another file for this commit"});
  if (!before) store.put_meta(commit_key, *side.name);
}

std::array<std::optional<std::string>, 2> keep_commits(results::Store& store, const Arguments& arguments,
                                                       const PlannedSuite& suite) {
  const auto sides = commits_of_sides(suite);
  const std::array named{wanted_commit(arguments), arguments.has("commit")
                                                       ? std::optional(commit_named(arguments.value("commit")))
                                                       : std::nullopt};
  std::array<std::optional<std::string>, 2> out;
  for (const std::size_t side : {base, head}) {
    const char* key = side == base ? base_commit_key : commit_key;
    out[side] = store.meta(key);
    const auto& now = named[side] ? named[side] : sides[side].name;
    if (!now) continue;
    if (!out[side]) store.put_meta(key, *now);
    out[side] = now;
  }
  return out;
}

void confirm(GateResult& result, const Arguments& arguments, const PlannedSuite& suite, const results::Store& ours) {
  const auto file = arguments.value("confirm");
  if (!file) return;
  if (!std::filesystem::exists(*file))
    throw Error({.exit = Exit::incomparable,
                 .code = "gate.confirm",
                 .where = results::one_line(*file, 200),
                 .problem = "there is no such store",
                 .help = "run the suite again into it: the same line with --db " +
                         shell_word(results::one_line(*file, 200)) + " and without --confirm"});
  const results::Store other(*file, results::Store::Access::read);
  if (other.info().store_digest == ours.info().store_digest)
    throw Error({.code = "gate.confirm",
                 .where = *file,
                 .problem = "holds the same trials as " + ours.path().string() + ", which confirm nothing"});
  const GateResult again = judge_suite(suite_in(other, suite.metrics()), suite.settings);
  for (GateVerdict& claim : result.claims) {
    if (claim.verdict != "regressed" && claim.verdict != "improved") continue;
    const bool too = std::ranges::any_of(again.claims, [&](const GateVerdict& each) {
      return each.workload == claim.workload && each.metric == claim.metric && each.verdict == claim.verdict;
    });
    if (too) continue;
    claim.warnings.push_back(claim.verdict + " here, but not in " + *file);
    claim.verdict = "inconclusive", claim.reason = "not_confirmed";
  }
  result.warnings.push_back("confirmed by " + *file +
                            ": two runs err together as rarely as the product of their rates only if they are "
                            "independent (another boot, another host)");
  conclude(result, suite.settings);
}

}  // namespace retrial::harness::inline gate::inline measured
