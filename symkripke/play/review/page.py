"""A review as HTML: a part of a page, or a self-contained file.

The HTML has no scripts, inline styles or external resources. The names of all classes begin with
`review`.
"""

from __future__ import annotations

from html import escape

from symkripke.drawing.chart import style
from symkripke.drawing.svg import FONT
from symkripke.play.review.chart import svg_chart
from symkripke.play.review.records import MEANINGS, Appraisal, ReviewedEvent
from symkripke.play.review.telling import Review, cell, changed, heading, worth

# The widths of the charts for narrow and for wide screens, in pixels. CSS shows one of them.
_NARROW, _WIDE = 340, 700

_BAR = 96

_STYLE = """.review { color: var(--chart-ink); line-height: 1.45; }
.review h2 { font-size: 1.15rem; margin: 1.8rem 0 0.5rem; }
.review-story { max-width: 42rem; margin: 0; padding: 0; list-style: none; }
.review-story li { margin: 0 0 0.35rem; }
.review-story li:first-child { font-weight: bold; }
.review-note { max-width: 42rem; border-left: 4px solid var(--chart-1); padding: 0.2rem 0.8rem; }
.review-chart { margin: 0; }
.review-chart svg { display: block; max-width: 100%; height: auto; }
.review-wide { display: none; }
@media (min-width: 744px) {
  .review-wide { display: block; }
  .review-narrow { display: none; }
}
.review-scroll { overflow-x: auto; }
.review table { border-collapse: collapse; font-size: 0.92rem; }
.review th, .review td { border-bottom: 1px solid var(--chart-grid); padding: 0.3rem 0.7rem;
  text-align: right; font-variant-numeric: tabular-nums; }
.review tbody th { text-align: left; font-weight: normal; min-width: 8rem; max-width: 20rem; }
/* On a narrow screen, the words of a row stand above its figures. */
@media (max-width: 40rem) {
  .review-scroll table, .review-scroll thead, .review-scroll tbody { display: block; }
  .review-scroll tr { display: flex; flex-wrap: wrap; padding: 0.3rem 0;
    border-bottom: 1px solid var(--chart-grid); }
  .review-scroll th, .review-scroll td { flex: 1 0 3rem; border: 0; padding: 0.1rem 0.2rem; }
  .review-scroll thead td { display: none; }
  .review-scroll thead th { font-size: 0.7rem; font-weight: normal; padding: 0.1rem; }
  .review-scroll tbody th { flex: 0 0 100%; max-width: none; color: var(--chart-soft); }
}
.review-legend { max-width: 42rem; color: var(--chart-soft); font-size: 0.92rem; }
.review-turns { list-style: none; margin: 0; padding: 0; max-width: 46rem; }
.review-turns > li { border-top: 1px solid var(--chart-grid); padding: 0.55rem 0; }
.review-turns p { margin: 0.1rem 0; }
.review-number { color: var(--chart-soft); font-variant-numeric: tabular-nums; }
.review-worth, .review-count { color: var(--chart-soft); font-size: 0.92rem; }
.review-worth svg { vertical-align: middle; margin-right: 0.5rem; }
.review-said { margin: 0.1rem 0 0; padding: 0; list-style: none; }
.review-sort { display: inline-block; min-width: 4.6rem; margin-right: 0.5rem; padding: 0 0.35rem;
  border: 1px solid currentcolor; border-radius: 3px; font-size: 0.8rem; text-align: center; }
.review-good .review-sort { color: var(--chart-2); }
.review-fault .review-sort { color: var(--chart-6); }
.review-luck .review-sort { color: var(--chart-3); }
.review-news .review-sort { color: var(--chart-0); }
"""

STYLE = style(".review") + _STYLE
"""The CSS of `fragment`, light or dark by the preference of the reader's system or `data-theme`."""

_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<style>
{ground}{style}{more_style}body {{ font-family: {font}; margin: 0; background: var(--chart-paper);
  color: var(--chart-ink); }}
.review-link {{ color: inherit; display: inline-block; padding: 0.5rem 0; }}
.review summary {{ cursor: pointer; }}
.review summary h2 {{ display: inline-block; }}
main {{ max-width: 60rem; margin: 0 auto; padding: 1rem; }}
h1 {{ font-size: 1.3rem; line-height: 1.3; margin: 0.5rem 0 1rem; }}
</style>
</head>
<body>
<main>
<h1>{title}</h1>
{contents}{fragment}{more}</main>
</body>
</html>
"""


_CONTENTS = '<p><a class="review-link" href="#steps">Step through the game</a></p>\n'


def page(review: Review, more: str = "", more_style: str = "") -> str:
    """Return a self-contained HTML file; `more` is shown below, with the CSS `more_style`."""
    return _PAGE.format(
        title=escape(heading(review)),
        contents=_CONTENTS if more else "",
        ground=style("body"),
        style=STYLE,
        font=", ".join(f'"{name}"' if " " in name else name for name in FONT.split(", ")),
        fragment=fragment(review, folded=bool(more)),
        more=more,
        more_style=more_style,
    )


def fragment(review: Review, *, folded: bool = False) -> str:
    """Return the review as a part of a page with `STYLE`: story, chart, figures, turns.

    Args:
        review: the review.
        folded: whether the turns are folded until the reader opens them.
    """
    whole, turns = [*_story(review)], []
    if review.events:
        whole += [*_chart(review), *_figures(review)]
        turns = ["<div>", *_turns(review, folded), "</div>"]
    return "\n".join(
        ('<article class="review">', "<div>", *whole, "</div>", *turns, "</article>", "")
    )


def _story(review: Review) -> list[str]:
    sentences = (review.ending, *review.story)
    return [
        '<ul class="review-story">',
        *(f"<li>{escape(sentence)}.</li>" for sentence in sentences),
        "</ul>",
        *(f'<p class="review-note">{escape(note)}.</p>' for note in review.notes),
    ]


def _chart(review: Review) -> list[str]:
    words = review.measure.words
    return [
        f"<h2>{escape(words[:1].upper() + words[1:])}</h2>",
        '<figure class="review-chart">',
        f'<div class="review-narrow">{svg_chart(review, _NARROW, alone=False)}</div>',
        f'<div class="review-wide">{svg_chart(review, _WIDE, alone=False)}</div>',
        "</figure>",
    ]


def _figures(review: Review) -> list[str]:
    columns, rows = review.figures.columns, review.figures.rows
    heads = "".join(f'<th scope="col">{escape(review.titles[player])}</th>' for player in rows)
    lines = [
        f'<tr><th scope="row">{escape(words)}</th>'
        + "".join(f"<td>{escape(cell(row.get(name)))}</td>" for row in rows.values())
        + "</tr>"
        for name, words in columns.items()
    ]
    return [
        "<h2>In figures</h2>",
        '<div class="review-scroll" role="region" aria-label="figures" tabindex="0">',
        f"<table><thead><tr><td></td>{heads}</tr></thead>",
        "<tbody>",
        *lines,
        "</tbody></table>",
        "</div>",
        *(f'<p class="review-legend">{escape(sentence)}.</p>' for sentence in review.legend),
    ]


def _turns(review: Review, folded: bool) -> list[str]:
    turns = [
        '<ol class="review-turns">',
        *(_event(review, event) for event in review.events),
        "</ol>",
    ]
    if not folded:
        return ["<h2>Turn by turn</h2>", *turns]
    return ["<details><summary><h2>Turn by turn</h2></summary>", *turns, "</details>"]


def _event(review: Review, event: ReviewedEvent) -> str:
    where = f'<span class="review-number">turn {event.turn}:</span> ' if event.turn else ""
    parts = [f"<li><p>{where}{escape(event.words)}</p>"]
    if event.appraisal is not None:
        words_of_move = escape(worth(event.appraisal))
        parts.append(f'<p class="review-worth">{_bar(event.appraisal)}{words_of_move}</p>')
    if learned := changed(review, event, "→"):
        what = escape(f"{review.measure.short}: {learned}")
        parts.append(f'<p class="review-count">{what}</p>')
    if event.annotations:
        parts.append('<ul class="review-said">')
        parts += [
            f'<li class="review-{said.sort}"><span class="review-sort">{MEANINGS[said.sort]}</span>'
            f"{escape(said.words)}</li>"
            for said in event.annotations
        ]
        parts.append("</ul>")
    return "".join((*parts, "</li>"))


def _bar(move: Appraisal) -> str:
    """Return the value of a move as a bar, relative to the best move."""
    share = max(0.0, min(1.0, move.value / move.best)) if move.best > 0 else 0.0
    return (
        f'<svg width="{_BAR}" height="10" viewBox="0 0 {_BAR} 10" aria-hidden="true">'
        f'<rect x="0.5" y="0.5" width="{_BAR - 1}" height="9" rx="2" fill="none" '
        'stroke="var(--chart-soft)"/>'
        f'<rect x="0.5" y="0.5" width="{(_BAR - 1) * share:.1f}" height="9" rx="2" '
        'fill="var(--chart-0)"/></svg>'
    )
