#include "results/report/figures.hpp"

#include "results/report/gnuplot.hpp"
#include "results/report/gnuplot_script.hpp"
#include "results/report/svg_clean.hpp"

namespace retrial::report {
namespace {

std::vector<Figure*> figures_of(Report& report) {
  std::vector<Figure*> out;
  for (auto& section : report.sections)
    for (auto& block : section.blocks)
      if (auto* figure = std::get_if<Figure>(&block)) out.push_back(figure);
  return out;
}

}  // namespace

void draw_figures(Report& report) {
  const auto figures = figures_of(report);
  std::vector<Plot> plots;
  for (const auto* figure : figures) plots.push_back(figure->plot);
  const GnuplotScript script = gnuplot_script(plots);
  const auto drawings = run_gnuplot(script.text, figures.size());
  for (std::size_t i = 0; i < figures.size(); ++i)
    figures[i]->svg = clean_svg(drawings[i], script.labels,
                                {.prefix = "fig" + std::to_string(i + 1) + "-",
                                 .title = figures[i]->title,
                                 .description = figures[i]->description});
}

}  // namespace retrial::report
