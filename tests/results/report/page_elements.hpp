// The elements of a page or drawing, to compare with the expected ones.
#pragma once

#include <string>
#include <vector>

namespace retrial::fixture {

/// Names of the elements in order, closing tags with "/"; a quoted attribute may contain anything but its quote.
[[nodiscard]] inline std::vector<std::string> elements(const std::string& page) {
  std::vector<std::string> out;
  for (std::size_t at = page.find('<'); at != std::string::npos; at = page.find('<', at)) {
    const auto name_end = page.find_first_of(" >\n", at);
    out.push_back(page.substr(at + 1, name_end - at - 1));
    for (bool quoted = false; at < page.size() && (quoted || page[at] != '>'); ++at)
      if (page[at] == '"') quoted = !quoted;
  }
  return out;
}

}  // namespace retrial::fixture
