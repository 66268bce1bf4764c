"""Pictures of listed models in which agents may be wrong (KD45)."""

from __future__ import annotations

from collections.abc import Sequence

from symkripke.drawing.drawing import Drawing, layout_of
from symkripke.drawing.finding import MOST_WORLDS
from symkripke.drawing.labels import Naming, differing, key_to_labels, label, main_family
from symkripke.drawing.picture import Cell, DrawnWorld, Picture
from symkripke.drawing.svg import Panel
from symkripke.errors import TooManyWorlds, Unsupported
from symkripke.model.listed import ListedModel, numbers


def draw_listed(moments: Sequence[tuple[str, ListedModel]], title: str) -> Drawing:
    """Draw listed models side by side, each with its heading.

    A cell has all worlds at which an agent considers the same worlds possible; these have rank 1 in
    it. An agent that considers no world possible has no cell there. Designated worlds are drawn as
    actual ones.

    Raises:
        TooManyWorlds: a model has more than `MOST_WORLDS` worlds.
        Unsupported: at some world, an agent considers worlds possible at which it would consider
            other worlds possible, so that it has no cells.
    """
    panels = []
    for heading, model in moments:
        picture = _picture(heading, model)
        panels.append(Panel(heading, picture, layout_of(picture)))
    return Drawing(title, tuple(panels))


def _picture(heading: str, model: ListedModel) -> Picture:
    places = list(numbers(model.worlds))
    if len(places) > MOST_WORLDS:
        raise TooManyWorlds(
            f"{heading}: there are {len(places):,} worlds, and a picture has at most {MOST_WORLDS}"
        )
    naming = Naming()
    values = [
        {
            str(atom): "true" if worlds >> place & 1 else "false"
            for atom, worlds in model.truth.items()
        }
        for place in places
    ]
    shown = differing(values) or tuple(values[0])[:8]
    main = main_family(shown)
    worlds = tuple(
        DrawnWorld(
            f"w{place + 1}",
            {name: here[name] for name in shown},
            label(here, shown, main=main, naming=naming),
            actual=bool(model.designated >> place & 1),
        )
        for place, here in zip(places, values, strict=True)
    )
    who: dict[tuple[tuple[str, ...], tuple[int, ...]], list[str]] = {}
    for agent, arrows in model.arrows.items():
        for sources, targets in arrows:
            sources, targets = sources & model.worlds, targets & model.worlds
            if targets & ~sources:
                raise Unsupported(f"{heading}: {agent} has no cells: draw a model with KD45 frames")
            if not targets:
                continue
            members = list(numbers(sources))
            ranks = tuple(1 if targets >> place & 1 else 2 for place in members)
            names = tuple(f"w{place + 1}" for place in members)
            key = names, ranks if targets != sources else ()
            who.setdefault(key, []).append(agent)
    cells = tuple(Cell(tuple(agents), *key) for key, agents in who.items())
    note = key_to_labels(shown, values[0], main, naming=naming)
    return Picture(
        tuple(model.arrows),
        worlds,
        cells,
        shown=shown,
        total=len(places),
        caption=heading,
        notes=(note,) if note else (),
    )
