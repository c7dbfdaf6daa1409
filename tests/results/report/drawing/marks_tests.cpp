// A series as paths. The frame makes ten pixels of one: x 0 to 10 is 0 to 100, y 0 to 10 is 100 up to 0.
#include <algorithm>
#include <limits>

#include "results/report/drawing/marks.hpp"
#include "tests/catch.hpp"

namespace retrial::tests::marks_tests {

using namespace retrial::report;

namespace {

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
const Frame frame{.x = {.low = 0, .high = 10, .from = 0, .to = 100}, .y = {.low = 0, .high = 10, .from = 100, .to = 0}};

/// The path data of all marks, one after another.
std::string paths(const Series& series) {
  const std::string svg = marks_svg(series, frame);
  std::string out;
  for (std::size_t at = 0; (at = svg.find(" d=\"", at)) != std::string::npos;) {
    at += 4;
    out += (out.empty() ? "" : "|") + svg.substr(at, svg.find('"', at) - at);
  }
  return out;
}

std::size_t count(const std::string& text, char what) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), what));
}

}  // namespace

TEST_CASE("coordinates have one decimal, and none where none is needed", "[report]") {
  CHECK(pixels(12.34) == "12.3");
  CHECK(pixels(7) == "7");
  CHECK(pixels(-0.04) == "0");
  CHECK(pixels(-1e300) == "-1000000");
}

TEST_CASE("a line goes through its points, and is lifted where x is not a number", "[report]") {
  CHECK(paths({.draw = Draw::lines, .points = {{0, 0}, {5, 5}, {10, 10}}}) == "M0 100 50 50 100 0");
  CHECK(paths({.draw = Draw::lines, .points = {{0, 0}, {1, 1}, {nothing, 0}, {2, 2}, {3, nothing}, {4, 4}}}) ==
        "M0 100 10 90M20 80 40 60");
  CHECK(paths({.draw = Draw::lines, .points = {}}).empty());
}

TEST_CASE("steps go sideways first, as a distribution function", "[report]") {
  CHECK(paths({.draw = Draw::steps, .points = {{0, 0}, {4, 5}, {10, 10}}}) == "M0 100H40V50H100V0");
}

TEST_CASE("a band goes along its high ends and back along its low ones", "[report]") {
  CHECK(paths({.draw = Draw::band, .points = {{0, 0, 1, 2}, {10, 0, 3, 5}}}) == "M0 80 100 50 100 70 0 90z");
}

TEST_CASE("a bar ends in caps, and in an arrow where it continues beyond the axis", "[report]") {
  const std::string whole = paths({.draw = Draw::interval, .points = {{5, 5, 2, 8}}}),
                    cut = paths({.draw = Draw::interval, .points = {{5, 5, 2, 80}}});
  CHECK_THAT(whole, has_text("M20 50H80M20 45.5v9M80 45.5v9|"));
  CHECK_THAT(cut, has_text("M20 50H100M20 45.5v9M95.5 45.5 100 50 95.5 54.5|"));
}

TEST_CASE("a bar altogether beyond the axis is an arrow at its edge, without a symbol", "[report]") {
  CHECK(paths({.draw = Draw::interval, .points = {{50, 5, 40, 60}}}) == "M84 50H100M95.5 45.5 100 50 95.5 54.5");
  CHECK(paths({.draw = Draw::interval, .points = {{-50, 5, -60, -40}}}) == "M16 50H0M4.5 45.5 0 50 4.5 54.5");
  CHECK(paths({.draw = Draw::interval, .points = {{50, 11, 40, 60}, {nothing, 5, nothing, nothing}}}).empty());
}

TEST_CASE("each symbol inside the frame is one closed path, and none is drawn outside", "[report]") {
  for (const Shape shape : {Shape::circle, Shape::triangle, Shape::square, Shape::diamond}) {
    const std::string d =
        paths({.shape = shape, .points = {{5, 5}, {10, 0}, {11, 5}, {5, -1}, {nothing, 1}, {1, nothing}}});
    CHECK(count(d, 'M') == 2);
    CHECK(count(d, 'z') == 2);
  }
}

TEST_CASE("dash and width are attributes; color is the one of the element around", "[report]") {
  const std::string svg = marks_svg(
      {.draw = Draw::lines, .dash = Dash::dashed, .width = 2.5, .faint = true, .points = {{0, 0}, {1, 1}}}, frame);
  CHECK_THAT(svg, has_text("stroke=\"currentColor\"") && has_text("stroke-width=\"2.5\"") &&
                      has_text("stroke-dasharray=\"8 4\"") && has_text("stroke-opacity=\".35\""));
}

TEST_CASE("a series of which nothing is inside is off scale", "[report]") {
  CHECK(on_scale({.draw = Draw::lines, .points = {{10, 0}, {10, 10}}}, frame));
  CHECK_FALSE(on_scale({.draw = Draw::lines, .points = {{10.1, 0}, {10.1, 10}}}, frame));
  CHECK(on_scale({.draw = Draw::band, .points = {{0, 0, -5, 15}}}, frame));
  CHECK_FALSE(on_scale({.draw = Draw::band, .points = {{0, 0, 11, 15}}}, frame));
  CHECK(on_scale({.draw = Draw::interval, .points = {{-3, 5, -5, 1}}}, frame));
  CHECK(on_scale({.draw = Draw::interval, .points = {{-3, 5, -5, -1}}}, frame));
  CHECK_FALSE(on_scale({.draw = Draw::interval, .points = {{5, 11, 4, 6}}}, frame));
}

}  // namespace retrial::tests::marks_tests
