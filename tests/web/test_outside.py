"""A game in a package of its own is on the page, without a line for it."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.outside import installed, with_package

# Everything is done by a browser's part. The workers, which import this program, too, need nothing
# of it.
PROGRAM = """
if __name__ == "__main__":
    import re
    import sys
    from pathlib import Path
    from starlette.testclient import TestClient
    from symkripke.web.server import application
    from symkripke.web.settings import Settings
    from tests.web.support import form, forms, path_of, send

    with TestClient(application(Settings(Path(sys.argv[1]), quick=1, slow=1, long=1))) as client:
        print("listed", "/new/hanabi" in client.get("/").text)
        page = client.get("/new/hanabi").text
        sent = next(f for f in forms(page) if f.method == "post")
        response = client.post("/new/hanabi", data={**sent.fields, "seed": "1"})
        where, page = path_of(response), response.text
        steps = 0
        while "/play" in page:
            page = send(client, form(page, "/play")).text
            steps += 1
        print("steps", steps)
        player = re.findall(r'id="seat-(\\w+)"', page)[0]
        page = client.get(where, params={"at": "1", "player": player, "show": "words"}).text
        print("mind", 'class="panel mind"' in page)
        asked = {"fact": "=", "who0": player, "op0": "M", "asked": "1"}
        page = client.get(where + "/ask", params=asked).text
        print("answer", 'class="verdict' in page)
"""


def test_a_game_from_outside_is_watched_and_asked(
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
        check=False,
    )
    assert done.returncode == 0, done.stderr
    told = dict(line.split() for line in done.stdout.splitlines())
    assert re.fullmatch(r"\d+", told["steps"])
    assert int(told["steps"]) > 1
    assert told == {"listed": "True", "steps": told["steps"], "mind": "True", "answer": "True"}
