#include "results/record/record.hpp"

#include <array>
#include <span>

#include "results/text/error.hpp"
#include "results/text/text.hpp"

namespace retrial::results::inline record {
namespace {

// The names are in the order of the enumerators.
constexpr std::array<std::string_view, 3> directions = {"lower", "higher", "none"};
constexpr std::array<std::string_view, 2> natures = {"outcome", "cost"};
constexpr std::array<std::string_view, 2> scales = {"ratio", "absolute"};
constexpr std::array<std::string_view, 4> axes = {"none", "epoch", "step", "repetition"};
constexpr std::array<std::string_view, 6> statuses = {"ok", "diverged", "failed", "timeout", "oom", "killed"};

template <typename Enum>
Enum word_from(std::string_view name, std::span<const std::string_view> words, const std::string& what) {
  for (std::size_t i = 0; i < words.size(); ++i)
    if (words[i] == name) return static_cast<Enum>(i);
  const std::vector<std::string> known(words.begin(), words.end());
  throw Error({.exit = Exit::integrity,
               .code = "record.unknown_word",
               .field = what,
               .value = one_line(name, 60),
               .problem = "unknown " + what,
               .allowed = joined(known)});
}

}  // namespace

std::string_view name_of(Direction value) {
  return directions[static_cast<std::size_t>(value)];
}
std::string_view name_of(Nature value) {
  return natures[static_cast<std::size_t>(value)];
}
std::string_view name_of(Scale value) {
  return scales[static_cast<std::size_t>(value)];
}
std::string_view name_of(Axis value) {
  return axes[static_cast<std::size_t>(value)];
}
std::string_view name_of(Status value) {
  return statuses[static_cast<std::size_t>(value)];
}

Direction direction_from(std::string_view name) {
  return word_from<Direction>(name, directions, "direction");
}
Nature nature_from(std::string_view name) {
  return word_from<Nature>(name, natures, "nature");
}
Scale scale_from(std::string_view name) {
  return word_from<Scale>(name, scales, "scale");
}
Axis axis_from(std::string_view name) {
  return word_from<Axis>(name, axes, "axis");
}
Status status_from(std::string_view name) {
  return word_from<Status>(name, statuses, "status");
}

}  // namespace retrial::results::inline record
