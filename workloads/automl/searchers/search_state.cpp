#include <istream>
#include <ostream>
#include <stdexcept>

#include "workloads/automl/searchers/search.hpp"

namespace retrial::automl::inline searchers {

void Search::save(std::ostream& to) const {
  Json results = Json::array();
  for (const Record& record : records_) {
    Json one{{"id", record.evaluation.id},
             {"cost", record.outcome.cost},
             {"detail", record.outcome.detail},
             {"error", record.outcome.error},
             {"loss", bits_text(record.outcome.loss)},
             {"folds", Json::array()}};
    for (const double loss : record.outcome.fold_losses) one["folds"].push_back(bits_text(loss));
    results.push_back(std::move(one));
  }
  to << Json{{"ledger", ledger_.lines()}, {"results", results}}.dump() << '\n';
}

void Search::load(std::istream& from) {
  std::string text;
  std::getline(from, text);
  const Json saved = Json::parse(text, nullptr, false);
  if (!saved.is_object()) throw std::runtime_error("automl.ledger: the saved search cannot be read");
  for (const Json& one : saved.at("results")) {
    Outcome outcome{.loss = number_of(one.at("loss")),
                    .cost = one.at("cost").get<std::int64_t>(),
                    .error = one.at("error").get<std::string>(),
                    .detail = one.at("detail").get<std::string>()};
    for (const Json& loss : one.at("folds")) outcome.fold_losses.push_back(number_of(loss));
    stored_[one.at("id").get<std::int64_t>()] = std::move(outcome);
  }
  const auto lines = saved.at("ledger").get<std::vector<std::string>>();
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (i > 0 && !advance()) throw std::runtime_error("automl.ledger: the search ends before its saved records");
    if (const auto differs = difference(lines[i], ledger_.lines()[i], i); !differs.empty())
      throw std::runtime_error("automl.ledger: " + differs);
  }
  stored_.clear();
}

}  // namespace retrial::automl::inline searchers
