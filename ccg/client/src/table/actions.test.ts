import { describe, expect, test } from "vitest";
import * as actions from "./actions";
import { passesAlone } from "./auto-pass";
import { aDecision, anEvent, anOption, aPiece, aPlayer, aTable, aView } from "./fixtures/small";
import { emptyTable, mayChoose, type TableState } from "./store";
import type { ServerMessage, View } from "./types";

const pass = anOption("pass");
const play = anOption("play BSG1-027", { card: "BSG1-027" });
const mine = (more: Partial<View> = {}) =>
  aView(aDecision([play, pass]), { players: [aPlayer(0, { hand_cards: ["BSG1-027"] }), aPlayer(1)], ...more });
const theirs = aView(aDecision([], { seat: 1 }));

let ids = 0;
const stamp = (now = 0) => ({ id: `a${++ids}`, now });

/** Feed messages one after another, showing every frame at once. */
function fed(state: TableState, ...messages: ServerMessage[]): TableState {
  let now = state;
  for (const message of messages) {
    now = actions.messageReceived(now, message).state;
    while (now.queue.length > 0) now = actions.frameShown(now).state;
  }
  return now;
}

const open = () => actions.lineOpened(emptyTable(), 0).state;
const seated = (view: View = mine(), version = 5) => fed(open(), aTable(version, view, { since: 0 }));

describe("connecting", () => {
  test("asks for everything the first time", () => {
    expect(actions.lineOpened(emptyTable(), 0).send).toEqual([{ type: "hello", since: null }]);
  });

  test("asks from the last known version after a loss", () => {
    const lost = actions.lineLost(seated(), 900).state;
    expect(lost.line).toBe("lost");
    expect(actions.lineOpened(lost, 0).send).toEqual([{ type: "hello", since: 5 }]);
  });

  test("repeats an unanswered choice with the same id", () => {
    const chosen = actions.optionChosen(seated(), "play BSG1-027", { id: "x1", now: 0 });
    expect(chosen.send).toEqual([{ type: "choose", id: "x1", version: 5, option: "play BSG1-027" }]);
    const back = actions.lineOpened(actions.lineLost(chosen.state, 0).state, 0);
    expect(back.send[1]).toEqual(chosen.send[0]);
  });

  test("a choice made while the line is down is sent when it is up again", () => {
    const down = actions.lineLost(seated(), 0).state;
    const chosen = actions.optionChosen(down, "pass", stamp());
    expect(chosen.send).toEqual([]);
    expect(actions.lineOpened(chosen.state, 0).send).toHaveLength(2);
  });

  test("repeats after a silence too", () => {
    const chosen = actions.optionChosen(seated(), "pass", { id: "x2", now: 1000 }).state;
    expect(actions.clockTicked(chosen, 2000).send).toEqual([]);
    expect(actions.clockTicked(chosen, 9000).send).toEqual([{ type: "choose", id: "x2", version: 5, option: "pass" }]);
  });
});

describe("what the server says", () => {
  test("the next version is queued, then shown", () => {
    const got = actions.messageReceived(seated(), aTable(6, theirs)).state;
    expect(got).toMatchObject({ version: 5, received: 6 });
    expect(got.queue).toHaveLength(1);
    expect(actions.frameShown(got).state).toMatchObject({ version: 6, view: theirs });
  });

  test("the same push twice changes nothing", () => {
    const once = fed(seated(), aTable(6, theirs));
    const twice = fed(once, aTable(6, theirs));
    expect(twice.version).toBe(6);
    expect(twice.log).toEqual(once.log);
  });

  test("an older push is left aside", () => {
    const now = fed(seated(), aTable(6, theirs), aTable(5, mine()));
    expect(now).toMatchObject({ version: 6, view: theirs });
  });

  test("after a gap it asks instead of guessing", () => {
    const step = actions.messageReceived(seated(), aTable(8, theirs));
    expect(step.send).toEqual([{ type: "hello", since: 5 }]);
    expect(step.state.version).toBe(5);
  });

  test("an answer that leaves something out is taken as it is", () => {
    const asked = actions.messageReceived(seated(), aTable(300, theirs)).state;
    const now = fed(asked, aTable(300, theirs, { since: 200 }));
    expect(now).toMatchObject({ version: 300, asked: false });
  });

  test("an answer that covers several versions fills the log without doubles", () => {
    const events = [5, 6, 7].map((version) => ({ version, events: aTable(version, theirs).events[0]?.events ?? [] }));
    const now = fed(seated(), aTable(7, theirs, { since: 4, events }));
    expect(now.log.map((line) => line.id)).toEqual(["5.0", "6.0", "7.0"]);
  });

  test("a heartbeat with a newer version asks, once", () => {
    const beat: ServerMessage = {
      type: "heartbeat",
      version: 7,
      present: [0],
      rematch: null,
      onlookers: 0,
      clocks: null,
      absent: [],
    };
    const step = actions.messageReceived(seated(), beat);
    expect(step.send).toEqual([{ type: "hello", since: 5 }]);
    expect(step.state.present).toEqual([0]);
    expect(actions.messageReceived(step.state, beat).send).toEqual([]);
  });
});

describe("choosing", () => {
  test("only for the own seat, only what is offered, only once", () => {
    expect(actions.optionChosen(seated(theirs), "pass", stamp()).send).toEqual([]);
    expect(actions.optionChosen(seated(), "play BSG1-999", stamp()).send).toEqual([]);
    const chosen = actions.optionChosen(seated(), "pass", stamp());
    expect(actions.optionChosen(chosen.state, "pass", stamp()).send).toEqual([]);
  });

  test("not on a table that has newer frames to show", () => {
    const got = actions.messageReceived(seated(), aTable(6, mine())).state;
    expect(actions.optionChosen(got, "pass", stamp()).send).toEqual([]);
  });

  test("a choice is done when it is accepted and its outcome is shown, in either order", () => {
    const chosen = actions.optionChosen(seated(), "pass", { id: "y1", now: 0 }).state;
    const accepted: ServerMessage = { type: "accepted", id: "y1", version: 6 };
    expect(fed(chosen, accepted).pending).not.toBeNull();
    expect(fed(chosen, accepted, aTable(6, theirs)).pending).toBeNull();
    expect(fed(chosen, aTable(6, theirs), accepted).pending).toBeNull();
  });

  test("if the outcome does not come it asks for it", () => {
    const chosen = actions.optionChosen(seated(), "pass", { id: "y2", now: 0 }).state;
    const waiting = fed(chosen, { type: "accepted", id: "y2", version: 6 });
    expect(actions.clockTicked(waiting, 7000).send).toEqual([{ type: "hello", since: 5 }]);
  });

  test("too late: says so plainly and looks at the table again", () => {
    const chosen = actions.optionChosen(seated(), "pass", { id: "y3", now: 0 }).state;
    const refused: ServerMessage = { type: "refused", id: "y3", code: "late", message: "Late.", version: 6 };
    const step = actions.messageReceived(chosen, refused);
    expect(step.state.notice?.text).toContain("the table has moved on");
    expect(step.state.pending).toBeNull();
    expect(step.send).toEqual([{ type: "hello", since: 5 }]);
  });

  test("wrong: shows the server's sentence", () => {
    const chosen = actions.optionChosen(seated(), "pass", { id: "y4", now: 0 }).state;
    const message = "That option is not offered.";
    const step = actions.messageReceived(chosen, {
      type: "refused",
      id: "y4",
      code: "not_offered",
      message,
      version: 5,
    });
    expect(step.state.notice).toEqual({ tone: "bad", text: message });
    expect(step.send).toEqual([]);
  });

  test("busy: the same choice goes out again later", () => {
    const chosen = actions.optionChosen(seated(), "pass", { id: "y5", now: 0 }).state;
    const busy = fed(chosen, { type: "refused", id: "y5", code: "busy", message: "Busy.", version: 5 });
    expect(busy.pending?.id).toBe("y5");
    expect(actions.clockTicked(busy, 7000).send).toMatchObject([{ id: "y5" }]);
  });

  test("the database is away: the choice stays, and the next heartbeat ends the notice", () => {
    const chosen = actions.optionChosen(seated(), "pass", { id: "y7", now: 0 }).state;
    const away = fed(chosen, { type: "refused", id: "y7", code: "unavailable", message: "Away.", version: 5 });
    expect(away.notice?.text).toBe("Away.");
    expect(actions.clockTicked(away, 7000).send).toMatchObject([{ id: "y7" }]);
    const beat: ServerMessage = {
      type: "heartbeat",
      version: 5,
      present: [0],
      rematch: null,
      onlookers: 0,
      clocks: null,
      absent: [],
    };
    expect(fed(away, beat).notice).toBeNull();
  });

  test.each([
    ["the database is away", "unavailable"],
    ["the server is busy", "busy"],
    ["too much was asked for", "too_fast"],
  ] as const)("%s when the table is asked for: the next heartbeat asks again", (_, code) => {
    const asked = actions.lineOpened(seated(), 0).state;
    const refused = actions.messageReceived(asked, {
      type: "refused",
      id: null,
      code,
      message: "Not now.",
      version: 6,
    });
    expect(refused.send, "at once it would be refused again").toEqual([]);
    const away = refused.state;
    const beat: ServerMessage = {
      type: "heartbeat",
      version: 6,
      present: [0],
      rematch: null,
      onlookers: 0,
      clocks: null,
      absent: [],
    };
    expect(actions.messageReceived(away, beat).send).toEqual([{ type: "hello", since: 5 }]);
  });

  test("nothing can be saved: the choice is turned down, and the reason shown", () => {
    const chosen = actions.optionChosen(seated(), "pass", { id: "y8", now: 0 }).state;
    const full = fed(chosen, { type: "refused", id: "y8", code: "cannot_save", message: "Full.", version: 5 });
    expect(full.pending).toBeNull();
    expect(full.notice).toEqual({ tone: "bad", text: "Full." });
  });

  test("signed out: the close that follows is told, or another session goes on as if nothing had been", () => {
    const chosen = actions.optionChosen(seated(), "pass", { id: "y9", now: 0 }).state;
    const told = fed(chosen, { type: "refused", id: null, code: "logged_out", message: "Out.", version: 5 });
    expect([told.notice, told.pending?.id]).toEqual([null, "y9"]);
  });

  test("an update has ended the match: the reason stays, and nothing can be chosen or is sent again", () => {
    const chosen = actions.optionChosen(seated(), "pass", { id: "y9", now: 0 }).state;
    const beat: ServerMessage = {
      type: "heartbeat",
      version: 5,
      present: [0],
      rematch: null,
      onlookers: 0,
      clocks: null,
      absent: [],
    };
    const old = fed(
      chosen,
      { type: "refused", id: null, code: "outdated", message: "Too old.", version: 0 },
      { type: "refused", id: "y9", code: "over", message: "The match is over.", version: 5 },
      beat,
    );
    expect(old.notice).toEqual({ tone: "bad", text: "Too old." });
    expect(old.line).toBe("ended");
    expect(mayChoose(old)).toBe(false);
    expect(passesAlone({ ...old, settings: { ...old.settings, autoPass: "alone" } })).toBe(false);
    expect(actions.clockTicked(old, 60_000).send).toEqual([]);
  });

  test("an answer to another tab's choice is not ours", () => {
    const chosen = actions.optionChosen(seated(), "pass", { id: "y6", now: 0 }).state;
    const other = fed(chosen, { type: "refused", id: "zz", code: "late", message: "Late.", version: 6 });
    expect(other).toBe(chosen);
  });
});

describe("half-made choices", () => {
  const challenges = [
    anOption("challenge 12 p1", { piece: 12, player: 1 }),
    anOption("challenge 12 p2", { piece: 12, player: 2 }),
  ];
  const three = aView(aDecision(challenges, { can_take_back: true }), {
    players: [aPlayer(0, { alert: [aPiece(12)] }), aPlayer(1), aPlayer(2)],
  });

  test("two clicks choose", () => {
    const first = actions.thingClicked(seated(three), "piece:12", stamp());
    expect(first.send).toEqual([]);
    const second = actions.thingClicked(first.state, "seat:2", stamp());
    expect(second.send).toMatchObject([{ option: "challenge 12 p2" }]);
  });

  test("Escape forgets the click first, then takes back the move", () => {
    const first = actions.thingClicked(seated(three), "piece:12", stamp()).state;
    const once = actions.escaped(first, stamp());
    expect(once.state.picked).toEqual([]);
    expect(once.send).toEqual([]);
    expect(actions.escaped(once.state, stamp()).send).toMatchObject([{ type: "back", version: 5 }]);
  });

  test("a new version forgets the click", () => {
    const first = actions.thingClicked(seated(three), "piece:12", stamp()).state;
    expect(fed(first, aTable(6, three)).picked).toEqual([]);
  });
});

describe("paying as proposed", () => {
  const payment = (proposal: string[], ...keys: string[]) =>
    aView(
      aDecision(
        keys.map((key) => anOption(key, { piece: Number(key.split(" ")[1]) })),
        { kind: "payment", proposal, can_take_back: true },
      ),
    );

  test("spends one stack after another as the table moves on", () => {
    const start = seated(payment(["pay 3", "pay 7"], "pay 3", "pay 5", "pay 7"));
    const agreed = actions.paymentAgreed(start, { id: "p1", now: 0 });
    expect(agreed.send).toMatchObject([{ option: "pay 3" }]);
    const next = fed(
      agreed.state,
      { type: "accepted", id: "p1", version: 6 },
      aTable(6, payment(["pay 7"], "pay 5", "pay 7")),
    );
    const second = actions.followed(next, stamp());
    expect(second.send).toMatchObject([{ option: "pay 7", version: 6 }]);
    expect(second.state.payment).toEqual([]);
  });

  test("stops when the next stack is not offered any more", () => {
    const agreed = actions.paymentAgreed(seated(payment(["pay 3", "pay 7"], "pay 3", "pay 7")), { id: "p2", now: 0 });
    const next = fed(agreed.state, { type: "accepted", id: "p2", version: 6 }, aTable(6, payment(["pay 5"], "pay 5")));
    const step = actions.followed(next, stamp());
    expect(step.send).toEqual([]);
    expect(step.state.payment).toEqual([]);
  });

  test("forgets the rest once the payment is over", () => {
    const agreed = actions.paymentAgreed(seated(payment(["pay 3", "pay 7"], "pay 3", "pay 7")), { id: "p3", now: 0 });
    expect(fed(agreed.state, { type: "accepted", id: "p3", version: 6 }, aTable(6, mine())).payment).toEqual([]);
  });
});

describe("passing by itself", () => {
  test("only when set and nothing else is possible", () => {
    const alone = seated(aView(aDecision([pass])));
    expect(actions.passedAlone(alone, stamp()).send).toMatchObject([{ option: "pass" }]);
    expect(actions.passedAlone(seated(), stamp()).send).toEqual([]);
    expect(actions.passedAlone(alone, stamp()).state.notice?.text).toBe("Passed for you: nothing else was possible.");
    const helping = seated(aView(aDecision([{ ...play, helps_opponent: true }, pass])));
    const said = "Passed for you: all else would only have helped an opponent.";
    expect(actions.passedAlone(helping, stamp()).state.notice?.text).toBe(said);
    const never = actions.settingsChanged(alone, { autoPass: "never" }).state;
    expect(actions.passedAlone(never, stamp()).send).toEqual([]);
  });
});

describe("passing for a while", () => {
  const ordered = (until: "event" | "phase", view = mine()) => actions.passOrdered(seated(view), until).state;

  test("passes although something else is possible, and says so", () => {
    const step = actions.passedAlone(ordered("event"), stamp());
    expect(step.send).toMatchObject([{ option: "pass" }]);
    expect(step.state.notice?.text).toBe("Passed for you, until something happens.");
  });

  test("never where passing has a price, or where the player always stops", () => {
    const order = ordered("phase");
    const cylon = { ...order, view: aView(aDecision([play, pass], { kind: "cylon" })) };
    expect(actions.passedAlone(cylon, stamp()).send).toEqual([]);
    const stops = actions.settingsChanged(order, { stops: ["action"] }).state;
    expect(actions.passedAlone(stops, stamp()).send).toEqual([]);
    const only = seated(aView(aDecision([pass])));
    expect(actions.passedAlone(actions.settingsChanged(only, { stops: ["action"] }).state, stamp()).send).toEqual([]);
  });

  test("ends when somebody does something; the end of the phase ends both", () => {
    const happens = (state: TableState, kind: string, player = 1, view = mine()) =>
      fed(state, aTable(6, view, { events: [{ version: 6, events: [anEvent("It.", { kind, player })] }] })).passOrder;
    expect(happens(ordered("event"), "pass")).not.toBeNull();
    expect(happens(ordered("event"), "play")).toBeNull();
    expect(happens(ordered("event"), "play", 0)).not.toBeNull();
    expect(happens(ordered("event"), "lose influence", 0)).toBeNull();
    expect(happens(ordered("phase"), "play")).not.toBeNull();
    expect(happens(ordered("phase"), "phase", 1, { ...mine(), phase: "cylon" })).toBeNull();
  });

  test("who does something wants to pass no more", () => {
    const state = actions.optionChosen(ordered("phase"), "play BSG1-027", stamp()).state;
    expect(state.passOrder).toBeNull();
    expect(actions.passOrdered(ordered("phase"), null).state.passOrder).toBeNull();
  });
});

describe("asking a second time", () => {
  const careful = () => actions.settingsChanged(seated(), { confirm: ["pass", "play"] }).state;

  test("the first choice asks, the same again is sent", () => {
    const asked = actions.optionChosen(careful(), "pass", stamp());
    expect(asked.send).toEqual([]);
    expect(asked.state.notice?.text).toMatch(/still something you could do/);
    expect(actions.optionChosen(asked.state, "pass", stamp()).send).toMatchObject([{ option: "pass" }]);
    expect(actions.optionChosen(asked.state, "play BSG1-027", stamp()).send).toEqual([]);
  });

  test("passing is not asked about where nothing else is possible", () => {
    const alone = actions.settingsChanged(seated(aView(aDecision([pass]))), { confirm: ["pass"] }).state;
    expect(actions.optionChosen(alone, "pass", stamp()).send).toMatchObject([{ option: "pass" }]);
  });

  test("what the table does by itself is not asked about", () => {
    const order = actions.passOrdered(careful(), "phase").state;
    expect(actions.passedAlone(order, stamp()).send).toMatchObject([{ option: "pass" }]);
  });
});

describe("the end", () => {
  test("opens the result once", () => {
    const over = aView(null, { result: { winners: [0], losers: [1], reason: "influence" } });
    const now = fed(seated(), aTable(6, over, { over: true }));
    expect(now.dialog).toEqual({ kind: "over" });
    expect(actions.conceded(now, stamp()).send).toEqual([]);
  });

  test("conceding needs no version", () => {
    expect(actions.conceded(seated(theirs), { id: "c1", now: 0 }).send).toEqual([{ type: "concede", id: "c1" }]);
  });
});
