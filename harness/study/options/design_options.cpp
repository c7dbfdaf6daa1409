#include "harness/study/options/design_options.hpp"

#include "results/text/error.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline study::inline options {
namespace {

/// The numbers of a list, each read by `parse`.
template <typename T>
std::vector<T> numbers(const std::string& option, const std::string& text, std::optional<T> (*parse)(std::string_view),
                       const std::string& allowed) {
  std::vector<T> out;
  for (const auto& part : comma_parts(text)) {
    const auto value = parse(part);
    if (!value)
      throw Error({.code = "usage.option_value",
                   .field = "--" + option,
                   .value = results::one_line(text, 80),
                   .problem = "not a list of numbers",
                   .allowed = allowed});
    out.push_back(*value);
  }
  return out;
}

Json value_of(const Arguments& arguments, const DesignField& field) {
  const std::string option = field.option(), text = *arguments.value(option);
  switch (field.kind) {
    case FieldKind::text:
      return text;
    case FieldKind::whole:
      return *arguments.integer(option, static_cast<std::int64_t>(field.range.low),
                                static_cast<std::int64_t>(field.range.high));
    case FieldKind::number:
      return *arguments.number(option, field.range);
    case FieldKind::interval:
      return numbers(option, text, results::parse_double, field.value_name);
    case FieldKind::counts:
      return numbers(option, text, results::parse_int, "number of looks, or the pairs at each look: 10,20,40");
  }
  return {};
}

}  // namespace

Option design_option(const DesignField& field) {
  return {.name = field.option(), .value_name = field.value_name, .meaning = field.help(), .choices = field.choices};
}

std::vector<Option> design_options() {
  std::vector<Option> out;
  for (const auto& field : design_table()) out.push_back(design_option(field));
  return out;
}

void override_design(const Arguments& arguments, GivenDesign& design) {
  for (const auto& field : design_table())
    if (arguments.value(field.option())) design[field.name] = value_of(arguments, field);
}

}  // namespace retrial::harness::inline study::inline options
