#include "results/report/svg_tree.hpp"

#include <algorithm>
#include <array>

#include "results/error.hpp"
#include "results/report/escape.hpp"

namespace retrial::report {
namespace {

constexpr int deepest = 32;
constexpr std::string_view blanks = " \t\r\n";
constexpr std::string_view name_characters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789:-_";

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  SvgNode document() {
    skip_blanks();
    if (starts("<?xml")) skip_prolog();
    skip_blanks();
    SvgNode root = element(0);
    skip_blanks();
    if (at_ != text_.size()) refuse("something follows the root element");
    return root;
  }

 private:
  [[noreturn]] void refuse(const std::string& problem) const {
    throw Error({.exit = Exit::measurement,
                 .code = "figure.svg",
                 .where = "byte " + std::to_string(at_) + " of a figure",
                 .problem = problem});
  }
  [[nodiscard]] bool starts(std::string_view what) const { return text_.substr(at_).starts_with(what); }
  void skip_blanks() { at_ = std::min(text_.find_first_not_of(blanks, at_), text_.size()); }
  void skip_prolog() {
    const auto end = text_.find("?>", at_);
    if (end == std::string_view::npos) refuse("the prolog does not end");
    at_ = end + 2;
  }
  void expect(std::string_view what) {
    if (!starts(what)) refuse("expected '" + std::string(what) + "'");
    at_ += what.size();
  }

  std::string name() {
    const auto end = std::min(text_.find_first_not_of(name_characters, at_), text_.size());
    if (end == at_) refuse("expected a name");
    std::string out(text_.substr(at_, end - at_));
    at_ = end;
    return out;
  }

  std::string decoded(std::string_view raw) const {
    static constexpr std::array<std::pair<std::string_view, char>, 6> entities{
        {{"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}, {"&#39;", '\''}}};
    std::string out;
    while (!raw.empty()) {
      if (raw[0] != '&') {
        out += raw[0];
        raw.remove_prefix(1);
        continue;
      }
      const auto found =
          std::find_if(entities.begin(), entities.end(), [&](const auto& e) { return raw.starts_with(e.first); });
      if (found == entities.end()) refuse("an entity that is not one of the six");
      out += found->second;
      raw.remove_prefix(found->first.size());
    }
    return out;
  }

  std::pair<std::string, std::string> attribute() {
    std::string key = name();
    skip_blanks();
    expect("=");
    skip_blanks();
    const char quote = at_ < text_.size() ? text_[at_] : '\0';
    if (quote != '"' && quote != '\'') refuse("expected a quoted value");
    const auto end = text_.find(quote, ++at_);
    if (end == std::string_view::npos) refuse("a value does not end");
    const auto raw = text_.substr(at_, end - at_);
    if (raw.find('<') != std::string_view::npos) refuse("'<' in a value");
    at_ = end + 1;
    return {std::move(key), decoded(raw)};
  }

  /// True when the element ends here.
  bool attributes(SvgNode& node) {
    for (;;) {
      skip_blanks();
      if (starts("/>")) return at_ += 2, true;
      if (starts(">")) return ++at_, false;
      auto next = attribute();
      if (node.attribute(next.first) != nullptr) refuse("attribute " + next.first + " is repeated");
      node.attributes.push_back(std::move(next));
    }
  }

  void content(SvgNode& node, int depth) {
    while (!starts("</")) {
      if (at_ >= text_.size()) refuse("element " + node.name + " does not end");
      if (text_[at_] == '<') {
        node.children.push_back(element(depth + 1));
        continue;
      }
      const auto end = std::min(text_.find('<', at_), text_.size());
      node.children.push_back({.text = decoded(text_.substr(at_, end - at_))});
      at_ = end;
    }
    at_ += 2;
    if (name() != node.name) refuse("element " + node.name + " is closed under another name");
    skip_blanks();
    expect(">");
  }

  SvgNode element(int depth) {
    if (depth > deepest) refuse("too deep");
    expect("<");
    SvgNode node{.name = name()};
    if (!attributes(node)) content(node, depth);
    return node;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

void write(const SvgNode& node, std::string& out) {
  if (node.name.empty()) {
    out += esc_html(node.text, std::string::npos);
    return;
  }
  out += "<" + node.name;
  for (const auto& [key, value] : node.attributes) out += " " + key + "=\"" + esc_html(value, std::string::npos) + "\"";
  if (node.children.empty()) {
    out += "/>";
    return;
  }
  out += ">";
  for (const auto& child : node.children) write(child, out);
  out += "</" + node.name + ">";
}

}  // namespace

const std::string* SvgNode::attribute(std::string_view key) const {
  const auto found = std::find_if(attributes.begin(), attributes.end(), [&](const auto& a) { return a.first == key; });
  return found == attributes.end() ? nullptr : &found->second;
}

SvgNode parse_svg(std::string_view text) {
  return Reader(text).document();
}

std::string written_svg(const SvgNode& node) {
  std::string out;
  write(node, out);
  return out;
}

}  // namespace retrial::report
