#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace retrial::report {

/// An element, or text where the name is empty.
struct SvgNode {
  std::string name;
  std::string text;  ///< of a text node, decoded
  std::vector<std::pair<std::string, std::string>> attributes;
  std::vector<SvgNode> children;

  [[nodiscard]] const std::string* attribute(std::string_view key) const;
};

/// Reads the little of XML that an SVG of ours needs: a prolog, elements, attributes, text, the five named entities
/// and the &#39; that written_svg() writes.
/// Comments, CDATA, DOCTYPE, processing instructions, other entities, repeated attributes, more than 32 levels and what
/// is not well-formed: Error{code figure.svg}.
[[nodiscard]] SvgNode parse_svg(std::string_view text);

/// Without white space between elements; attributes in double quotes, everything escaped.
[[nodiscard]] std::string written_svg(const SvgNode& node);

}  // namespace retrial::report
