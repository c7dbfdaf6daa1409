#include "workloads/published/read.hpp"

#include <sstream>

#include "results/json/json.hpp"

namespace retrial::published {
namespace {

Setting setting_of(const std::string& entry, const Json& fields) {
  const auto equals = entry.find('=');
  if (equals == std::string::npos) return {entry, fields.at(entry)};
  return {entry.substr(0, equals), entry.substr(equals + 1)};
}

Settings settings_of(const std::string& names, const Json& lists, const Json& fields) {
  Settings out;
  std::istringstream each(names);
  for (std::string name; each >> name;)
    for (const Json& entry : lists.at(name)) out.push_back(setting_of(entry, fields));
  return out;
}

EpochRule epoch_rule_of(const std::string& name) {
  for (const EpochRule rule : {EpochRule::last, EpochRule::best_test})
    if (name == name_of(rule)) return rule;
  return EpochRule::unknown;
}

Relation relation_of(const std::string& name) {
  return name == "above"    ? Relation::above
         : name == "below"  ? Relation::below
         : name == "within" ? Relation::within
         : name == "about"  ? Relation::about
                            : Relation::none;
}

template <typename T>
void set_if_known(std::optional<T>& field, const Json& fields, const char* name) {
  if (const auto found = fields.find(name); found != fields.end() && !found->is_null()) field = found->get<T>();
}

Row row_of(const Json& fields, const Json& lists, const std::vector<Table::Column>& columns) {
  const std::string method = fields.at("method");
  Row row{.id = fields.at("id"),
          .source = fields.at("source"),
          .table = fields.at("table"),
          .origin = fields.at("origin"),
          .dataset = fields.at("dataset"),
          .method = method,
          .cell = {},
          .label = fields.value("label", method),
          .value = fields.at("value"),
          .epoch_rule = epoch_rule_of(fields.value("epoch_rule", "")),
          .seeds_published = fields.value("seeds_published", false),
          .reading = fields.value("reading", 0.0),
          .verified = fields.value("verified", true),
          .subject = settings_of(fields.value("subject", ""), lists, fields),
          .protocol = settings_of(fields.value("protocol", ""), lists, fields)};
  for (const auto& column : columns) row.cell.emplace_back(column.part, fields.value(column.part, "none"));
  row.metric = fields.value("metric", row.metric);
  row.unit = fields.value("unit", row.unit);
  row.our_metric = fields.value("our_metric", row.our_metric);
  set_if_known(row.sd, fields, "sd");
  set_if_known(row.runs, fields, "runs");
  set_if_known(row.base, fields, "base");
  set_if_known(row.printed_change, fields, "printed_change");
  return row;
}

void add_rows(Json group, const Json& lists, Table& to) {
  const Json rows = std::move(group.at("rows")), columns = std::move(group.at("columns"));
  for (const Json& values : rows) {
    for (std::size_t i = 0; i < columns.size(); ++i) group[columns[i].get<std::string>()] = values.at(i);
    to.rows.push_back(row_of(group, lists, to.columns));
  }
}

Conclusion conclusion_of(const Json& json) {
  Conclusion out{.name = json.at("name"), .text = json.at("text"), .gaps = {}};
  for (const Json& gap : json.at("gaps"))
    out.gaps.push_back({gap.at("what"), gap.at("row"), gap.at("baseline"), relation_of(gap.value("relation", "")),
                        gap.value("margin", 0.0), gap.value("about", 0.0)});
  return out;
}

}  // namespace

Table read_table(std::string_view json) {
  const Json document = results::parse_json(json, "a published table");
  Table out{.name = document.at("name"),
            .title = document.at("title"),
            .columns = {},
            .sd = document.at("sd"),
            .sd_from = document.at("sd_from")};
  for (const Json& column : document.at("columns")) out.columns.push_back({column.at("part"), column.at("title")});
  for (const Json& group : document.at("groups")) add_rows(group, document.at("settings"), out);
  for (const Json& each : document.at("conclusions")) out.conclusions.push_back(conclusion_of(each));
  return out;
}

}  // namespace retrial::published
