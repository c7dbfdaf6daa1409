#include "results/report/drawing/label_text.hpp"

#include <algorithm>
#include <numeric>
#include <set>

#include "results/text/utf8.hpp"

namespace retrial::report::inline drawing {
namespace {

constexpr const char* omission = "\xE2\x80\xA6";

std::vector<std::string_view> characters(std::string_view text) {
  std::vector<std::string_view> out;
  for (std::size_t at = 0; at < text.size(); at += out.back().size())
    out.push_back(text.substr(at, std::max<std::size_t>(1, results::utf8_length(text, at))));
  return out;
}

/// As shares of the font size.
double character_width(std::string_view character) {
  constexpr std::string_view narrow = "ijlIft.,:;'|!()[] ", wide = "mwMW%@+=<>~";
  if (character.size() > 2) return 1;  // scripts with square characters
  if (narrow.find(character) != std::string_view::npos) return 0.4;
  return wide.find(character) == std::string_view::npos ? 0.65 : 0.97;
}

std::string joined(const std::vector<std::string_view>& characters, std::size_t first, std::size_t last) {
  std::string out;
  for (std::size_t i = first; i < last; ++i) out += characters[i];
  return out;
}

/// Characters that all labels begin with, and those that all end with.
struct Shared {
  std::size_t first = 0, last = 0;
};

Shared shared_ends(const std::vector<std::string>& labels) {
  const auto one = characters(labels.front());
  Shared out{.first = one.size(), .last = one.size()};
  std::size_t shortest = one.size();
  for (const auto& label : labels) {
    const auto other = characters(label);
    const auto first = std::ranges::mismatch(one, other).in1 - one.begin();
    const auto last = std::mismatch(one.rbegin(), one.rend(), other.rbegin(), other.rend()).first - one.rbegin();
    out.first = std::min(out.first, static_cast<std::size_t>(first));
    out.last = std::min(out.last, static_cast<std::size_t>(last));
    shortest = std::min(shortest, other.size());
  }
  out.last = std::min(out.last, shortest - out.first);
  return out;
}

}  // namespace

double label_width(std::string_view text) {
  double out = 0;
  for (const auto character : characters(text)) out += character_width(character);
  return font_size * out;
}

std::string fitted(std::string_view text, double width) {
  if (label_width(text) <= width) return std::string(text);
  const auto all = characters(text);
  for (std::size_t kept = all.size() - 1; kept > 1; --kept) {
    const std::size_t tail = kept / 2;
    std::string out = joined(all, 0, kept - tail) + omission + joined(all, all.size() - tail, all.size());
    if (label_width(out) <= width) return out;
  }
  return omission;
}

std::vector<std::string> fitted_apart(std::vector<std::string> labels, double width) {
  const auto distinct = [](const std::vector<std::string>& all) { return std::set(all.begin(), all.end()).size(); };
  const auto all_fitted = [width](std::vector<std::string> all) {
    for (auto& label : all) label = fitted(label, width);
    return all;
  };
  auto out = all_fitted(labels);
  if (distinct(out) == distinct(labels)) return out;
  const Shared shared = shared_ends(labels);
  for (auto& label : labels) {
    const auto all = characters(label);
    label = (shared.first > 1 ? std::string(omission) : joined(all, 0, shared.first)) +
            joined(all, shared.first, all.size() - shared.last) +
            (shared.last > 1 ? std::string(omission) : joined(all, all.size() - shared.last, all.size()));
  }
  return all_fitted(std::move(labels));
}

std::vector<std::string> label_lines(std::string_view text, double width) {
  if (label_width(text) <= width) return {std::string(text)};
  for (std::size_t blank = text.rfind(' '); blank != std::string_view::npos && blank > 0;
       blank = text.rfind(' ', blank - 1)) {
    const auto first = text.substr(0, blank), second = text.substr(blank + 1);
    if (label_width(first) <= width && label_width(second) <= width) return {std::string(first), std::string(second)};
  }
  return {fitted(text, width)};
}

}  // namespace retrial::report::inline drawing
