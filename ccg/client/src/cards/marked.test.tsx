// @vitest-environment happy-dom
import { render } from "preact";
import { beforeEach, describe, expect, test } from "vitest";
import { Marked } from "./marked";
import { markedParts, plainText } from "./marked-text";
import { useTestCards } from "./testing";

function shown(text: string): HTMLElement {
  const root = document.createElement("div");
  render(<Marked text={text} seatClass={(seat) => `seat-${seat}`} />, root);
  return root;
}

beforeEach(useTestCards);

describe("marked text", () => {
  test("is taken apart in order", () => {
    expect(markedParts("[[seat:0|Ana]] plays [[card:T-3|Fire Drill]].")).toEqual([
      { kind: "seat", id: "0", text: "Ana" },
      { kind: "text", text: " plays " },
      { kind: "card", id: "T-3", text: "Fire Drill" },
      { kind: "text", text: "." },
    ]);
  });

  test("without marks is itself", () =>
    expect(markedParts("No marks [here]")).toEqual([{ kind: "text", text: "No marks [here]" }]));

  test("keeps marks that nobody knows as they are", () => {
    expect(plainText("[[script:1|x]] [[card:T-3")).toBe("[[script:1|x]] [[card:T-3");
  });

  test("has words without marks for names and tooltips", () => {
    expect(plainText("2 [[icon:security|security]] for [[card:T-3|Fire Drill]]")).toBe("2 security for Fire Drill");
  });
});

describe("shown marked text", () => {
  test("names cards so that they can be previewed, in the colour of their type", () => {
    const link = shown("[[card:T-3|Fire Drill]]").querySelector("a");
    expect(link?.className).toBe("card-name");
    expect(link?.dataset.card).toBe("T-3");
    expect(link?.dataset.type).toBe("event");
    expect(link?.getAttribute("href")).toBe("/cards/T-3/");
  });

  test("says icons in words", () => {
    expect(shown("[[icon:security|security]]").querySelector("svg")?.getAttribute("aria-label")).toBe("security");
  });

  test("shows the words of an icon that it does not have", () => {
    expect(shown("[[icon:nothing|a word]]").textContent).toBe("a word");
  });

  test("puts the icon of what is done beside its word", () => {
    const root = shown("[[icon:commit|Commit]]: [[icon:ready|ready]] a ship");
    expect(root.textContent).toBe("Commit: ready a ship");
    expect(root.querySelectorAll(".icon-word > svg[aria-hidden]")).toHaveLength(2);
  });

  test("sets traits and keywords apart", () => {
    const root = shown("Your [[trait:Pilot|Pilots]] gain [[keyword:sniper|Sniper]]");
    expect([...root.querySelectorAll("b")].map((word) => word.textContent)).toEqual(["Pilots", "Sniper"]);
  });

  test("says which name is one's own", () => {
    const root = document.createElement("div");
    render(<Marked text="[[seat:0|Ana]] challenges [[seat:1|Bo]]." you={0} />, root);
    expect(root.textContent).toBe("Ana (you) challenges Bo.");
    render(<Marked text="[[seat:0|Ana]] challenges [[seat:1|Bo]]." you={null} />, root);
    expect(root.textContent).toBe("Ana challenges Bo.");
  });

  test("gives seats their colour", () =>
    expect(shown("[[seat:1|Bo]]").querySelector(".seat-1")?.textContent).toBe("Bo"));

  test("never becomes markup", () => {
    const root = shown("<img src=x onerror=alert(1)> [[card:T-3|<b>bold</b>]] [[seat:0|<i>Ana</i>]]");
    expect(root.querySelector("img, b, i")).toBeNull();
    expect(root.textContent).toContain("<b>bold</b>");
  });
});
