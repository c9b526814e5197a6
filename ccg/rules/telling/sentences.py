"""Words for people: the sentences of the log, the prompt, and the names of options.

All words are marked text: plain English in which ``[[card:ID|Name]]``, ``[[seat:0|Ana]]``
and ``[[icon:security|security]]`` say what a word stands for. Sentences are whole templates, one a kind,
so that they can be translated.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from string import Formatter

from ccg.rules.core import characteristics
from ccg.rules.core.engine import Engine
from ccg.rules.core.events import Event
from ccg.rules.core.legality import Reason
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
from ccg.rules.telling.wording.abilities import Teller

EVENTS: dict[str, str] = {
    "abandoned": "Nobody has come back to this game.",
    "absent": "{player} was away for too long and leaves the game.",
    "accept": "{player} will defend.",
    "agreed draw": "The players agree on a draw.",
    "arranged": "{player} has arranged the deck of {opponent}.",
    "asset": "{player} plays {card} as an asset.",
    "attack": "Cylon attack: threat level {number} is above the fleet defense level {against}.",
    "boost": "{player} sacrifices {card} from the stack of {target_card}: +1 power.",
    "challenge": "{player} challenges {opponent} with {card}.",
    "challenge threat": "{player} challenges the Cylon threat {target_card} with {card}.",
    "challenge over": "The challenge is over.",
    "changed": "{card} is changed.",
    "chain": "Abilities set each other off too often: for the rest of this phase what they set off sets off no more.",
    "changed power": "{card} gets {signed} power.",
    "changed threat": "{card} gets {signed} Cylon threat.",
    "changed gains": "{card} gains {word}.",
    "changed loses": "{card} loses {word}.",
    "changed cannot": "{card} cannot {word}.",
    "commit": "{card} is committed.",
    "concede": "{player} concedes.",
    "decline": "{player} does not defend.",
    "defeat": "{card} is defeated.",
    "defend": "{player} defends with {card}.",
    "discard": "{player} discards {card}.",
    "draw": "{player} draws {card}.",
    "draw game": "The game is a draw.",
    "enter": "{card} enters play.",
    "event over": "{card} goes to the discard pile.",
    "exchange": "{player} exchanges {target_card} for {card}.",
    "exhaust": "{card} is exhausted.",
    "extra": "{player} takes {number} more.",
    "first": "{player} is first player.",
    "gain": "{player} gains {number} influence.",
    "goes first": "{player} goes first in the next Cylon phase.",
    "jump": "Every threat is a Cylon: the fleet jumps away.",
    "keep": "{player} keeps the opening hand.",
    "link": "{card} is linked to {target_card}.",
    "loop": "{player} goes round in a loop and can only pass for the rest of this phase.",
    "look": "{player} looks at {card} in the deck of {opponent}.",
    "lose": "{player} has lost.",
    "lose influence": "{player} loses {number} influence.",
    "mill": "{player} puts {card} from the deck into the discard pile.",
    "mission over": "{card} goes to the discard pile.",
    "mystic": "{player} reveals {card}: mystic value {number}.",
    "no mystic": "{player} reveals no mystic value.",
    "no attack": "Threat level {number} against a fleet defense level of {against}: no Cylon attack.",
    "out of time": "{player} has run out of time.",
    "overlay": "{card} is put on top of {target_card}.",
    "pass": "{player} passes.",
    "persist": "{card} stays as a persistent mission.",
    "phase ready": "Turn {number}: the ready phase begins.",
    "phase execution": "The execution phase begins.",
    "phase cylon": "The Cylon phase begins.",
    "play": "{player} plays {card}.",
    "put": "{card} goes to its owner: {to}.",
    "ready": "{card} is readied.",
    "red": "The red text of {card} takes effect.",
    "redraw": "{player} draws a new opening hand.",
    "reorder": "{player} puts {card} on top of its unit stack.",
    "reshuffle": "{player} shuffles the discard pile into a new deck.",
    "resolve": "{player} resolves {card}.",
    "restore": "{card} is restored.",
    "reveal": "{player} reveals {card}.",
    "sacrifice": "{player} sacrifices {card}.",
    "search": "{player} takes {card} from the deck.",
    "shuffle": "{player} shuffles the deck.",
    "spend": "{player} spends {card} for {number}.",
    "split": "{card} leaves its unit stack and lies in reserve.",
    "strafe": "The challenger challenges as a {to}.",
    "supply": "{player} puts {card} under {target_card} as a supply card.",
    "take": "{player} moves {card}: {to}.",
    "target": "The target is {card}.",
    "target player": "The target is {player}.",
    "threat": "{player} reveals {card} as a Cylon threat.",
    "threats": "The Cylon threats are revealed.",
    "threat over": "The threat {card} goes to the discard pile.",
    "totals": "{card} has {number} in all, {target_card} has {against}.",
    "totals tie": "{card} and {target_card} have {number} each: a tie, and the challenger wins.",
    "trigger": "{card} has an effect.",
    "use": "{player} uses {card}.",
    "win": "{player} wins the game.",
    "wins": "{card} wins, {number} against {against}.",
    "wins tie": "{card} wins, {number} against {against}: the challenger wins a tie.",
}

PROMPTS: dict[str, str] = {
    "opening_hand": "Keep this opening hand, or draw a new one? You can do so once.",
    "resource_card": "Play one card into your resource area: an asset, or a supply card under a stack.",
    "reorder": "Which card shall lie on top of your unit stacks?",
    "action": "Your action: play a card or an ability, resolve a mission, challenge, or pass.",
    "strafe": "Does your challenger challenge as a personnel or as a ship?",
    "defend": "You are challenged. Undefended you lose {stake} influence. Do you defend, and with whom?",
    "defend sniped": "You are challenged. Undefended you lose {stake} influence. Do you defend? They say with whom.",
    "defend manipulated": "You are challenged. Undefended you lose {stake} influence, or they gain it. Do you defend?",
    "cannot defend": "You are challenged and cannot defend: you lose {stake} influence.",
    "cannot defend manipulated": "You are challenged and cannot defend: you lose {stake} influence, or they gain it.",
    "sniper": "Your opponent defends. Which unit shall be the defender?",
    "effects": "The challenge goes on: play an event or an ability, or pass.",
    "effects undefended": "Nobody defends: {challenged} loses {stake} influence. Play an event or an ability, or pass.",
    "effects undefended you": "Nobody defends: you lose {stake} influence. Play an event or an ability, or pass.",
    "manipulate": "Nobody defends. Gain {stake} influence yourself, instead of {challenged} losing it?",
    "payment": "Pay with your resource stacks.",
    "expedite": "There are resources left over. Add a card with Expedite?",
    "mission_units": "The mission asks for {requirement}. Which of your cards meets it?",
    "jump": "The fleet jumps away. Sacrifice an asset or a supply card.",
    "cylon": "Challenge a Cylon threat to gain {stake} influence, or pass and lose {loss}.",
    "cannot challenge": "You cannot challenge a Cylon threat: you pass and lose {loss} influence.",
    "look": "Which of these cards goes first, as the card says?",
    "take": "Choose the card that goes {moved}.",
    "react": "You can play a card now that can defend.",
    "mystic_value": "Which mystic value counts?",
    "discount": "Which resource becomes cheaper by {number}?",
    "convert": "Which resource does this stack make?",
    "which_supply": "Which supply card do you sacrifice?",
    "choose": "Choose {what}.",
    "may": "Do you use {card}?",
    "may instead": "{subject} would be defeated. Do you use {card} instead?",
    "trigger_order": "Several of your cards have an effect now. Which one first?",
    "discard": "Discard a card from your hand.",
    "search": "Take a card from your deck, or none. The deck is shuffled afterwards.",
}

PROMPTS_OF_CARDS: dict[str, str] = {
    "choose": "{card}: choose {what}.",
    "convert": "{card}: which resource does this stack make?",
    "discard": "{card}: discard a card from your hand.",
    "discount": "{card}: which resource becomes cheaper by {number}?",
    "expedite": "{card}: there are resources left over. Add a card with Expedite?",
    "look": "{card}: which of these cards goes first?",
    "mystic_value": "{card}: which mystic value counts?",
    "search": "{card}: take a card from your deck, or none. The deck is shuffled afterwards.",
    "strafe": "{card}: does it challenge as a personnel or as a ship?",
    "take": "{card}: choose the card that goes {moved}.",
    "which_supply": "{card}: which supply card do you sacrifice?",
}
"""What is asked, where the text of a card asks it."""

CHOSEN: dict[str, str] = {
    "cards": "a card",
    "link": "the unit to which the mission is linked",
    "mode": "which part of the text takes effect",
    "number": "how many, as its text says",
    "pieces": "a card in play",
    "players": "a player",
    "stack": "the unit on which it goes",
    "supplies": "a supply card",
}
"""What is to be chosen, where no phrase of the card says it."""

WAITING: dict[str, str] = {
    "opening_hand": "Waiting for {player} to keep the opening hand or draw a new one.",
    "resource_card": "{player} may play a resource card.",
    "reorder": "{player} may reorder unit stacks.",
    "defend": "{player} decides whether to defend.",
    "cylon": "{player} faces the Cylon threats.",
}

OUTWARDLY: dict[str, str] = {"react": "defend"}
"""What others take a question for that is asked only of who holds a certain card: the one that is asked anyway."""

OPTIONS: dict[str, str] = {
    "keep": "Keep this hand",
    "redraw": "Draw a new hand",
    "asset": "{card} as an asset",
    "supply": "{card} as a supply card under {target}",
    "reorder": "Put {card} on top",
    "play": "Play {card}",
    "use": "Use {piece}",
    "use link": "Use {card} on {piece}",
    "boost": "Sacrifice {card} beneath {piece}: +1 power",
    "resolve": "Resolve {piece}",
    "challenge": "Challenge {player} with {piece}",
    "challenge threat": "Challenge the threat {target} with {piece}",
    "defend": "Defend with {piece}",
    "defend bare": "Defend",
    "decline": "Do not defend",
    "choose": "Choose {piece}",
    "choose card": "Choose {card}",
    "choose word": "{word}",
    "choose supply": "A supply card under {target}",
    "choose nothing": "None of these",
    "choose done": "Done",
    "choose player": "Choose {player}",
    "choose way": "{way}",
    "choose number": "{number}",
    "choose value": "Mystic value {number}",
    "sacrifice": "Sacrifice {piece}",
    "sacrifice card": "Sacrifice {card}",
    "sacrifice supply": "Sacrifice a supply card under {target}",
    "yes": "Yes",
    "no": "No",
    "pay": "Pay with {piece}",
    "pass": "Pass",
}

SACRIFICES = frozenset({"jump", "which_supply"})
"""Questions in which what is chosen is sacrificed."""

REASONS: dict[Reason, str] = {
    "over": "The game is over.",
    "not_your_decision": "{asked}",
    "other_decision": "Something else is asked first: {asked}",
    "cylon_phase": "Going round in the Cylon phase you only challenge Cylon threats, or pass.",
    "loop": "You went round in a loop: you can only pass for the rest of this phase.",
    "in_challenge": "Not during a challenge: only events and abilities are played then.",
    "season": "Only {during}.",
    "cost": "It needs {missing} more.",
    "no_target": "There is no legal target: {what}.",
    "base": "A base is not played.",
    "exhausted": "{card} is exhausted.",
    "not_alert": "{piece} is not alert.",
    "asset": "An asset has no abilities.",
    "unresolved": "{card} must be resolved first.",
    "used": "Once each turn, and it has been used.",
    "ability_cost": "Its cost cannot be paid now: {cost}.",
    "one_mission": "You have resolved your mission of this phase.",
    "requirements": "Missing: {unmet}.",
    "no_link": "There is no {unit} it could be linked to.",
    "vision": "A unit with Vision does not challenge.",
    "vision_defends": "A unit with Vision does not defend.",
    "other_type": "The challenger challenges as a {challenging}: only a {challenging} defends.",
    "forbidden_to_defend": "{source} says that it cannot defend.",
    "forbidden": "{source} says that it cannot challenge.",
    "price": "To challenge costs more than you have: it needs {missing} more.",
}

ANY_TARGET = "something that fits its text"
"""Used where the ability has no phrase for what is to be chosen."""

AMOUNT = "{number} [[icon:{resource}|{resource}]]"
AMOUNT_OF_ANY = "{number} of any resource"
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
        kind, word = _change(event)
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


def _change(event: Event) -> tuple[str, str]:
    """Return the template for a change for a while, and its word: trait, keyword or what is forbidden."""
    kind, _, word = (event.to or "").partition(" ")
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
    if question == "effects":
        if challenge.defended:
            return question
        return "effects undefended you" if seat == challenge.challenged else "effects undefended"
    able = challenge.defended or any(defenders(engine, challenge))
    has = characteristics.keywords(engine, engine.piece(challenge.challenger))
    how = (
        " manipulated"
        if "manipulate" in has
        else " sniped"
        if "sniper" in has and able and not challenge.defended
        else ""
    )
    return ("defend" if able else "cannot defend") + how


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
