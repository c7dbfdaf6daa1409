#include "results/text/error.hpp"

namespace retrial {

std::string Error::line(const ErrorText& parts) {
  std::string out = parts.where;
  const auto add = [&](const std::string& piece) {
    if (piece.empty()) return;
    if (!out.empty()) out += ": ";
    out += piece;
  };
  // Without a field, the value belongs to the place: "--variant = kb".
  if (parts.field.empty() && !parts.value.empty())
    out += (out.empty() ? "" : " = ") + parts.value;
  else
    add(parts.value.empty() ? parts.field : parts.field + " = " + parts.value);
  add(parts.problem);
  if (!parts.allowed.empty()) out += " (allowed: " + parts.allowed + ")";
  return out;
}

}  // namespace retrial
