#include "harness/text/report_error.hpp"

#include <cstdlib>
#include <iostream>

#include "results/json/json.hpp"
#include "results/text/text.hpp"
#include "variance/numbers/error.hpp"

namespace retrial::harness::inline text {
namespace {

Json error_document(const ErrorText& error) {
  return {{"error",
           {{"code", error.code},
            {"exit", static_cast<int>(error.exit)},
            {"where", error.where},
            {"field", error.field},
            {"value", error.value},
            {"allowed", error.allowed},
            {"message", results::one_line(Error::line(error))},
            {"help", error.help}}}};
}

void print_parts(const ErrorText& error) {
  std::cerr << "debug: code " << error.code << ", exit " << static_cast<int>(error.exit) << "\n";
  for (const auto& [name, text] : {std::pair{"where", error.where},
                                   {"field", error.field},
                                   {"value", error.value},
                                   {"problem", error.problem},
                                   {"allowed", error.allowed}})
    if (!text.empty()) std::cerr << "debug: " << name << " " << results::one_line(text) << "\n";
}

[[noreturn]] void abort_with(const std::logic_error& defect) {
  std::cerr << "retrial: defect: " << results::one_line(defect.what())
            << "\nhelp: this is a bug in retrial, not a mistake of yours; please report it with this line\n";
  std::abort();
}

}  // namespace

int report(const ErrorText& error, const ErrorStyle& style) {
  if (style.json) {
    std::cerr << results::printed(error_document(error));
    return static_cast<int>(error.exit);
  }
  std::cerr << "retrial: error: " << results::one_line(Error::line(error)) << "\n";
  if (!error.help.empty()) std::cerr << "help: " << results::one_line(error.help) << "\n";
  if (style.debug) print_parts(error);
  return static_cast<int>(error.exit);
}

int guarded(const std::function<int()>& body, const ErrorStyle& style) {
  try {
    return body();
  } catch (const Error& error) {
    return report(error.text, style);
  } catch (const InvalidInput& error) {
    return report({.code = "usage.out_of_range",
                   .field = error.field,
                   .value = error.value,
                   .problem = "out of range",
                   .allowed = error.allowed},
                  style);
  } catch (const NumericalFailure& error) {
    return report({.exit = Exit::measurement, .code = "numerics", .problem = error.what()}, style);
  } catch (const std::logic_error& defect) {
    abort_with(defect);
  } catch (const std::exception& error) {
    return report({.exit = Exit::measurement, .code = "failed", .problem = error.what()}, style);
  }
}

}  // namespace retrial::harness::inline text
