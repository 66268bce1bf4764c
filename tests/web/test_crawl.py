"""Linked pages: each of them exists, has a title, and does not contain the server's key."""

from __future__ import annotations


def test_links_lead_to_pages_of_all_kinds(every_page: dict[str, str]) -> None:
    """The crawl checks each page when it finds it."""
    kinds = {kind.split()[0] for kind in every_page}
    for name in ("cluedo", "kwartet", "old_maid", "perudo", "sleuth"):
        pages = {f"/new/{name}", f"/real/{name}", f"/t/{name}-over", f"/t/{name}-real"}
        pages |= {f"/t/{name}-seats", f"/t/{name}-over/ask", f"/t/{name}-over/review"}
        assert pages <= kinds
    assert {"/puzzles", "/puzzles/..."} <= kinds
    assert any(kind.startswith("/s/cluedo-seats/") for kind in kinds)
