/** What can be done with a card wherever it is named: beneath the card, once a finger is held on it or by right click. */

import type { VNode } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { type CardAction, ownCardActions } from "./card-actions";
import { cardFacts, hasPage } from "./catalog";
import type { CardId } from "./view-types";

/** Return the lines for a card: what the page offers, the card's own page if it has one, its name and its address. */
export function actionsOf(card: CardId): CardAction[] {
  const own = ownCardActions(card);
  const copies: CardAction = { words: "Copy its name", copies: cardFacts(card).name };
  if (!hasPage(card)) return [...(own ?? []), copies];
  const href = `/cards/${encodeURIComponent(card)}/`;
  return [
    ...(own ?? []),
    { words: "Open its page", href, elsewhere: own !== null },
    copies,
    { words: "Copy the link", copies: new URL(href, location.href).href },
  ];
}

interface CardMenuProps {
  /** The name of the card. */
  name: string;
  actions: readonly CardAction[];
  close(): void;
}

/** The menu; its first line has the focus, arrows go on from there. */
export function CardMenu({ name, actions, close }: CardMenuProps): VNode {
  const menu = useRef<HTMLDivElement>(null);
  const [said, say] = useState<Record<string, string>>({});
  useLayoutEffect(() => lines(menu.current)[0]?.focus({ preventScroll: true }), []);

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === "Escape") return; // closes what the menu is in
    event.stopPropagation(); // no key of the page is meant
    const all = lines(menu.current);
    const at = all.indexOf(document.activeElement as HTMLElement);
    const step = { ArrowDown: 1, ArrowUp: all.length - 1 }[event.key];
    if (step) all[(at + step) % all.length]?.focus();
    else if (event.key === "Tab") close();
    else return;
    event.preventDefault();
  };

  const choose = async ({ words, act, copies }: CardAction): Promise<void> => {
    if (act) {
      close(); // First, so that what is opened now takes the focus from where it was before.
      return act();
    }
    // Not by `copied`: shared with it, all that draws this menu would be loaded with each replay.
    try {
      await navigator.clipboard.writeText(copies ?? "");
      say({ [words]: "Copied" });
    } catch {
      say({ [words]: "That could not be copied" });
    }
  };

  return (
    <div class="card-menu" role="menu" aria-label={name} ref={menu} onKeyDown={onKeyDown}>
      {actions.map((action) =>
        action.href ? (
          <a
            key={action.words}
            role="menuitem"
            tabIndex={-1}
            href={action.href}
            target={action.elsewhere ? "_blank" : undefined}
            onClick={close}
          >
            {action.words}
          </a>
        ) : (
          <button type="button" key={action.words} role="menuitem" tabIndex={-1} onClick={() => void choose(action)}>
            {said[action.words] ?? action.words}
          </button>
        ),
      )}
    </div>
  );
}

const lines = (menu: HTMLElement | null): HTMLElement[] => [
  ...(menu?.querySelectorAll<HTMLElement>("[role=menuitem]") ?? []),
];
