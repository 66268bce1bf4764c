"""Models: knowledge structures, scenes, perspectives, and the events that update them."""

from symkripke.model.actions import (
    ABOVE_ALL,
    NOTHING,
    SKIP,
    WHICH,
    ActionModel,
    PossibleEvent,
    Postcondition,
    Sees,
    that,
)
from symkripke.model.beliefs import Beliefs, Soft
from symkripke.model.evaluate import World, evaluate
from symkripke.model.events import (
    Change,
    Constraint,
    Event,
    Likelihood,
    Observable,
    announcement,
    private,
)
from symkripke.model.forgetting import forgetting, forgotten
from symkripke.model.multi_pointed import MultiPointedStructure
from symkripke.model.origin import Origin
from symkripke.model.perspective import Perspective
from symkripke.model.resolution_cache import Fixed
from symkripke.model.scene import EpistemicState, Scene
from symkripke.model.structure import KnowledgeStructure
from symkripke.model.vocabulary import Definition, DerivedFluent, Fluent, Number, Vocabulary

__all__ = [
    "ABOVE_ALL",
    "NOTHING",
    "SKIP",
    "WHICH",
    "ActionModel",
    "Beliefs",
    "Change",
    "Constraint",
    "Definition",
    "DerivedFluent",
    "EpistemicState",
    "Event",
    "Fixed",
    "Fluent",
    "KnowledgeStructure",
    "Likelihood",
    "MultiPointedStructure",
    "Number",
    "Observable",
    "Origin",
    "Perspective",
    "PossibleEvent",
    "Postcondition",
    "Scene",
    "Sees",
    "Soft",
    "Vocabulary",
    "World",
    "announcement",
    "evaluate",
    "forgetting",
    "forgotten",
    "private",
    "that",
]
