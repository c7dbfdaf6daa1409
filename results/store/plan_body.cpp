#include "results/store/plan_body.hpp"

#include <charconv>

namespace retrial::results::inline store {
namespace {

constexpr std::string_view signs = "{}[],:";

bool is_leaf(std::string_view token) {
  return signs.find(token.front()) == std::string_view::npos;
}

std::size_t end_of_string(std::string_view text, std::size_t at) {
  while (++at < text.size() && text[at] != '"')
    if (text[at] == '\\') ++at;
  return std::min(at + 1, text.size());
}

std::optional<std::size_t> place_from(std::string_view token) {
  if (token.size() < 3 || token.front() != '"') return std::nullopt;
  std::size_t place = 0;
  const auto [end, error] = std::from_chars(token.data() + 1, token.data() + token.size() - 1, place);
  return error == std::errc() && end == token.data() + token.size() - 1 ? std::optional(place) : std::nullopt;
}

}  // namespace

std::vector<std::string_view> json_tokens(std::string_view text) {
  std::vector<std::string_view> out;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at + 1;
    if (text[at] == '"')
      end = end_of_string(text, at);
    else if (signs.find(text[at]) == std::string_view::npos)
      end = std::min(text.find_first_of("{}[],:\"", at), text.size());
    out.push_back(text.substr(at, end - at));
    at = end;
  }
  return out;
}

std::optional<std::string> BodyTemplate::differing(std::string_view body) const {
  const auto tokens = json_tokens(body);
  if (tokens.size() != tokens_.size()) return std::nullopt;
  std::string out = "{";
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i] == tokens_[i]) continue;
    if (!is_leaf(tokens[i]) || !is_leaf(tokens_[i])) return std::nullopt;
    if (out.size() > 1) out += ',';
    out += '"' + std::to_string(i) + "\":";
    out += tokens[i];
  }
  out += '}';
  return out.size() < body.size() && with(out) == body ? std::optional(std::move(out)) : std::nullopt;
}

std::optional<std::string> BodyTemplate::with(std::string_view leaves) const {
  const auto tokens = json_tokens(leaves);
  if (tokens.size() < 2 || tokens.front() != "{" || tokens.back() != "}") return std::nullopt;
  std::string out;
  std::size_t next = 0, i = 1;
  for (; i + 1 < tokens.size(); i += 4) {  // place : leaf and a comma or the end
    if (i + 3 >= tokens.size() || tokens[i + 1] != ":" || !is_leaf(tokens[i + 2])) return std::nullopt;
    if (tokens[i + 3] != (i + 4 < tokens.size() ? "," : "}")) return std::nullopt;
    const auto place = place_from(tokens[i]);
    if (!place || *place < next || *place >= tokens_.size()) return std::nullopt;
    while (next < *place) out += tokens_[next++];
    out += tokens[i + 2];
    ++next;
  }
  if (i != (tokens.size() == 2 ? 1 : tokens.size())) return std::nullopt;  // a comma at the end
  while (next < tokens_.size()) out += tokens_[next++];
  return out;
}

}  // namespace retrial::results::inline store
