// The scan of figures: each forbidden thing planted once must be refused, and what gnuplot writes must pass.
#include "results/error.hpp"
#include "results/report/svg_clean.hpp"
#include "tests/catch.hpp"

using namespace retrial;
using namespace retrial::report;

namespace {

const SvgIdentity identity{.prefix = "fig1-", .title = "a < b", .description = "what it \"says\""};

/// A drawing of gnuplot 5.4 in small, with `extra` in the place of a curve.
std::string drawing(const std::string& extra, const std::string& attributes = "") {
  return "<?xml version=\"1.0\" encoding=\"utf-8\"  standalone=\"no\"?>\n<svg \n width=\"720\" height=\"360\"\n "
         "viewBox=\"0 0 720 360\"\n xmlns=\"http://www.w3.org/2000/svg\"\n "
         "xmlns:xlink=\"http://www.w3.org/1999/xlink\"\n" +
         attributes +
         ">\n<title>fig0001</title>\n<desc>Produced by GNUPLOT 5.4 patchlevel 4 </desc>\n<g id=\"gnuplot_canvas\">\n"
         "<defs>\n\t<circle id='gpPt5' stroke-width='0.205' stroke='currentColor' cx='0' cy='0' r='1'/>\n"
         "\t<use xlink:href='#gpPt5' id='gpPt6' fill='currentColor' stroke='none'/>\n"
         "\t<circle id='gpDot' r='0.5'/>\n<filter id='textbox' filterUnits='objectBoundingBox'><feFlood/></filter>\n"
         "</defs>\n<g fill=\"none\"><text> 0.5</text></g><g><text>RT0001</text></g>\n"
         "<use xlink:href='#gpPt6' transform='translate(60.45,241.98) scale(4.88)' color='rgb(  0, 114, 178)'/>\n" +
         extra + "</g></svg>\n";
}

std::string cleaned_drawing(const std::string& extra, const std::string& attributes = "") {
  return clean_svg(drawing(extra, attributes), {{"RT0001", "kd <b>&`x`"}}, identity);
}

std::string refusal(const std::string& extra, const std::string& attributes = "") {
  try {
    return "passed: " + cleaned_drawing(extra, attributes);
  } catch (const Error& error) {
    CHECK(error.text.code == "figure.svg");
    return "refused";
  }
}

}  // namespace

TEST_CASE("a drawing is labelled by our words, with its own ids and without what is not used", "[report]") {
  const std::string svg = cleaned_drawing("");
  CHECK(svg.starts_with("<svg width=\"720\" height=\"360\" viewBox=\"0 0 720 360\""));
  CHECK_THAT(svg,
             has_text("role=\"img\" aria-labelledby=\"fig1-title fig1-desc\"><title id=\"fig1-title\">a &lt; b</title>"
                      "<desc id=\"fig1-desc\">what it &quot;says&quot;</desc>"));
  CHECK_THAT(svg, has_text("<text>kd &lt;b&gt;&amp;`x`</text>") && has_text("<text>0.5</text>"));
  CHECK_THAT(svg,
             has_text("id=\"fig1-gpPt6\"") && has_text("xlink:href=\"#fig1-gpPt6\"") && has_text("id=\"fig1-gpPt5\""));
  CHECK_THAT(svg, !has_text("gpDot") && !has_text("filter") && !has_text("GNUPLOT") && !has_text("RT0001"));
}

TEST_CASE("whatever could load, run, link or style is refused in a drawing", "[report]") {
  const std::vector<std::string> planted{"<script>alert(1)</script>",
                                         "<a href='x'><text>1</text></a>",
                                         "<image xlink:href='#x'/>",
                                         "<foreignObject/>",
                                         "<style>text{}</style>",
                                         "<animate/>",
                                         "<set/>",
                                         "<iframe/>",
                                         "<feImage/>",
                                         "<g onload='alert(1)'><path d='M0,0'/></g>",
                                         "<path style='fill:red' d='M0,0'/>",
                                         "<path class='x' d='M0,0'/>",
                                         "<path href='#x' d='M0,0'/>",
                                         "<use xlink:href='https://example.org/x.svg#a'/>",
                                         "<use xlink:href='data:x'/>",
                                         "<path fill='url(#x)' d='M0,0'/>",
                                         "<path fill='url(https://example.org)' d='M0,0'/>",
                                         "<path d='M0,0;x'/>",
                                         "<path d='&#106;'/>",
                                         "<g><text>a label that is no token</text></g>",
                                         "<g>RT0001</g>",
                                         "<!-- a comment -->",
                                         "<![CDATA[x]]>",
                                         "<?php x ?>",
                                         "<text>&nbsp;</text>",
                                         "<path d='M0,0' d='M1,1'/>",
                                         "<path d='<'/>",
                                         "<g><path></g></path>",
                                         "<path d=M0/>"};
  for (const auto& extra : planted) {
    CAPTURE(extra);
    CHECK(refusal(extra) == "refused");
  }
  for (const char* attribute :
       {"onload='x'", "style='x'", "xmlns:x='http://example.org'", "xml:base='http://example.org'"}) {
    CAPTURE(attribute);
    CHECK(refusal("", attribute) == "refused");
  }
}

TEST_CASE("another namespace, a document type, a second root and a bottomless nest are refused", "[report]") {
  const auto refused = [](const std::string& text) {
    CAPTURE(text.substr(0, 80));
    CHECK_THROWS_AS(clean_svg(text, {}, identity), Error);
  };
  refused("<svg xmlns=\"http://example.org\"/>");
  refused("<!DOCTYPE svg [<!ENTITY x \"y\">]><svg/>");
  refused("<svg/><svg/>");
  refused("<html/>");
  refused("");
  std::string deep;
  for (int i = 0; i < 100'000; ++i) deep += "<g>";
  refused("<svg>" + deep);
}

TEST_CASE("a written drawing reads back as the same tree", "[report]") {
  const std::string once = written_svg(parse_svg(drawing("<path d='M0,0'/>")));
  CHECK(written_svg(parse_svg(once)) == once);
}
