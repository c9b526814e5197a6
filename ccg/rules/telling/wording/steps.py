"""Steps as sentences: which steps are told together, and how their parts are joined. Each word tells itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ccg.rules.cards import phrases
from ccg.rules.cards.schema import Step
from ccg.rules.effects.word import OF_THEM, TO_YOU, Clause, Voice, Word
from ccg.rules.telling.wording.describing import Describer


class StepTeller(Describer):
    """Tells what an ability does: a :class:`~ccg.rules.effects.word.Telling` for the words."""

    def clauses(self, steps: Sequence[Step], voice: Voice) -> list[Clause]:
        """Return the clauses for ``steps``, those together that are done to the same thing."""
        clauses: list[Clause] = []
        place = 0
        while place < len(steps):
            end = place + 1
            while end < len(steps) and joined(steps[place], steps[end]):
                end += 1
            first, *more = (step for step in steps[place:end] if isinstance(step, Word))
            clause = first.wording(self, voice, more)
            if clause is not None:
                clauses.append(clause)
            place = end
        return clauses or [Clause(self.say("nothing", *voice))]

    def run(self, steps: Sequence[Step], voice: Voice) -> str:
        """Return ``steps`` as parts of one sentence."""
        return self.listed([clause.text for clause in self.clauses(steps, voice)], "list.then", "list.then")

    def by(self, phrase: str | None, clause: Callable[[Voice], str], voice: Voice) -> Clause:
        """Return what players do: told to the player, or of those whom ``phrase`` names."""
        players = phrases.players(phrase or "you")
        if players.kind == "you":
            return Clause(clause(voice))
        who = self.who(players)
        return Clause(self.say("actor", who=who, clause=clause(OF_THEM)), acts=False)

    def doing(self, steps: Sequence[Step]) -> tuple[str, bool]:
        """Return what somebody named before does, and whether they are the subject of that."""
        clauses = self.clauses(steps, OF_THEM)
        return self.joined(clauses), clauses[0].acts

    def joined(self, clauses: Sequence[Clause]) -> str:
        """Return clauses as one."""
        texts = [clause.text for clause in clauses]
        if all(clause.acts for clause in clauses):
            return self.listed(texts, "list.and")
        return self.listed(texts, "list.then", "list.then")

    def freely(self, steps: Sequence[Step], voice: Voice) -> str:
        """Return what may be done or not."""
        clauses = self.clauses(steps, Voice("do", voice.seen))
        effect = self.listed([clause.text for clause in clauses], "list.then", "list.then")
        return self.tell("may" if clauses[0].acts else "may.other", voice, effect=effect)

    def cost(self, steps: Sequence[Step], voice: Voice = TO_YOU) -> str:
        """Return what is to be done first, all of it together."""
        return self.listed([clause.text for clause in self.clauses(steps, voice)], "list.and")

    def offered(self, cost: Sequence[Step], steps: Sequence[Step], voice: Voice, instead: bool = False) -> str:
        """Return what may be paid, and what is had for it: ``instead`` of what would happen, or beside it.

        What the payer does at once is the purpose of paying ("commit it to draw a card"). What others do, what things
        become and what comes later follows from it; it may even be a drawback.
        """
        speaking = Voice("do", voice.seen)
        paid = self.cost(cost, speaking)
        clauses = self.clauses(steps, speaking)
        key = "may.cost.instead" if instead else "may.cost"
        if clauses[0].later or not clauses[0].acts:
            key = f"{key}.other"
        return self.tell(key, voice, cost=paid, effect=self.joined(clauses))


def joined(first: Step, second: Step) -> bool:
    """Return whether ``second`` does something more to what ``first`` is about, so that both are told together."""
    return isinstance(first, Word) and first.joins(second)
