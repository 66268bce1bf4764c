"""A game from a separate package appears on the pages without any code for it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.outside import installed, with_package

# The workers also import this program, so it does nothing unless it is the main program.
PROGRAM = """
if __name__ == "__main__":
    import re
    import sys
    from pathlib import Path
    from starlette.testclient import TestClient
    from symkripke.web.server import application
    from symkripke.web.settings import Settings
    from tests.web.support import dealing, form, path_of, send

    with TestClient(application(Settings(Path(sys.argv[1]), quick=1, slow=1, long=1))) as client:
        assert "/new/fireworks" in client.get("/").text
        sent = dealing(client, "fireworks")
        response = client.post("/new/fireworks", data={**sent.fields, "seed": "1"})
        where, page = path_of(response), response.text
        while "/play" in page:
            page = send(client, form(page, "/play"), events="100").text
        player = re.findall(r'id="seat-(\\w+)"', page)[0]
        page = client.get(where, params={"at": "1", "player": player, "show": "words"}).text
        assert 'class="mind"' in page
        asked = {"fact": "=", "who0": player, "op0": "M", "asked": "1"}
        assert 'class="verdict' in client.get(where + "/ask", params=asked).text
        print("done")
"""


def test_a_game_from_outside_is_watched_and_queried(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    done = subprocess.run(
        [sys.executable, str(program), str(tmp_path / "data")],
        env=with_package(installed(tmp_path_factory)),
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stdout) == (0, "done\n"), done.stderr
