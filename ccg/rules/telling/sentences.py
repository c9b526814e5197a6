"""Words for people: the sentences of the log, the prompt, and the names of options.

All words are marked text: plain English in which ``[[card:ID|Name]]``, ``[[seat:0|Ana]]``
and ``[[icon:security|security]]`` say what a word stands for. The sentences themselves are templates
(:mod:`ccg.rules.telling.templates`), whose parts are put into words here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from string import Formatter

from ccg.rules.core import characteristics
from ccg.rules.core.engine import Engine
from ccg.rules.core.events import Event
from ccg.rules.core.options import NO_CARD, NOBODY, Option, Owing
from ccg.rules.core.state import ROLES, CardNumber, Context, SeatNumber, definition_of
from ccg.rules.effects.words.in_play import costs
from ccg.rules.rulebook.challenge import at_stake, defenders, threat_reward
from ccg.rules.rulebook.hidden_cards import AddSupply, Take
from ccg.rules.rulebook.influence import prevented
from ccg.rules.rulebook.payment import OWED
from ccg.rules.rulebook.playing import texts
from ccg.rules.rulebook.resolving import announced
from ccg.rules.telling.refusals import Use
from ccg.rules.telling.templates import (
    AMOUNT,
    AMOUNT_OF_ANY,
    ANY_TARGET,
    CHOSEN,
    EVENTS,
    OPTIONS,
    OUTWARDLY,
    PROMPTS,
    PROMPTS_OF_CARDS,
    REASONS,
    SACRIFICES,
    WAITING,
)
from ccg.rules.telling.wording.abilities import Teller

AND = "list.and"
"""How parts of a sentence are listed (:mod:`ccg.rules.telling.wording.english`)."""


def card_mark(engine: Engine, card: CardNumber) -> str:
    """Return the marked name of a card."""
    return definition_mark(engine, definition_of(card))


def definition_mark(engine: Engine, definition: int) -> str:
    """Return the marked name of the card with this index in the catalogue."""
    return f"[[card:{engine.catalog.ids[definition]}|{engine.catalog.names[definition]}]]"


def seat_mark(engine: Engine, seat: SeatNumber) -> str:
    """Return the marked name of a player."""
    return seat_marked(seat, engine.player(seat).name)


def seat_marked(seat: SeatNumber, name: str) -> str:
    """Return the mark of ``seat`` with this name.

    Players choose their own names, and whoever reads a mark takes it to end at the first closing bracket: a name has
    round ones here, so that it can neither end its mark nor begin another.
    """
    return f"[[seat:{seat}|{name.translate(_NO_MARK)}]]"


_NO_MARK = str.maketrans("[]|", "()¦")


def sentence(engine: Engine, event: Event, viewer: SeatNumber | None) -> str:
    """Tell ``event`` in a sentence as ``viewer`` may know it."""
    kind: str = event.kind
    word = ""
    if kind == "phase":
        kind = f"phase {event.to}"
    elif kind == "challenge" and event.target_card is not None:
        kind = "challenge threat"
    elif kind == "changed":
        kind, word = _change(engine, event)
    elif kind in ("totals", "wins") and event.number == event.against:
        kind = f"{kind} tie"
    card = event.card_for(viewer)
    parts = {
        "word": word,
        "signed": f"{event.number:+}".replace("-", "−") if event.number is not None else "",
        "player": seat_mark(engine, event.player) if event.player is not None else "",
        "opponent": seat_mark(engine, event.opponent) if event.opponent is not None else "",
        "card": card_mark(engine, card) if card is not None else "a card",
        "target_card": card_mark(engine, event.target_card) if event.target_card is not None else "",
        "number": event.number,
        "against": event.against,
        "to": event.to,
    }
    return EVENTS[kind].format_map(parts)


def _change(engine: Engine, event: Event) -> tuple[str, str]:
    """Return the template for a change for a while, and its word: trait, keyword or what cannot be, as cards say it."""
    kind, _, word = (event.to or "").partition(" ")
    if kind == "cannot" and event.card is not None:
        teller = Teller(engine.card(event.card))
        word = teller.say(f"cannot by.{word}", clause=teller.say(f"cannot.{word}"))
    if kind in ("trait", "keyword"):
        return ("changed loses", word[1:]) if word.startswith("-") else ("changed gains", word.capitalize())
    return f"changed {kind}", word


def prompt(engine: Engine, viewer: SeatNumber | None) -> str:
    """Say what is asked: to the player who decides in the second person, to others who is awaited."""
    state, deciding = engine.state, engine.deciding()
    if viewer is not None and viewer in deciding:
        template = PROMPTS_OF_CARDS.get(state.question)
        if template is None or not _is_asked_unnamed(engine):
            template = PROMPTS[_question(engine, viewer)]
        return _filled(template, lambda part: PROMPT_PARTS[part](engine))
    waiting = WAITING.get(question_for_others(engine), "{player} acts.")
    *names, last = [seat_mark(engine, seat) for seat in deciding]
    awaited = waiting.format(player=f"{', '.join(names)} and {last}" if names else last)
    chosen = state.agenda[-1].answer_of(viewer) if viewer is not None else None
    return awaited if chosen is None else f"You have chosen: {option_text(engine, chosen)}. {awaited}"


def question_for_others(engine: Engine) -> str:
    """Return the kind of the decision that is waiting, as those who do not decide may know it.

    Of a half-made move they know only that one is made, and no question tells them what somebody holds.
    """
    state = engine.state
    if state.question == "expedite":
        return "action" if state.challenge is None else "effects"
    if not state.agenda:
        return state.question
    beneath = next(frame for frame in reversed(state.agenda) if not frame.half_made())
    question = beneath.asks if beneath is not state.agenda[-1] else state.question
    return OUTWARDLY.get(question, question)


def _question(engine: Engine, seat: SeatNumber) -> str:
    """Return which prompt asks the question that is waiting: where influence is at stake, the one that tells of it."""
    question, challenge = engine.state.question, engine.state.challenge
    if question == "may":
        return "may instead" if _subject(engine) is not None else question
    if question == "cylon":
        able = any(option.verb == "challenge" for option in engine.state.agenda[-1].options(engine))
        return question if able else "cannot challenge"
    if challenge is None or question not in ("defend", "effects"):
        return question
    if question == "effects" and challenge.defended:
        return question
    has = characteristics.keywords(engine, engine.piece(challenge.challenger))
    manipulated = " manipulated" if "manipulate" in has else ""
    if question == "effects":
        whose = {challenge.challenged: " you", challenge.challenging: " own" if manipulated else ""}
        return "effects undefended" + whose.get(seat, "") + manipulated
    able = challenge.defended or any(defenders(engine, challenge))
    sniped = " sniped" if "sniper" in has and able and not challenge.defended else ""
    return ("defend" if able else "cannot defend") + (manipulated or sniped)


def _filled(template: str, words: Callable[[str], object]) -> str:
    """Return ``template`` with the ``words`` for each part that it has; the others are not put into words."""
    parts = _parts(template)
    return template.format_map({part: words(part) for part in parts}) if parts else template


@cache
def _parts(template: str) -> tuple[str, ...]:
    """Return the names of the parts of ``template``."""
    return tuple({part for _, part, _, _ in Formatter().parse(template) if part})


def _asking_card(engine: Engine) -> str:
    source = engine.asked_by()
    return card_mark(engine, source.card) if source is not None else "this card"


def _discount(engine: Engine) -> int:
    """Return how much is to be taken off one type of what is paid."""
    owing = engine.state.agenda[-1].owing()
    return owing.discount if owing is not None else 0


def _stake(engine: Engine) -> int:
    """Return the influence that may be lost, or that beating a Cylon threat gains."""
    if engine.state.challenge is not None:
        return at_stake(engine, engine.state.challenge)
    return 0 if prevented(engine, 1) else threat_reward(engine)


def _challenged(engine: Engine) -> str:
    challenge = engine.state.challenge
    assert challenge is not None and challenge.challenged is not None
    return seat_mark(engine, challenge.challenged)


def _who_challenges(engine: Engine) -> str:
    challenge = engine.state.challenge
    assert challenge is not None
    return seat_mark(engine, challenge.challenging)


def _subject_mark(engine: Engine) -> str:
    subject = _subject(engine)
    assert subject is not None
    return card_mark(engine, subject)


def _moved(engine: Engine) -> str:
    """Name where the card that is to be chosen lies, and where it goes."""
    frame = engine.state.agenda[-1]
    if isinstance(frame, AddSupply):
        return f"from your hand under {card_mark(engine, engine.piece(frame.under).top)}, as a supply card"
    assert isinstance(frame, Take)
    own = frame.whose == frame.by
    whose, into = "your" if own else f"{seat_mark(engine, frame.whose)}'s", frame.into.replace("of deck", "of the deck")
    return f"from {whose} {frame.source} to {'your' if own and frame.into == 'hand' else 'the'} {into}"


def _requirement(engine: Engine) -> str:
    source, asked = engine.asked_by(), engine.state.agenda[-1].requirement(engine)
    assert asked is not None and source is not None
    return Teller(engine.card(source.card)).units([asked])


def _subject(engine: Engine) -> CardNumber | None:
    """Return the card on top of the piece that the question in front is about; None if it is about none."""
    piece = engine.find(engine.state.agenda[-1].spoken_of(engine))
    return piece.top if piece is not None else None


def _is_asked_unnamed(engine: Engine) -> bool:
    """Return whether a card asks that the chain in front of the question does not name."""
    source = engine.asked_by()
    begun = (frame.announcing() for frame in engine.state.agenda)
    return source is not None and all(context is None or context.card != source.card for context in begun)


def _wanted(engine: Engine) -> str:
    """Name what is to be chosen, as the card says it."""
    frame, source = engine.state.agenda[-1], engine.asked_by()
    choice = frame.choosing(engine)
    if choice is None:
        return CHOSEN[frame.chooses or "pieces"]
    if choice.what is None or source is None:
        return CHOSEN[choice.kind]
    teller = Teller(engine.card(source.card))
    return teller.cards(choice.what) if choice.kind == "cards" else teller.selected(choice.what)


PROMPT_PARTS: dict[str, Callable[[Engine], object]] = {
    "card": _asking_card,
    "number": _discount,
    "what": _wanted,
    "stake": _stake,
    "loss": lambda engine: 0 if prevented(engine, -1) else 1,
    "challenged": _challenged,
    "challenging": _who_challenges,
    "subject": _subject_mark,
    "moved": _moved,
    "requirement": _requirement,
}
"""What stands in prompts for each name of a part."""


def chain(engine: Engine) -> list[str]:
    """Name what has been chosen so far in the half-made move of the player who decides."""
    links = []
    for frame in engine.state.agenda:
        context, owing = frame.announcing(), frame.owing()
        if context is not None:
            links += _announced(engine, context)
        elif owing is not None and any(owing.amounts):
            links.append(f"pay {_owed(owing)}")
    return links


def _owed(owing: Owing) -> str:
    """Name the amounts that are still to be paid."""
    return " and ".join(
        f"{amount} [[icon:{resource}|{resource}]]" if resource != "any" else f"{amount} of any resource"
        for resource, amount in zip(OWED, owing.amounts, strict=True)
        if amount
    )


def _announced(engine: Engine, context: Context) -> list[str]:
    """Name a card being played and what has been chosen for it so far."""
    links = [card_mark(engine, context.card)]
    for choice in announced(engine, context, texts(engine, context.card)):
        for chosen in context.chosen[choice.number] or []:
            piece = engine.find(chosen) if choice.kind == "pieces" else None
            if piece is not None:
                links.append(card_mark(engine, piece.top))
            elif choice.kind == "players":
                links.append(seat_mark(engine, chosen))
    return links


def option_text(engine: Engine, option: Option) -> str:
    """Say what choosing ``option`` does."""
    kind = option.verb
    if kind == "challenge" and option.target:
        kind = "challenge threat"
    elif kind == "defend" and not option.piece:
        kind = "defend bare"
    elif kind == "choose":
        kind = _choice_kind(engine, option)
    elif kind == "use" and option.card != NO_CARD:
        kind = "use link"
    return _filled(OPTIONS[kind], lambda part: OPTION_PARTS[part](engine, option))


def _way(engine: Engine, option: Option) -> str:
    """Return in words the way that ``option`` stands for, of those that the asking card gives; "" if it gives none."""
    source = engine.asked_by()
    ways = Teller(engine.card(source.card)).ways() if source is not None else []
    return ways[option.number - 1] if ways else ""


OPTION_PARTS: dict[str, Callable[[Engine, Option], object]] = {
    "card": lambda engine, option: definition_mark(engine, option.card),
    "piece": lambda engine, option: card_mark(engine, engine.piece(option.piece).top),
    "target": lambda engine, option: card_mark(engine, engine.piece(option.target).top),
    "player": lambda engine, option: seat_mark(engine, option.player),
    "word": lambda engine, option: option.word,
    "number": lambda engine, option: option.number,
    "way": _way,
}
"""What stands in the texts of options for each name of a part."""


def reason(engine: Engine, seat: SeatNumber, use: Use) -> str:
    """Say to the player at ``seat`` why they cannot do ``use`` now."""
    assert use.reason is not None
    parts = _reason_parts(engine, seat, use)
    return _filled(REASONS[use.reason], lambda part: parts[part]())


def _reason_parts(engine: Engine, seat: SeatNumber, use: Use) -> dict[str, Callable[[], object]]:
    card = engine.card(use.card)
    teller = Teller(card)
    return {
        "asked": lambda: prompt(engine, seat),
        "card": lambda: card_mark(engine, use.card),
        "piece": lambda: card_mark(engine, engine.piece(use.option.piece).top),
        "source": lambda: card_mark(engine, use.source) if use.source is not None else "",
        "missing": lambda: teller.listed(_amounts(use.missing), AND),
        "during": lambda: _during(teller, use),
        "cost": lambda: _cost(teller, use),
        "what": lambda: _target(teller, use),
        "challenging": lambda: _challenging(engine, teller),
        "unmet": lambda: teller.units(use.unmet),
        "unit": lambda: teller.noun(card.link or "unit"),
    }


def _during(teller: Teller, use: Use) -> str:
    assert use.ability is not None and use.ability.during is not None
    return teller.conditioned("during", use.ability.during)


def _cost(teller: Teller, use: Use) -> str:
    assert use.ability is not None and use.ability.cost is not None
    return teller.cost(costs(use.ability.cost))


def _target(teller: Teller, use: Use) -> str:
    if use.what is None:
        return ANY_TARGET
    return teller.cards(use.what) if use.outside else teller.selected(use.what)


def _challenging(engine: Engine, teller: Teller) -> str:
    assert engine.state.challenge is not None
    return teller.noun(ROLES[engine.state.challenge.role])


def _amounts(amounts: Sequence[int]) -> list[str]:
    return [
        AMOUNT_OF_ANY.format(number=number) if kind == "any" else AMOUNT.format(number=number, resource=kind)
        for kind, number in zip(OWED, amounts, strict=False)
        if number
    ]


def _choice_kind(engine: Engine, option: Option) -> str:
    if engine.state.question in SACRIFICES:
        return f"sacrifice {option.word}" if option.word else "sacrifice" if option.piece else "sacrifice card"
    if option.word in ("nothing", "supply", "done"):
        return f"choose {option.word}"
    if option.player != NOBODY:
        return "choose player"
    if option.number >= 0:
        if engine.state.question == "mystic_value":
            return "choose value"
        return "choose way" if _way(engine, option) else "choose number"
    if option.word:
        return "choose word"
    return "choose card" if option.card != NO_CARD else "choose"
