#!/usr/bin/env python3
"""report_in_chromium.py RETRIAL CHROMIUM: opens a report of a real study from file:// as a reader would.

The page is shown in two frames, as wide as a phone and as a desktop. A script of the wrapper (the report has none) measures
it: verdict legible, nothing wider than the window, no table or figure wider than its place (nothing to scroll sideways),
nothing loaded, enough contrast in both colour schemes; and the printed pages are A4. Each measurement is shown red on a copy
of the page in which the fault was planted.
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

RETRIAL, CHROMIUM = sys.argv[1], sys.argv[2]
WIDTHS = (390, 1280)

WRAPPER = """<!doctype html><meta charset="utf-8"><body><script>
const widths = %s;
function luminance(rgb) {
  const [r, g, b] = rgb.map(v => v / 255).map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
const parts = text => text.match(/[0-9.]+/g).map(Number);
function ground(element, view) {
  for (let e = element; e; e = e.parentElement) {
    const c = parts(view.getComputedStyle(e).backgroundColor);
    if (c.length == 3 || c[3] > 0) return c.slice(0, 3);
  }
  return [255, 255, 255];
}
function ratio(ink, ground) {
  const [a, b] = [luminance(ink), luminance(ground)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}
const seen = e => e.getClientRects().length > 0;
function leastContrast(doc, view) {
  let least = {ratio: 99};
  for (const e of doc.querySelectorAll('body *')) {
    if (!seen(e) || e.closest('script, title, desc') || ![...e.childNodes].some(n => n.nodeType == 3 && n.data.trim())) continue;
    const style = view.getComputedStyle(e);
    const ink = parts(e.closest('svg') ? style.fill : style.color).slice(0, 3);
    const found = ratio(ink, ground(e, view));
    if (found < least.ratio) least = {ratio: found, text: e.textContent.trim().slice(0, 40), ink, on: ground(e, view)};
  }
  return least;
}
function leastOfMarks(doc, view) {
  const marks = [...doc.querySelectorAll('svg[role=img] g:not(.grid) > path')].filter(seen);
  return Math.min(...marks.map(e => ratio(parts(view.getComputedStyle(e).color), ground(e, view))));
}
function labelFaults(doc) {
  const out = [];
  for (const svg of [...doc.querySelectorAll('svg[role=img]')].filter(seen)) {
    const frame = svg.getBoundingClientRect();
    const boxes = [...svg.querySelectorAll('text')].map(e => ({text: e.textContent, box: e.getBoundingClientRect()}));
    for (const {text, box} of boxes)
      if (box.left < frame.left || box.right > frame.right || box.top < frame.top || box.bottom > frame.bottom)
        out.push('cut off: ' + text);
      else if (box.height < 11) out.push('small: ' + text);
    boxes.forEach((a, i) => boxes.slice(0, i).forEach(b => {
      if (a.box.left < b.box.right && b.box.left < a.box.right && a.box.top + 1 < b.box.bottom && b.box.top + 1 < a.box.bottom)
        out.push(`touch: ${a.text}, ${b.text}`);
    }));
  }
  return out;
}
function cutOff(doc) {
  doc.querySelectorAll('details').forEach(e => e.open = true);
  return [...doc.querySelectorAll('.scroll, .plot, pre, td, th, dd')].filter(seen).filter(e => e.scrollWidth > e.clientWidth + 1)
    .map(e => `${e.closest('section')?.id}: ${e.textContent.trim().slice(0, 40)}, ${e.scrollWidth} in ${e.clientWidth}`);
}
function measure(frame) {
  const doc = frame.contentDocument, view = frame.contentWindow;
  return {width: frame.clientWidth, content: doc.documentElement.scrollWidth, headline: doc.querySelector('h1').innerText,
          top: doc.querySelector('h1').getBoundingClientRect().bottom, figures: [...doc.querySelectorAll('svg[role=img]')].filter(seen).length, marks: leastOfMarks(doc, view),
          labels: labelFaults(doc), figuresTold: doc.querySelectorAll('figure figcaption').length, cut: cutOff(doc),
          loaded: view.performance.getEntriesByType('resource').map(e => e.name), contrast: leastContrast(doc, view),
          dark: view.matchMedia('(prefers-color-scheme: dark)').matches,
          data: JSON.parse(doc.getElementById('data').textContent).schema};
}
const frames = widths.map(width => {
  const frame = document.createElement('iframe');
  frame.style.cssText = `border:0;width:${width}px;height:900px`;
  frame.src = 'FILE';
  return frame;
});
Promise.all(frames.map(f => new Promise(done => { f.onload = done; document.body.append(f); }))).then(() => {
  const out = document.createElement('pre');
  out.id = 'measured';
  out.textContent = JSON.stringify(frames.map(measure));
  document.body.append(out);
});
</script>""" % json.dumps(WIDTHS)


def run(*words):
    return subprocess.run(words, check=True, capture_output=True, text=True, timeout=120)


def browse(folder, url, *flags):
    return run(CHROMIUM, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
               "--disable-background-networking", "--disable-component-update", "--hide-scrollbars",
               "--allow-file-access-from-files", "--enable-logging=stderr", f"--user-data-dir={folder}/profile",
               "--virtual-time-budget=20000", "--window-size=1700,950", *flags, "--dump-dom", url)


def measured(folder, page, *flags):
    (folder / "page.html").write_text(page)
    (folder / "wrapper.html").write_text(WRAPPER.replace("FILE", "page.html"))
    ran = browse(folder, (folder / "wrapper.html").as_uri(), *flags)
    found = re.search(r'<pre id="measured">(.*?)</pre>', ran.stdout, re.S)
    assert found, "the page was not measured:\n" + ran.stderr[-2000:]
    return json.loads(found.group(1).replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&"))


def printed(folder, page):
    """Size of a sheet in points, and the number of sheets."""
    (folder / "page.html").write_text(page)
    run(CHROMIUM, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-pdf-header-footer",
        f"--user-data-dir={folder}/profile", f"--print-to-pdf={folder}/page.pdf", (folder / "page.html").as_uri())
    sheets = re.findall(rb"/MediaBox \[0 0 ([0-9.]+) ([0-9.]+)\]", (folder / "page.pdf").read_bytes())
    assert sheets, "no page was printed"
    return tuple(round(float(side)) for side in sheets[0]), len(sheets)


def console(folder, page):
    (folder / "page.html").write_text(page)
    ran = browse(folder, (folder / "page.html").as_uri())
    assert "<h1>" in ran.stdout
    return [line for line in ran.stderr.splitlines() if "CONSOLE" in line]


def expect(what, holds, seen):
    if not holds:
        sys.exit(f"FAILED: {what}: {seen}")
    print(f"ok: {what}")


# Ties, differences that do not vary, failures, names that cannot be broken, more keys than fit into columns.
HARD = """schema = 1
name = "hard"
workload = "null"
seed = 3
pairs = 12
[set]
epochs = 20
resolution = 1
[variant.base]
[variant."a-name-in-many-parts-of-which-each-is-short"]
[variant.%s]
failure = "throw"
failure_share = 0.3
[variant.steady]
sd = 0.0
[variant.more]
items = 100
mean = 81.25
[compare]
metric = "score"
baseline = "base"
candidate = "%s"
""" % ("x" * 60, "x" * 60)


def fits(page, folder, name):
    """No table, no figure and no line of code is wider than its place, in both windows and both schemes."""
    for scheme, flag in (("light", 1), ("dark", 0)):
        for seen in measured(folder, page, f"--blink-settings=preferredColorScheme={flag}"):
            where = f"{name}, {scheme}, {seen['width']} px"
            expect(f"{where}: nothing is wider than the window", seen["content"] <= seen["width"], seen["content"])
            expect(f"{where}: nothing has to be scrolled sideways", seen["cut"] == [], seen["cut"])
            expect(f"{where}: labels of figures can be read", seen["labels"] == [], seen["labels"])
            expect(f"{where}: every figure has its words", seen["figures"] == seen["figuresTold"] >= 3, seen)


def hard_pages(folder):
    (folder / "hard.toml").write_text(HARD)
    subprocess.run((RETRIAL, "run", folder / "hard.toml", "--db", folder / "hard.db"), capture_output=True, timeout=120)  # trials fail
    run(RETRIAL, "report", str(folder / "hard.db"), "-o", str(folder / "hard.html"))
    yield "hard study", (folder / "hard.html").read_text()
    run(RETRIAL, "run", "null", "--pairs", "8", "--seed", "2", "--set", "sd=0", "--db", str(folder / "flat.db"))
    run(RETRIAL, "report", str(folder / "flat.db"), "-o", str(folder / "flat.html"))
    yield "no spread", (folder / "flat.html").read_text()


def main(folder):
    store, report = str(folder / "study.db"), folder / "report.html"
    run(RETRIAL, "run", "null", "--pairs", "20", "--seed", "7", "--set", "sd=0.5", "--set", "epochs=3", "--db", store)
    run(RETRIAL, "report", store, "-o", str(report))
    page = report.read_text()

    for scheme, flags in (("light", ["--blink-settings=preferredColorScheme=1"]), ("dark", ["--blink-settings=preferredColorScheme=0"])):
        for seen in measured(folder, page, *flags):
            where = f"{scheme}, {seen['width']} px"
            expect(f"{where}: the scheme is the one asked for", seen["dark"] == (scheme == "dark"), seen)
            expect(f"{where}: the verdict names both variants", re.fullmatch(r"shifted .*base", seen["headline"]), seen)
            expect(f"{where}: the verdict is on the first screen", seen["top"] < 400, seen["top"])
            expect(f"{where}: nothing is wider than the window", seen["content"] <= seen["width"], seen["content"])
            expect(f"{where}: every figure is there, once", seen["figures"] == seen["figuresTold"] >= 4, seen)
            expect(f"{where}: nothing has to be scrolled sideways", seen["cut"] == [], seen["cut"])
            expect(f"{where}: labels of figures can be read", seen["labels"] == [], seen["labels"])
            expect(f"{where}: lines and symbols have a contrast of 3", seen["marks"] >= 3, seen["marks"])
            expect(f"{where}: nothing is loaded", seen["loaded"] == [], seen["loaded"])
            expect(f"{where}: text has a contrast of 4.5", seen["contrast"]["ratio"] >= 4.5, seen["contrast"])
            expect(f"{where}: the data are JSON", seen["data"] == "retrial.report/1", seen)
    expect("no word on the console", console(folder, page) == [], console(folder, page))

    for drawing in re.findall(r"<svg .*?</svg>", page, re.S):
        xml.etree.ElementTree.fromstring(drawing)
    print("ok: every figure is well-formed XML")

    long = measured(folder, page.replace("shifted", "x" * 200))
    expect("a name of 200 letters widens nothing", all(seen["content"] <= seen["width"] for seen in long), long)

    for name, hard in hard_pages(folder):
        fits(hard, folder, name)

    a4, sheets = printed(folder, page)
    expect("the page is printed on A4, settings folded away", a4 == (595, 842) and 3 <= sheets <= 10, (a4, sheets))

    # The same measurements with the fault planted.
    letter, more = printed(folder, page.replace("@page{size:A4", "@page{size:letter").replace('<details class="settings">', '<details open>'))
    expect("control: another sheet, and settings that are printed, are seen", letter == (612, 792) and more > sheets, (letter, more))
    kept = measured(folder, page.replace("</style>", "td{white-space:nowrap;min-width:7rem}</style>"))
    expect("control: a table that is cut off is seen", kept[0]["cut"] != [], kept[0]["cut"])
    free = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", page)
    wide = measured(folder, page.replace("</main>", '<p style="width:2000px">wide</p></main>'))
    expect("control: a wide paragraph is seen", all(seen["content"] > seen["width"] for seen in wide), wide)
    loads = measured(folder, free.replace("</main>", '<img src="http://127.0.0.1:9/x.png"></main>'))
    expect("control: a loaded picture is seen", all(seen["loaded"] for seen in loads), loads)
    pale = measured(folder, page.replace("</main>", '<p style="color:#999;background:#fff">pale</p></main>'))
    expect("control: pale text is seen", all(seen["contrast"]["ratio"] < 4.5 for seen in pale), pale)
    faint = measured(folder, page.replace("</style>", ".plot .blue{color:#ddd!important}</style>"))
    expect("control: a pale line is seen", all(seen["marks"] < 3 for seen in faint), faint)
    for fault, size in (("touch", 40), ("cut off", 40), ("small", 5)):
        sized = measured(folder, page.replace("</style>", ".plot text{font-size:%dpx}</style>" % size))
        expect(f"control: labels that {fault} are seen",
               all(any(label.startswith(fault) for label in seen["labels"]) for seen in sized), sized)
    expect("control: a script that the policy stops is seen on the console",
           console(folder, page.replace("</main>", "<script>1</script></main>")) != [], "nothing")


with tempfile.TemporaryDirectory() as name:
    main(pathlib.Path(name))
