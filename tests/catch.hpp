// The only place that includes Catch2: version 2.13 of Debian 12, or 3.
#pragma once

#include <string>

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
inline auto has_text(const std::string& part) {
  return Catch::Matchers::ContainsSubstring(part);
}
#else
#include <catch2/catch.hpp>
inline auto has_text(const std::string& part) {
  return Catch::Matchers::Contains(part);
}
#endif
using Catch::Matchers::WithinAbs, Catch::Matchers::WithinRel, Catch::Matchers::WithinULP;
