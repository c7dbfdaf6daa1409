#include "workloads/command/line/placeholders.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>
#include <optional>

#include "determinism/seeds/seeds.hpp"
#include "results/text/text.hpp"

namespace retrial::workloads::command::inline line {

namespace {

const std::vector<std::string>& plain_names() {
  static const std::vector<std::string> names{"seed", "seed64", "pair", "out"};
  return names;
}

bool could_be_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == ':';
}

std::vector<Braces> braces_in(const std::string& text) {
  std::vector<Braces> found;
  for (auto open = text.find('{'); open != std::string::npos; open = text.find('{', open + 1)) {
    if (open > 0 && text[open - 1] == '$') continue;
    auto close = open + 1;
    while (close < text.size() && could_be_name(text[close])) ++close;
    if (close == text.size() || text[close] != '}' || close == open + 1) continue;
    found.push_back({open, close + 1 - open, text.substr(open + 1, close - open - 1)});
  }
  return found;
}

std::optional<Placeholder> recognised(const Braces& braces) {
  using Kind = Placeholder::Kind;
  constexpr std::array kinds{Kind::seed, Kind::seed64, Kind::pair, Kind::out};
  const auto& names = plain_names();
  const auto at = std::find(names.begin(), names.end(), braces.name);
  if (at != names.end())
    return Placeholder{braces.begin, braces.length, kinds[static_cast<std::size_t>(at - names.begin())]};
  const std::string prefix = "seed:";
  if (!braces.name.starts_with(prefix)) return std::nullopt;
  const auto source = braces.name.substr(prefix.size());
  if (!determinism::valid_source_name(source)) return std::nullopt;
  return Placeholder{braces.begin, braces.length, Kind::seed, source};
}

/// A placeholder that lacks one of its braces: "{seed" that is never closed, "seed}" that was never opened. Braces of
/// code, such as "{seed + 1}", have both.
std::vector<std::string> half_placeholders(const std::string& text) {
  std::vector<std::string> sentences;
  const auto note = [&](std::size_t begin, std::size_t end, char missing) {
    const auto name = text.substr(begin, end - begin);
    if (recognised({.begin = begin, .length = name.size(), .name = name}))
      sentences.push_back((missing == '}' ? "{" + name : name + "}") + " has no '" + missing + "'; did you mean {" +
                          name + "}?");
  };
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '{') open.push_back(i);
    if (text[i] != '}') continue;
    auto begin = i;
    while (begin > 0 && could_be_name(text[begin - 1])) --begin;
    if (open.empty())
      note(begin, i, '{');
    else
      open.pop_back();
  }
  for (const auto brace : open) {
    auto end = brace + 1;
    while (end < text.size() && could_be_name(text[end])) ++end;
    if (brace == 0 || text[brace - 1] != '$') note(brace + 1, end, '}');
  }
  return sentences;
}

std::string lower(std::string text) {
  for (auto& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

std::string value_of(const Placeholder& placeholder, const Trial& trial, const std::filesystem::path& out) {
  using Kind = Placeholder::Kind;
  switch (placeholder.kind) {
    case Kind::pair:
      return std::to_string(trial.pair);
    case Kind::out:
      return out.string();
    case Kind::seed64:
      return std::to_string(trial.seed(placeholder.source));
    case Kind::seed:
      break;
  }
  return short_seed(trial.seed(placeholder.source));
}

}  // namespace

std::vector<Placeholder> placeholders_in(const std::string& text) {
  std::vector<Placeholder> found;
  for (const auto& braces : braces_in(text))
    if (const auto one = recognised(braces)) found.push_back(*one);
  return found;
}

/// One edit away from a placeholder's name, with the same first letter: "seeds", "Seed", "paris"; not "sum", "our" or
/// "x".
std::optional<std::string> placeholder_meant(const std::string& name) {
  const auto small = lower(name);
  if (small.starts_with("seed")) return results::nearest(small, plain_names()).value_or("seed:SOURCE");
  for (const auto& ours : plain_names()) {
    const bool close = small == ours || (small.size() == ours.size() + 1 && small.starts_with(ours));
    if (close) return ours;
  }
  const auto near = small.size() < 3 ? std::nullopt : results::nearest(small, plain_names());
  if (!near || near->front() != small.front() || near->size() < 4 || small.size() < 4) return std::nullopt;
  return near;
}

std::vector<Braces> other_braces_in(const std::string& text) {
  auto found = braces_in(text);
  std::erase_if(found, [](const Braces& braces) { return recognised(braces).has_value(); });
  return found;
}

std::vector<std::string> misspelled_placeholders(const std::string& text) {
  std::vector<std::string> sentences;
  for (const auto& braces : other_braces_in(text)) {
    if (const auto name = placeholder_meant(braces.name))
      sentences.push_back("{" + braces.name + "} is not a placeholder; did you mean {" + *name + "}?");
  }
  std::ranges::move(half_placeholders(text), std::back_inserter(sentences));
  return sentences;
}

std::vector<std::string> sources_in(const std::string& text) {
  using enum Placeholder::Kind;
  std::vector<std::string> names;
  for (const auto& one : placeholders_in(text)) {
    const bool is_seed = one.kind == seed || one.kind == seed64;
    if (is_seed && std::find(names.begin(), names.end(), one.source) == names.end()) names.push_back(one.source);
  }
  return names;
}

std::string short_seed(std::uint64_t source_seed) {
  return std::to_string(source_seed >> 33);
}

std::string filled(const std::string& text, const Trial& trial, const std::filesystem::path& out) {
  std::string made;
  std::size_t from = 0;
  for (const auto& one : placeholders_in(text)) {
    made += text.substr(from, one.begin - from) + value_of(one, trial, out);
    from = one.begin + one.length;
  }
  return made + text.substr(from);
}

}  // namespace retrial::workloads::command::inline line
