#include "results/report/figures.hpp"

#include "results/report/drawing.hpp"

namespace retrial::report {
namespace {

constexpr double desk = 720, phone = 340;

std::string drawn(const Figure& figure, const std::string& id, const std::string& css, double width) {
  return svg_of(figure.plot,
                {.id = id, .css = css, .width = width, .title = figure.title, .description = figure.description});
}

}  // namespace

void draw_figures(Report& report) {
  int number = 0;
  for (auto& section : report.sections)
    for (auto& block : section.blocks)
      if (auto* figure = std::get_if<Figure>(&block)) {
        const std::string id = "fig" + std::to_string(++number);
        figure->svg = drawn(*figure, id + "-", "desk", desk) + drawn(*figure, id + "n-", "phone", phone);
      }
}

}  // namespace retrial::report
