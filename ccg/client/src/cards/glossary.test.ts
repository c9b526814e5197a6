import { expect, test } from "vitest";
import meanings from "../../../../cards_data/keywords.json";
import terms from "../../../../docs/rules/glossary.json";
import { glossaryOf } from "./glossary";

const glossary = glossaryOf(terms);
const found = (text: string, everyday = true): string[] =>
  glossary.parts(text, everyday).flatMap(({ text: words, term }) => (term ? [`${words}=${term.word}`] : []));

test("a text is taken apart at its terms, and is whole again", () => {
  const text = "The threat level is above the fleet defense level: Cylon attack!";
  expect(found(text)).toEqual([
    "threat level=threat level",
    "fleet defense level=fleet defense level",
    "Cylon attack=Cylon attack",
  ]);
  expect(
    glossary
      .parts(text)
      .map((part) => part.text)
      .join(""),
  ).toBe(text);
});

test("other forms are known, parts of words are not", () => {
  expect(found("Readied units were committed.")).toEqual(["Readied=ready", "units=unit", "committed=commit"]);
  expect(found("already, unitary, passenger, ship-to-ship")).toEqual([]);
});

test("words of every day are left alone where the game is not spoken of", () => {
  expect(found("Pass the link to a friend; your mystic value is high.", false)).toEqual(["mystic value=mystic value"]);
});

test("every keyword of the cards is a word", () => {
  for (const keyword of Object.keys(meanings)) expect(glossary.find(keyword)?.word).toBe(keyword);
});
