"""A picture as a self-contained HTML file, without scripts or external resources."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from symkripke.drawing.labels import in_one_line
from symkripke.drawing.svg import Panel, svg

_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
body {{ font-family: "DejaVu Sans", Verdana, Arial, sans-serif; margin: 1.5rem; color: #000;
  background: #fff; }}
figure {{ margin: 0; overflow-x: auto; }}
table {{ border-collapse: collapse; margin: 0.5rem 0 1.5rem; }}
th, td {{ border: 1px solid #888; padding: 0.2rem 0.6rem; text-align: left;
  vertical-align: top; }}
</style>
</head>
<body>
<h1>{title}</h1>
<figure>
{picture}</figure>
<details>
<summary>The same in words</summary>
{tables}
</details>
</body>
</html>
"""


def page(panels: Sequence[Panel], title: str) -> str:
    """Return the page: the picture, and its content in words and tables."""
    tables = "\n".join(_words(panel) for panel in panels)
    return _PAGE.format(title=escape(title), picture=svg(panels, title), tables=tables)


_REMARKS = {
    "actual": "actual",
    "seen": "considered possible",
    "true": "grey",
    "vanishes": "vanishes",
}


def _words(panel: Panel) -> str:
    rows = ["<tr><th>world</th><th>what is true there</th><th></th></tr>"]
    for world in panel.picture.worlds:
        remarks = [words for mark, words in _REMARKS.items() if getattr(world, mark)]
        if world.number > 1:
            remarks.append(f"stands for {world.number:,}")
        label = escape(in_one_line(world.label) or "-")
        rows.append(
            f"<tr><th>{world.name}</th><td>{label}</td><td>{escape(', '.join(remarks))}</td></tr>"
        )
    heading = f"<h2>{escape(panel.heading)}</h2>\n" if panel.heading else ""
    description = escape(panel.picture.describe())
    return "\n".join((f"{heading}<p>{description}</p>", "<table>", *rows, "</table>"))
