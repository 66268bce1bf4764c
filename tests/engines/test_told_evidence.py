"""Truth of evidence: every part is true in the situation it is about, by the explicit engine."""

from __future__ import annotations

from dataclasses import dataclass

from symkripke.engines.explicit import ExplicitEngine
from symkripke.engines.sat import SatEngine
from symkripke.errors import Unsupported
from symkripke.explain import AfterAnnouncement, Combined, Evidence, Known, Possible
from symkripke.model import Scene, announcement
from symkripke.testing.engines import check_links
from symkripke.testing.random_models import BOOLEAN, Names, Seeded, random_formula, random_history

OPERATORS = (*BOOLEAN, "K", "M", "Kw", "Kv", "E", "D", "K", "M", "announced", "announced_true")


@dataclass
class Checked:
    """Counts of the parts of evidence that were checked."""

    explicit: ExplicitEngine
    after: int = 0
    branches: int = 0
    examples: int = 0

    def true(self, scene: Scene, evidence: Evidence) -> None:
        """Check the truth of each part, and that each world is reachable and shows its claim."""
        assert bool(self.explicit.holds(scene, evidence.formula)) is evidence.truth
        match evidence:
            case Combined(_, _, parts):
                for part in parts:
                    self.true(scene, part)
            case Known(others=others) if others is not None and others.example is not None:
                self.examples += 1
                self.true(scene, others.example)
            case Possible():
                self.branches += any(step.origin is not None for step in evidence.worlds)
                check_links(evidence, scene, self.explicit, 0)
            case AfterAnnouncement(_, _, announced, said, reason):
                self.after += 1
                assert bool(self.explicit.holds(scene, announced)) is said
                if said:
                    scene = scene.update(announcement(announced), judge=lambda *_: True)
                self.true(scene, reason)


def test_every_part_of_evidence_is_true() -> None:
    checked = Checked(ExplicitEngine())
    for seed in range(80):
        choices = Seeded(seed)
        scene = random_history(choices, most_events=2, most_fluents=4, most_worlds=64)
        engine = SatEngine()
        for _ in range(4):
            asked = random_formula(choices, Names.of(scene.structure), 4, OPERATORS)
            try:
                answer = engine.holds(scene, asked)
            except Unsupported:
                continue
            evidence = answer.why()
            assert evidence.truth is bool(answer), (seed, str(asked))
            checked.true(scene, evidence)
    assert checked.after >= 10
    assert checked.branches >= 3
    assert checked.examples >= 1
