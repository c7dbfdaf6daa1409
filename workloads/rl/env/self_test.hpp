#pragma once

#include <string>

namespace retrial::rlenv {

/// One known step of every environment. The problem where a bit differs, as with contracted arithmetic or another
/// mathematical library; empty where none does.
[[nodiscard]] std::string self_test();

}  // namespace retrial::rlenv
