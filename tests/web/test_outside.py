"""A game in a package of its own is on the page, without a line for it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent

# It installs the package aside, and then everything is done by a browser's part.
PROGRAM = """
import re
import sys
from pathlib import Path
from starlette.testclient import TestClient
from symkripke.web.server import application
from symkripke.web.settings import Settings
from tests.web.support import form, forms, path_of, send

if __name__ == "__main__":
    with TestClient(application(Settings(Path(sys.argv[1]), quick=1, slow=1))) as client:
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


def test_a_game_from_outside_is_watched_and_asked(tmp_path: Path) -> None:
    install = (
        *("-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--no-build-isolation"),
        *("--disable-pip-version-check", "--target"),
    )
    outside = ROOT / "tests" / "outside" / "hanabi"
    site = tmp_path / "site"
    subprocess.run([sys.executable, *install, str(site), str(outside)], check=True)
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    path = os.pathsep.join(map(str, (site, ROOT, ROOT / "encodings")))
    done = subprocess.run(
        [sys.executable, str(program), str(tmp_path / "data")],
        env={**os.environ, "PYTHONPATH": path},
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
