// From a plot to a drawing: what gnuplot is told, what it may not be told, and what comes back.
#include <cstdlib>
#include <filesystem>
#include <limits>

#include "results/error.hpp"
#include "results/report/figures.hpp"
#include "results/report/gnuplot.hpp"
#include "results/report/gnuplot_script.hpp"
#include "results/report/svg_tree.hpp"
#include "tests/catch.hpp"
#include "tests/results/hostile_names.hpp"

using namespace retrial;
using namespace retrial::report;

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

Plot plot_with(const std::string& label) {
  return {.x = {.label = label, .low = 0, .high = 4, .tics = {{1, label}, {3, label}}},
          .y = {.label = label, .low = -1, .high = 5, .tics = {}},
          .series = {{.label = label, .draw = Draw::points, .points = {{1, 2, 0, 0}, {2, nan, 0, 0}, {3, 4, 0, 0}}},
                     {.label = label, .draw = Draw::lines, .points = {{0, 0, 0, 0}, {nan, 0, 0, 0}, {4, 4, 0, 0}}},
                     {.label = "", .draw = Draw::band, .points = {{0, 1, 0, 2}, {4, 1, 0, 2}}},
                     {.label = "", .draw = Draw::steps, .points = {{0, 1, 0, 0}, {4, 2, 0, 0}}},
                     {.label = "", .draw = Draw::interval, .points = {{1, 1, 0.5, 1.5}}}}};
}

Report report_with(const std::string& label) {
  Report out;
  out.sections.push_back({.id = "s", .title = "s", .blocks = {}});
  out.sections[0].blocks.push_back(
      Figure{.title = label, .description = label, .plot = plot_with(label), .data = {}, .svg = ""});
  return out;
}

const Figure& figure_of(const Report& report) {
  return std::get<Figure>(report.sections.at(0).blocks.at(0));
}

class Environment {
 public:
  Environment(const char* name, const char* value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    ::setenv(name, value, 1);
  }
  ~Environment() {
    if (before_.empty())
      ::unsetenv(name_);
    else
      ::setenv(name_, before_.c_str(), 1);
  }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

 private:
  const char* name_;
  std::string before_;
};

}  // namespace

TEST_CASE("no label reaches gnuplot: the script is the same for every name of equal width", "[report]") {
  const std::string plain(20, 'a');
  for (const char* label : {"'`touch planted`'    ", "\n!touch planted\n     ", "%s%n%d%%%s%n%d%%xxxx"}) {
    const std::string hostile = std::string(label).substr(0, 20);
    REQUIRE(hostile.size() == 20);
    const std::vector<Plot> a{plot_with(plain)}, b{plot_with(hostile)};
    CHECK(gnuplot_script(a).text == gnuplot_script(b).text);
  }
}

TEST_CASE("the corpus of hostile names never stands in a script", "[report]") {
  for (const auto& name : fixture::hostile_names()) {
    if (name.empty()) continue;
    const std::vector<Plot> plots{plot_with(name)};
    CAPTURE(name);
    CHECK(gnuplot_script(plots).text.find(name) == std::string::npos);
  }
}

TEST_CASE("hostile names are drawn as text and nothing is executed", "[report][gnuplot]") {
  const auto planted = std::filesystem::current_path() / "planted";
  for (const auto& name : fixture::hostile_names()) {
    CAPTURE(name);
    Report report = report_with(name);
    CHECK_NOTHROW(draw_figures(report));
    CHECK_NOTHROW(parse_svg(figure_of(report).svg));
    CHECK_THAT(figure_of(report).svg, !has_text("<script") && !has_text("<img") && !has_text("RT0"));
  }
  CHECK_FALSE(std::filesystem::exists(planted));
}

TEST_CASE("a script that says anything on standard error is an error that quotes it", "[report][gnuplot]") {
  // The control of the case above: this is what a label would do if it reached the script.
  try {
    (void)run_gnuplot("set output 'fig-0001.svg'\nplot nonsense(\n", 1);
    FAIL("accepted");
  } catch (const Error& error) {
    CHECK(error.text.code == "figure.failed");
    CHECK(error.text.exit == Exit::measurement);
  }
  CHECK_THROWS_AS(run_gnuplot("", 1), Error);  // nothing was drawn
}

TEST_CASE("without gnuplot the error names the package", "[report]") {
  const Environment path("PATH", "/nonexistent");
  Report report = report_with("x");
  try {
    draw_figures(report);
    FAIL("drawn");
  } catch (const Error& error) {
    CHECK(error.text.exit == Exit::incomparable);
    CHECK_THAT(error.text.help, has_text("gnuplot-nox"));
  }
}

TEST_CASE("a drawing has the same bytes under another locale, time zone and folder", "[report][gnuplot]") {
  Report first = report_with("kd"), second = report_with("kd");
  draw_figures(first);
  const Environment locale("LC_ALL", "de_DE.UTF-8"), zone("TZ", "Asia/Tokyo"), home("HOME", "/"),
      folder("TMPDIR", "/var/tmp");
  draw_figures(second);
  CHECK(figure_of(first).svg == figure_of(second).svg);
}

TEST_CASE("a symbol is one mark, a line one, and lifting the pen begins another", "[report]") {
  CHECK(marks_of(plot_with("x")) == 3 + 2 + 1 + 1 + 1);
}

TEST_CASE("two figures of one page share no id", "[report][gnuplot]") {
  Report report = report_with("a");
  report.sections.push_back(report.sections[0]);
  draw_figures(report);
  const auto& second = std::get<Figure>(report.sections.at(1).blocks.at(0));
  CHECK_THAT(figure_of(report).svg, has_text("id=\"fig1-title\"") && !has_text("fig2-"));
  CHECK_THAT(second.svg, has_text("id=\"fig2-title\"") && !has_text("fig1-"));
}
