// @vitest-environment happy-dom
// Next, and what comes up in its place: a double tap presses only the first.

import { render } from "preact";
import { act } from "preact/test-utils";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openPage, type Page } from "../fixtures/page-kit";
import { aDecision, anOption, aTable, aView } from "../fixtures/small";
import { SETTINGS } from "../store";
import { createTable } from "../table";
import { NowContext, nowOf } from "../tiles";
import type { ClientMessage } from "../types";
import { type Coach, CoachPanel, createCoach } from "./coach";
import type { Lesson, LessonStep } from "./lesson";

const read = (say: string): LessonStep => ({
  at: 0,
  say,
  point: [],
  option: "",
  quiet: false,
  refused: {},
  notYet: "",
});
const LESSON: Lesson = {
  slug: "first-match",
  title: "Your first match",
  steps: [read("One."), read("Two.")],
  next: { title: "Missions" },
  others: "/play/others/",
};

let page: Page;
let mount: HTMLElement;
let coach: Coach;
beforeEach(() => {
  const view = aView(aDecision([anOption("keep", { text: "Keep this hand" })]));
  page = openPage(view, { lesson: 0 });
  coach = createCoach(page.table, LESSON, "m1", null);
  mount = document.createElement("div");
  document.body.append(mount);
  const now = nowOf(page.table, page.table.store.get(), view, true, { dragged: null } as never);
  act(() =>
    render(
      <NowContext.Provider value={now}>
        <CoachPanel coach={coach} />
      </NowContext.Provider>,
      mount,
    ),
  );
});
afterEach(() => {
  act(() => render(null, mount));
  mount.remove();
  page.close();
});

/** Press the one filled or only button, as a click with this count; return whether the page would go on with it. */
function press(detail: number): boolean {
  const button = mount.querySelector(".coach-actions .button");
  const event = new MouseEvent("click", { detail, bubbles: true, cancelable: true });
  act(() => void button?.dispatchEvent(event));
  return !event.defaultPrevented;
}
const says = (): string => mount.querySelector(".coach-says")?.textContent?.trim() ?? "";

test("the second half of a double tap on Next skips no step", () => {
  press(1);
  press(2);
  expect(says()).toBe("Two.");
  press(1);
  expect(says()).toContain("The lesson is done.");
});

test("nor does it begin the next lesson, whose button comes up once the last step is read", () => {
  press(1);
  press(1);
  expect(mount.querySelector(".coach-actions .button")?.textContent).toContain("Next: Missions");
  expect(press(2)).toBe(false);
  expect(press(1)).toBe(true);
});

test("what is left of a lesson can be hidden, as the match goes on", () => {
  press(1);
  press(1);
  act(() => mount.querySelector<HTMLElement>(".coach-hide")?.click());
  expect(mount.querySelector(".coach")).toBe(null);
});

test("a wrong move made without a line is answered at once, and is not in the way when the line is back", () => {
  const sent: ClientMessage[] = [];
  let asked = 0;
  const table = createTable({
    send: (message) => sent.push(message),
    settings: { ...SETTINGS, autoPass: "never", speed: "off" },
    unseen: 0,
    guard: (message) => {
      asked += 1;
      return message.type === "choose" && message.option === "redraw" ? "Not yet." : null;
    },
  });
  table.lineOpened();
  table.received(aTable(1, aView(aDecision([anOption("keep"), anOption("redraw")])), { lesson: 0 }));
  table.lineLost(400);
  table.choose("redraw");
  expect(table.store.get().pending).toBe(null);
  table.choose("keep");
  sent.length = 0;
  table.lineTried();
  table.lineOpened();
  expect(table.store.get().line).toBe("open");
  expect(sent).toMatchObject([{ type: "hello" }, { type: "choose", option: "keep" }]);
  // What is repeated was judged when it was made: by now the lesson may wait for something else.
  expect(asked).toBe(2);
});
