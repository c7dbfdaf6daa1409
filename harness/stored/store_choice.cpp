#include "harness/stored/store_choice.hpp"

#include <algorithm>

#include "harness/command_line/settings.hpp"
#include "harness/text/output.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline stored {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t min_prefix = 6;

std::vector<std::string> stores_here() {
  std::vector<std::string> out;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(".", ignored))
    if (entry.path().extension() == ".db") out.push_back(entry.path().filename().string());
  std::sort(out.begin(), out.end());
  return out;
}

bool names_store(const std::string& word) {
  std::error_code ignored;
  return word.ends_with(".db") || fs::is_regular_file(word, ignored);
}

fs::path store_without_argument() {
  if (const auto setting = store_setting()) return *setting;
  const auto found = stores_here();
  if (found.size() == 1) return found.front();
  throw Error({.code = "store.none",
               .field = "STORE",
               .problem = found.empty() ? "no store was named and this folder has no *.db file"
                                        : "no store was named and this folder has several",
               .allowed = results::joined(found),
               .help = found.empty() ? "retrial run STUDY.toml creates one; or name a store, or set RETRIAL_DB"
                                     : "give one of them as the first argument, or set RETRIAL_DB"});
}

[[noreturn]] void refuse_count(const StoreChoice& choice, const Takes& takes) {
  const bool few = choice.rest.size() < takes.min;
  throw Error({.code = few ? "usage.missing_argument" : "usage.extra_argument",
               .field = few || choice.rest.empty() ? "" : results::one_line(choice.rest[takes.max], 100),
               .problem = few ? "an argument is missing" : "unexpected argument, or no such store",
               .help = "usage: retrial " + takes.usage});
}

void check_exists(const fs::path& path) {
  std::error_code ignored;
  if (fs::exists(path, ignored)) return;
  const auto here = stores_here();
  const auto near = results::nearest(path.string(), here);
  throw Error({.exit = Exit::incomparable,
               .code = "store.missing",
               .where = path.string(),
               .problem = "no such store",
               .help = near ? "did you mean " + *near + "?"
                            : "retrial run STUDY.toml --db " + shell_word(path.string()) + " creates one"});
}

bool matches(const results::StudyRow& study, const std::string& wanted) {
  return study.name == wanted || (wanted.size() >= min_prefix && results::hex(study.digest).starts_with(wanted));
}

std::vector<std::string> study_labels(const std::vector<results::StudyRow>& studies) {
  std::vector<std::string> out;
  for (const auto& study : studies) out.push_back(study.name + " (" + results::hex(study.digest).substr(0, 12) + ")");
  return out;
}

results::StudyRow named_study(const std::vector<results::StudyRow>& studies, const std::string& wanted) {
  std::vector<results::StudyRow> found;
  std::copy_if(studies.begin(), studies.end(), std::back_inserter(found),
               [&](const auto& s) { return matches(s, wanted); });
  if (found.size() == 1) return found.front();
  const bool none = found.empty();
  throw Error({.exit = none ? Exit::incomparable : Exit::usage,
               .code = none ? "study.missing" : "study.ambiguous",
               .field = "--study",
               .value = results::one_line(wanted, 100),
               .problem = none ? "no such study in this store" : "matches several studies",
               .allowed = results::joined(study_labels(none ? studies : found)),
               .help = "give its name, or at least six hex digits of its digest"});
}

}  // namespace

StoreChoice store_choice(const Arguments& arguments, const Takes& takes) {
  StoreChoice choice;
  choice.rest = arguments.positional;
  const bool named = !choice.rest.empty() && (names_store(choice.rest.front()) || choice.rest.size() > takes.max);
  if (named && !names_store(choice.rest.front()) && choice.rest.size() > takes.max + 1) refuse_count(choice, takes);
  if (named) {
    choice.path = choice.rest.front();
    choice.rest.erase(choice.rest.begin());
  }
  if (choice.rest.size() < takes.min || choice.rest.size() > takes.max) refuse_count(choice, takes);
  if (!named) choice.path = store_without_argument();
  check_exists(choice.path);
  return choice;
}

fs::path existing_store(const std::string& word) {
  check_exists(word);
  return word;
}

results::Store open_for_reading(const fs::path& path) {
  return {path, results::Store::Access::read};
}

results::StudyRow chosen_study(const results::Store& store, const std::optional<std::string>& wanted) {
  const auto studies = store.studies();
  if (studies.empty())
    throw Error({.exit = Exit::incomparable,
                 .code = "study.none",
                 .where = store.path().string(),
                 .problem = "holds no study",
                 .help = "retrial run STUDY.toml --db " + shell_word(store.path().string()) + " adds one"});
  if (wanted) return named_study(studies, *wanted);
  if (studies.size() > 1)
    note("the store holds " + std::to_string(studies.size()) + " studies; showing the newest, " +
         study_labels(studies).back() + "; --study selects another");
  return studies.back();
}

}  // namespace retrial::harness::inline stored
