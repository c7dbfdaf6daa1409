// Names of studies, variants, metrics and messages as an attacker, or an unlucky user, would give them.
#pragma once

#include <string>
#include <vector>

namespace retrial::fixture {

[[nodiscard]] inline std::vector<std::string> hostile_names() {
  return {"<script>alert(1)</script>",
          "</script><script>alert(1)</script>",
          "</style><img src=x onerror=alert(1)>",
          "\"><svg onload=alert(1)>",
          "' onmouseover='alert(1)",
          "]]><!--",
          "-->",
          "&lt;b&gt; &amp;amp;",
          "javascript:alert(1)",
          "data:text/html,<b>x",
          "`touch planted`",
          "\n!touch planted\n",
          "'.system('touch planted').'",
          "'; set output 'planted'; #",
          "''''''",
          "%s%n%d%%",
          "$(touch planted)",
          "@{x}^2_{y} {/Symbol a}",
          "\\textbf{x} \\\\",
          "[link](https://example.org)",
          "![image](https://example.org/x.png)",
          "| a | b |\n| - | - |",
          "# heading",
          "> quote",
          "```\ncode\n```",
          "<https://example.org>",
          "@somebody https://example.org www.example.org",
          "=cmd|' /C calc'!A0",
          "\xE2\x80\xAEtxt.exe",
          "\xE2\x81\xA6isolated",
          "\x1b]0;title\x07\x1b[2J",
          "broken \xFF\xC3 utf8",
          std::string(3000, 'x'),
          "  indented",
          ""};
}

}  // namespace retrial::fixture
