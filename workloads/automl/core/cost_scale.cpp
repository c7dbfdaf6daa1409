#include "workloads/automl/core/cost_scale.hpp"

#include "results/text/text.hpp"
#include "workloads/interface/trial/split.hpp"

namespace retrial::automl::inline core {

std::string CostScale::text() const {
  return std::to_string(numerator) + (denominator == 1 ? "" : "/" + std::to_string(denominator));
}

std::optional<CostScale> cost_scale_from(const std::string& text) {
  constexpr std::int64_t most = 1'000'000;
  const auto slash = text.find('/');
  const auto p = results::parse_int(text.substr(0, slash)),
             q = slash == text.npos ? std::optional<std::int64_t>(1) : results::parse_int(text.substr(slash + 1));
  if (!p || !q || *p < 1 || *q < 1 || *p > most || *q > most) return std::nullopt;
  return CostScale{static_cast<std::uint64_t>(*p), static_cast<std::uint64_t>(*q)};
}

std::optional<std::map<std::string, CostScale>> cost_scales_from(const std::string& text) {
  std::map<std::string, CostScale> out;
  for (const auto& part : workloads::split(text, ',', " ")) {
    if (text.empty()) break;
    const auto equals = part.find('=');
    const auto scale = equals == part.npos ? std::nullopt : cost_scale_from(part.substr(equals + 1));
    if (!scale || equals == 0 || !out.emplace(part.substr(0, equals), *scale).second) return std::nullopt;
  }
  return out;
}

}  // namespace retrial::automl::inline core
