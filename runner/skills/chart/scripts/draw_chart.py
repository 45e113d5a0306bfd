"""Draws a small table as a finished `xray-html` block: bars in CSS, lines in SVG, in the inks that a frame is given.

A series is told from another by how it is drawn, not by colour, so that it is so in both themes and on paper.
"""

from typing import Any

from series import Chart, Series, one_line, read_chart
from skill_io import answer_with

ROW_PX, GAP_PX, LINE_PX = 18, 8, 160
HEAD_PX, LEGEND_PX, PADDING_PX = 26, 24, 40
WIDTH, HEIGHT = 600, 160

STYLE = (
    "<style>.t{font-weight:600;margin:0 0 10px}.n{font-variant-numeric:tabular-nums}.k{color:var(--ink-2);font-size:12px}"
    ".g{display:flex;gap:4px 16px;flex-wrap:wrap;margin:0 0 10px}.g i{display:inline-block;width:16px;margin-right:6px}"
)
BARS = (
    ".b{display:grid;grid-template-columns:minmax(56px,max-content) 1fr max-content;gap:0 10px;align-items:center}"
    ".b p{margin:0;height:18px;line-height:18px;white-space:nowrap}.b .h{margin-top:8px}.a{position:relative}"
    ".a u{position:absolute;top:3px;bottom:3px;min-width:1px}.g i{height:10px}"
    ".s0{background:var(--ink)}.s1{background:var(--edge)}.s2{border:1px solid var(--ink)}"
    ".s3{border:1px solid var(--edge);border-left:4px solid var(--ink)}</style>"
)
LINES = (
    "svg{display:block;width:100%;height:160px;border-bottom:1px solid var(--hair);border-top:1px solid var(--hair-2)}"
    "path{fill:none;stroke-width:2;vector-effect:non-scaling-stroke}.g i{border-top:2px solid;vertical-align:middle}"
    ".s0{stroke:var(--ink);color:var(--ink)}.s1{stroke:var(--edge);color:var(--edge)}"
    ".s2{stroke:var(--ink);stroke-dasharray:8 5;color:var(--ink);border-top-style:dashed!important}"
    ".s3{stroke:var(--edge);stroke-dasharray:2 4;color:var(--edge);border-top-style:dotted!important}"
    ".x{display:flex;justify-content:space-between}</style>"
)


def escaped(text: str) -> str:
    """As text of HTML and of an attribute; a backtick too, which could close the block around it."""
    for sign, name in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;"), ("'", "&#39;"), ("`", "&#96;")):
        text = text.replace(sign, name)
    return text


def short(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


def bars(chart: Chart, unit: str) -> str:
    low, high = chart.bounds()
    span = (high - low) or 1.0
    parts: list[str] = []
    for row, label in enumerate(chart.labels):
        for index, one in enumerate(chart.series):
            value = one.values[row]
            left, width = (min(value, 0.0) - low) / span * 100, abs(value) / span * 100
            head = ' class="h"' if index == 0 and row > 0 else ""
            parts.append(
                f"<p{head}>{escaped(label) if index == 0 else ''}</p>"
                f'<p class="a{" h" if head else ""}"><u class="s{index}" style="left:{short(left)}%;width:{short(width)}%"></u></p>'
                f'<p class="n{" h" if head else ""}">{escaped(one.shown[row] + unit)}</p>'
            )
    return f'<div class="b">{"".join(parts)}</div>'


def lines(chart: Chart, unit: str) -> str:
    low, high = chart.bounds()
    span = (high - low) or 1.0
    step = WIDTH / max(1, len(chart.labels) - 1)

    def path(index: int, one: Series) -> str:
        points = [f"{short(at * step)} {short((high - value) / span * HEIGHT)}" for at, value in enumerate(one.values)]
        # A single point is a line across: there is no course to show.
        course = "L".join(points) if len(points) > 1 else f"{points[0]}H{WIDTH}"
        return f'<path class="s{index}" d="M{course}"></path>'

    names = escaped(", ".join(one.name for one in chart.series))
    drawn = "".join(path(index, one) for index, one in enumerate(chart.series))
    ends = [chart.labels[0], chart.labels[-1]] if len(chart.labels) > 1 else chart.labels
    return (
        f'<div class="k n">{escaped(short(high) + unit)}</div>'
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" preserveAspectRatio="none" role="img" aria-label="{names}">{drawn}</svg>'
        f'<div class="k n">{escaped(short(low) + unit)}</div>'
        f'<div class="x k">{"".join(f"<span>{escaped(label)}</span>" for label in ends)}</div>'
    )


def legend(chart: Chart) -> str:
    if len(chart.series) == 1:
        return ""
    names = [f'<span><i class="s{index}"></i>{escaped(one.name)}</span>' for index, one in enumerate(chart.series)]
    return f'<div class="g k">{"".join(names)}</div>'


def height_of(chart: Chart, kind: str, has_title: bool) -> int:
    """CSS pixels that the block needs; a frame that is lower scrolls."""
    rows = len(chart.labels) * len(chart.series) * ROW_PX + (len(chart.labels) - 1) * GAP_PX
    inner = LINE_PX + 3 * ROW_PX if kind == "line" else rows
    return PADDING_PX + inner + (HEAD_PX if has_title else 0) + (LEGEND_PX if len(chart.series) > 1 else 0)


def answer(given: dict[str, Any]) -> str:
    kind = given.get("kind", "bar")
    chart = read_chart(given["table"], kind)
    title = one_line(given.get("title", ""), 80)
    unit = one_line(given.get("unit", ""), 12)
    unit = f" {unit}" if unit else ""
    head = f'<p class="t">{escaped(title)}</p>' if title else ""
    body = lines(chart, unit) if kind == "line" else bars(chart, unit)
    html = STYLE + (LINES if kind == "line" else BARS) + head + legend(chart) + body
    return f"```xray-html height={height_of(chart, kind, bool(title))}\n{html}\n```"


if __name__ == "__main__":
    answer_with(answer)
