#include "results/report/svg_clean.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "results/error.hpp"

namespace retrial::report {
namespace {

constexpr std::string_view svg_namespace = "http://www.w3.org/2000/svg";
constexpr std::string_view xlink_namespace = "http://www.w3.org/1999/xlink";

const std::set<std::string, std::less<>> allowed_elements{"svg",   "g",    "defs",     "path",    "circle",
                                                          "rect",  "line", "polyline", "polygon", "text",
                                                          "tspan", "use",  "title",    "desc"};
const std::set<std::string, std::less<>> allowed_attributes{"id",
                                                            "x",
                                                            "y",
                                                            "width",
                                                            "height",
                                                            "d",
                                                            "points",
                                                            "r",
                                                            "cx",
                                                            "cy",
                                                            "x1",
                                                            "y1",
                                                            "x2",
                                                            "y2",
                                                            "transform",
                                                            "fill",
                                                            "fill-opacity",
                                                            "stroke",
                                                            "stroke-width",
                                                            "color",
                                                            "font-family",
                                                            "font-size",
                                                            "stroke-dasharray",
                                                            "stroke-linecap",
                                                            "viewBox",
                                                            "text-anchor",
                                                            "xmlns",
                                                            "shape-rendering",
                                                            "stroke-linejoin",
                                                            "xmlns:xlink",
                                                            "xlink:href"};

[[noreturn]] void refuse(const std::string& what, const std::string& value) {
  throw Error({.exit = Exit::measurement,
               .code = "figure.svg",
               .where = "a figure",
               .field = what,
               .value = value.substr(0, 100),
               .problem = "is not allowed in a figure of a report, so no report was written"});
}

bool plain_value(std::string_view value) {
  static constexpr std::string_view allowed =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 .,#()+-_\t\r\n";
  return value.find_first_not_of(allowed) == std::string_view::npos && value.find("url") == std::string_view::npos;
}

bool harmless(std::string_view key, std::string_view value) {
  if (key == "xmlns") return value == svg_namespace;
  if (key == "xmlns:xlink") return value == xlink_namespace;
  if (key == "xlink:href") return value.starts_with('#') && plain_value(value);
  return plain_value(value);
}

bool holds_text(const std::string& element) {
  return element == "text" || element == "tspan" || element == "title" || element == "desc";
}

bool blank(const std::string& text) {
  return text.find_first_not_of(" \t\r\n") == std::string::npos;
}

// ---- what gnuplot writes and nobody needs ----

bool unneeded(const SvgNode& node) {
  if (node.name.empty()) return blank(node.text);
  if (node.name == "title" || node.name == "desc" || node.name == "filter") return true;
  return node.name == "g" && node.children.empty();
}

void prune(SvgNode& node) {
  // gnuplot's one class: no style sheet knows it.
  std::erase(node.attributes, std::pair<std::string, std::string>("class", "gridline"));
  for (auto& child : node.children) prune(child);
  std::erase_if(node.children, unneeded);
}

void collect_references(const SvgNode& node, std::set<std::string>& out) {
  if (const auto* href = node.attribute("xlink:href")) out.insert(href->substr(std::min<std::size_t>(1, href->size())));
  for (const auto& child : node.children) collect_references(child, out);
}

/// A symbol may be made of another one that is used nowhere else: until nothing is left to remove.
void drop_unused_symbols(SvgNode& root) {
  for (bool again = true; again;) {
    std::set<std::string> used;
    collect_references(root, used);
    again = false;
    const auto drop = [&](auto&& self, SvgNode& node) -> void {
      for (auto& child : node.children) self(self, child);
      if (node.name != "defs") return;
      again |= std::erase_if(node.children, [&](const SvgNode& child) {
                 const auto* id = child.attribute("id");
                 return id == nullptr || !used.contains(*id);
               }) > 0;
    };
    drop(drop, root);
  }
  prune(root);
}

// ---- ids and labels ----

void prefix_ids(SvgNode& node, const std::string& prefix) {
  for (auto& [key, value] : node.attributes) {
    if (key == "id") value = prefix + value;
    if (key == "xlink:href" && value.starts_with('#')) value = "#" + prefix + value.substr(1);
  }
  for (auto& child : node.children) prefix_ids(child, prefix);
}

bool numeric(std::string_view text) {
  return text.find_first_not_of("0123456789+-.e ") == std::string_view::npos;
}

void put_labels(SvgNode& node, const std::map<std::string, std::string>& labels) {
  if (node.name.empty()) {
    const auto first = node.text.find_first_not_of(" \t\r\n"), last = node.text.find_last_not_of(" \t\r\n");
    node.text = node.text.substr(first, last - first + 1);
    if (const auto found = labels.find(node.text); found != labels.end())
      node.text = found->second;
    else if (!numeric(node.text))
      refuse("text", node.text);
  }
  for (auto& child : node.children) put_labels(child, labels);
}

void describe(SvgNode& root, const SvgIdentity& identity) {
  const std::string title = identity.prefix + "title", desc = identity.prefix + "desc";
  const auto named = [](const char* element, const std::string& id, const std::string& text) {
    return SvgNode{.name = element, .attributes = {{"id", id}}, .children = {SvgNode{.text = text}}};
  };
  root.children.insert(root.children.begin(),
                       {named("title", title, identity.title), named("desc", desc, identity.description)});
  root.attributes.emplace_back("role", "img");
  root.attributes.emplace_back("aria-labelledby", title + " " + desc);
}

void check_element(const SvgNode& node, const SvgNode* parent) {
  if (node.name.empty()) {
    if (parent == nullptr || (!blank(node.text) && !holds_text(parent->name))) refuse("text", node.text);
    return;
  }
  if (!allowed_elements.contains(node.name)) refuse("element", node.name);
  for (const auto& [key, value] : node.attributes) {
    if (!allowed_attributes.contains(key)) refuse("attribute", key);
    if (!harmless(key, value)) refuse(key, value);
  }
  for (const auto& child : node.children) check_element(child, &node);
}

}  // namespace

void check_svg(const SvgNode& root) {
  if (root.name != "svg") refuse("element", root.name);
  check_element(root, nullptr);
}

std::string clean_svg(std::string_view raw, const std::map<std::string, std::string>& labels,
                      const SvgIdentity& identity) {
  SvgNode root = parse_svg(raw);
  prune(root);
  check_svg(root);
  drop_unused_symbols(root);
  prefix_ids(root, identity.prefix);
  put_labels(root, labels);
  describe(root, identity);
  return written_svg(root);
}

}  // namespace retrial::report
