#pragma once

#include <string>

#include "variance/numbers/error.hpp"

/// Field that a call refuses, for tests of argument checks.
template <typename Call>
std::string refused_field(Call&& call) {
  try {
    call();
  } catch (const retrial::InvalidInput& error) {
    return error.field;
  }
  return "nothing thrown";
}
