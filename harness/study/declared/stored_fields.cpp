#include "harness/study/declared/stored_fields.hpp"

#include <algorithm>

#include "results/text/error.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline study::inline declared {

bool StoredFields::has(const std::string& key) const {
  return document_.is_object() && document_.contains(key) && !document_.at(key).is_null();
}

const Json& StoredFields::at(const std::string& key) const {
  if (!document_.is_object() || !document_.contains(key)) wrong(key, "present");
  return document_.at(key);
}

std::string StoredFields::text(const std::string& key) const {
  if (!at(key).is_string()) wrong(key, "text");
  return at(key).get<std::string>();
}

std::optional<std::string> StoredFields::text_or_null(const std::string& key) const {
  return has(key) ? std::optional(text(key)) : std::nullopt;
}

std::string StoredFields::word(const std::string& key, const std::vector<std::string>& words) const {
  if (std::ranges::find(words, text(key)) == words.end()) wrong(key, results::joined(words));
  return text(key);
}

std::int64_t StoredFields::integer(const std::string& key) const {
  if (!at(key).is_number_integer()) wrong(key, "a whole number");
  return at(key).get<std::int64_t>();
}

bool StoredFields::flag(const std::string& key) const {
  if (!at(key).is_boolean()) wrong(key, "true or false");
  return at(key).get<bool>();
}

double StoredFields::bits(const std::string& key) const {
  const auto value = results::double_from_hex(text(key));
  if (!value) wrong(key, "16 hex digits of a double");
  return *value;
}

std::vector<std::string> StoredFields::names(const std::string& key) const {
  if (!at(key).is_array() || !std::ranges::all_of(at(key), &Json::is_string)) wrong(key, "a list of names");
  return at(key).get<std::vector<std::string>>();
}

std::vector<std::int64_t> StoredFields::integers(const std::string& key) const {
  if (!at(key).is_array() || !std::ranges::all_of(at(key), &Json::is_number_integer))
    wrong(key, "a list of whole numbers");
  return at(key).get<std::vector<std::int64_t>>();
}

std::vector<double> StoredFields::interval(const std::string& key) const {
  std::vector<double> out;
  for (const auto& end : names(key))
    if (const auto value = results::double_from_hex(end)) out.push_back(*value);
  if (out.size() != 2 || names(key).size() != 2) wrong(key, "two numbers of 16 hex digits");
  return out;
}

void StoredFields::wrong(const std::string& key, const std::string& allowed) const {
  throw Error({.exit = Exit::integrity,
               .code = "store.document",
               .where = kind_ + " document",
               .field = prefix_ + key,
               .problem = "missing or of the wrong form",
               .allowed = allowed,
               .help = "retrial verify STORE lists what is damaged"});
}

}  // namespace retrial::harness::inline study::inline declared
