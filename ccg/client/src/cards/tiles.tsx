/** Cards as they lie on the table: tiles of the board and the hand, resource stacks, backs, ghosts. */

import type { ComponentChildren, Ref, VNode } from "preact";
import { cardFacts, useCard, useCatalog } from "./catalog";
import { describeCard, describePiece } from "./describe";
import { type CardFacts, headOf, requirementWords } from "./facts";
import { fitText } from "./fit";
import { Emblem, Icon } from "./icons";
import { Picture } from "./Picture";
import { CostTabs, PowerShield, Stat } from "./parts";
import type { CardId, PieceView } from "./view-types";

/** How a tile stands in what is going on; what the piece itself knows (exhausted, links) is not repeated here. */
export interface TileState {
  /** It can be clicked now: lamp glow and corner ticks. */
  choosable?: boolean;
  /** It has been clicked in this half-made move: solid lamp line and a check. */
  chosen?: boolean;
  /** Part of a proposal (a stack that would pay): ticks without glow. */
  proposed?: boolean;
  /** What is being dragged may be dropped on it. */
  droppable?: boolean;
  /** Its text asks what is to be chosen. */
  asking?: boolean;
  challenging?: boolean;
  defending?: boolean;
  /** It has just changed: outlined for a moment where movement is off. */
  changed?: boolean;
  /** It cannot be played now; still fully readable. */
  quiet?: boolean;
}

export interface TileProps {
  state?: TileState;
  onClick?: (event: MouseEvent) => void;
  /** The accessible name, in place of the sentence made from the facts. */
  label?: string;
  /** Where it lies, for the accessible name: "alert", "reserve". */
  place?: string;
  /** What the accessible name ends with: "can challenge". */
  says?: readonly string[];
  /** Words on a tab above the tile, such as "Pays 2 · 1 left"; challenging and defending bring their own. */
  tag?: string;
  tabIndex?: number;
  tileRef?: Ref<HTMLElement>;
  id?: string;
  class?: string;
  /** `data-` attributes, for finding the tile again. */
  data?: Record<string, string | number>;
}

const STATES: readonly (keyof TileState)[] = [
  "choosable",
  "chosen",
  "proposed",
  "droppable",
  "asking",
  "challenging",
  "defending",
  "changed",
  "quiet",
];

const stateClasses = (state: TileState): string =>
  STATES.filter((one) => state[one])
    .map((one) => `is-${one}`)
    .join(" ");

interface ShellProps extends TileProps {
  kind: string;
  name: string;
  card?: CardId;
  children: ComponentChildren;
}

/** The unclipped outside of every tile: button if it can be clicked, glow, ticks, tag, check. */
function TileShell(props: ShellProps): VNode {
  const { kind, name, card, state = {}, onClick, tag, tabIndex, tileRef, id, data = {}, children } = props;
  const words = tag ?? (state.challenging ? "Challenging" : undefined);
  const attributes = {
    id,
    class: `tile ${kind} ${stateClasses(state)} ${props.class ?? ""}`,
    "data-card": card,
    ...Object.fromEntries(Object.entries(data).map(([key, value]) => [`data-${key}`, value])),
  };
  const inside = (
    <>
      <span class="tile-glow" />
      {children}
      {words && <span class="tile-tag">{words}</span>}
      {state.defending && !tag && (
        <span class="tile-tag tile-tag-defend">
          <Icon name="defend" size={11} /> Defending
        </span>
      )}
      {state.chosen && (
        <span class="tile-check">
          <Icon name="check" size={14} />
        </span>
      )}
      <span class="tile-ticks" />
    </>
  );
  if (onClick) {
    return (
      <button
        type="button"
        ref={tileRef as Ref<HTMLButtonElement>}
        aria-label={name}
        aria-pressed={state.chosen ? true : undefined}
        tabIndex={tabIndex}
        onClick={onClick}
        {...attributes}
      >
        {inside}
      </button>
    );
  }
  return (
    <div ref={tileRef as Ref<HTMLDivElement>} role="img" aria-label={name} tabIndex={tabIndex} {...attributes}>
      {inside}
    </div>
  );
}

export interface BoardTileProps extends TileProps {
  piece: PieceView;
}

/** A unit, mission or Cylon threat in play: 96 × 112, or what --tile-width and --tile-height say. */
export function BoardTile({ piece, ...tile }: BoardTileProps): VNode {
  const card = useCard(piece.card);
  const name = tile.label ?? describePiece(piece, tile.place, tile.says);
  const kind = [
    "tile-board",
    `type-${card.type}`,
    piece.exhausted && "is-exhausted",
    piece.role === "threat" && "is-threat",
    piece.links.length > 0 && "has-link",
    piece.beneath.length > 0 && "is-stacked",
  ];
  const under = Math.min(piece.beneath.length, 3);
  return (
    <TileShell {...tile} kind={kind.filter(Boolean).join(" ")} name={name} card={piece.card}>
      {Array.from({ length: under }, (_, depth) => (
        <span class={`tile-under tile-under-${under - depth}`} key={`under${under - depth}`} />
      ))}
      <span class="tile-frame">
        <span class="tile-plate">
          {piece.exhausted ? <ExhaustedFace /> : <OpenFace piece={piece} card={card} />}
          <TileName card={card} />
          <span class="card-stripe" />
        </span>
      </span>
      {piece.beneath.length > 0 && <span class="tile-count">×{piece.beneath.length + 1}</span>}
      {piece.links.length > 0 && <LinkTabs links={piece.links} />}
    </TileShell>
  );
}

/** The name, at a size for tiles as wide as usual and one for narrow ones; the style sheet picks by the tile. */
function TileName({ card, large = false }: { card: CardFacts; large?: boolean }): VNode {
  const head = headOf(card);
  const face = { capitals: true, tracking: 0.02 };
  const usual = large
    ? fitText(
        head,
        102,
        [
          [15, 1],
          [13.5, 2],
          [12, 2],
          [11, 3],
        ],
        face,
      )
    : fitText(
        head,
        72,
        [
          [12, 1],
          [11, 2],
          [10, 2],
          [9.5, 3],
        ],
        face,
      );
  const narrow = large
    ? fitText(
        head,
        54,
        [
          [12, 2],
          [11, 2],
          [10, 3],
          [9, 3],
        ],
        face,
      )
    : fitText(
        head,
        55,
        [
          [10.5, 2],
          [9.5, 2],
          [9, 2],
          [8.5, 3],
        ],
        face,
      );
  return (
    <span class="tile-name" style={{ "--size-usual": `${usual.size}px`, "--size-narrow": `${narrow.size}px` }}>
      {head}
    </span>
  );
}

function OpenFace({ piece, card }: { piece: PieceView; card: CardFacts }): VNode {
  const unit = piece.role === "personnel" || piece.role === "ship";
  return (
    <>
      <span class="tile-picture">
        <Picture card={card} />
      </span>
      {piece.role === "mission" && card.requires.length > 0 ? (
        <span class="tile-needs">
          <span class="tile-needs-word">Needs </span>
          {requirementWords(card.requires)}
        </span>
      ) : (
        <span class="tile-traits">{piece.traits.join(" ")}</span>
      )}
      <span class="tile-bar" />
      {piece.role === "threat" && (
        <span class="threat-power" title={`Cylon threat, power ${piece.power}`}>
          <Icon name="threat" size={16} />
          <b>{piece.power}</b>
        </span>
      )}
      {unit && <PowerShield value={piece.power} printed={card.power} size={30} />}
      {!unit && piece.role !== "threat" && <Icon name={card.type} size={17} class="tile-type" />}
      {piece.pending && <PendingMark />}
      <span class="tile-stats">
        {card.mystic !== null && <Stat name="mystic" value={piece.mystic} printed={card.mystic} icon={12} />}
        {card.threat !== null && piece.role !== "threat" && (
          <Stat name="threat" value={piece.threat} printed={card.threat} icon={15} />
        )}
      </span>
    </>
  );
}

function PendingMark(): VNode {
  return (
    <span class="tile-pending" title="Ability not yet played">
      <Icon name="pending" size={12} />
    </span>
  );
}

function ExhaustedFace(): VNode {
  return (
    <>
      <span class="tile-back">
        <Emblem size={40} />
      </span>
      <span class="tile-bar" />
      <span class="tile-stats tile-exhausted-word">
        <Icon name="exhaust" size={14} /> Exhausted
      </span>
    </>
  );
}

function LinkTabs({ links }: { links: PieceView["links"] }): VNode {
  return (
    <span class="tile-links">
      {links.map((link, place) => (
        <span class="tile-link" data-card={link.card} key={`${link.card}${place}`}>
          <Icon name="link" size={11} /> {headOf(cardFacts(link.card))}
        </span>
      ))}
    </span>
  );
}

export interface HandTileProps extends TileProps {
  card: CardId | CardFacts;
  /** By how much of one resource it costs less than printed. */
  cheaper?: number;
}

/** A card in hand: the same tile at 128 × 150, with its cost. */
export function HandTile({ card, cheaper = 0, ...tile }: HandTileProps): VNode {
  const facts = useCard(card);
  const less = cheaper > 0 ? [`costs ${cheaper} of one resource less now`] : [];
  const name = tile.label ?? describeCard(facts, [...less, ...(tile.says ?? [])]);
  return (
    <TileShell {...tile} kind={`tile-hand type-${facts.type}`} name={name} card={facts.id}>
      <span class="tile-frame">
        <span class="tile-plate">
          <span class="tile-picture">
            <Picture card={facts} />
          </span>
          <span class="tile-traits">{facts.traits.join(" ")}</span>
          <span class="tile-bar" />
          {facts.power !== null ? (
            <PowerShield value={facts.power} size={30} />
          ) : (
            <Icon name={facts.type} size={17} class="tile-type" />
          )}
          {facts.pending && <PendingMark />}
          <span class="tile-stats">
            {facts.produces && (
              <Icon
                name={facts.produces}
                size={15}
                class={`icon-${facts.produces}`}
                label={`Makes ${facts.produces}`}
              />
            )}
            {facts.mystic !== null && <Stat name="mystic" value={facts.mystic} icon={12} />}
            {facts.threat !== null && <Stat name="threat" value={facts.threat} icon={15} />}
          </span>
          <TileName card={facts} large />
          <span class="card-stripe" />
          <CostTabs cost={facts.cost} icon={15} cheaper={cheaper} />
        </span>
      </span>
    </TileShell>
  );
}

export interface ResourceStackProps extends TileProps {
  piece: PieceView;
}

/** A base or asset with its supply cards: what it makes now, and a slab for each supply card. */
export function ResourceStack({ piece, ...tile }: ResourceStackProps): VNode {
  const card = useCard(piece.card);
  const name = tile.label ?? describePiece(piece, tile.place, tile.says);
  const fit = fitText(
    headOf(card),
    66,
    [
      [10.5, 2],
      [9.5, 2],
      [8.5, 3],
    ],
    { capitals: true, tracking: 0.02 },
  );
  const shown = Math.min(piece.supplies, 5);
  return (
    <TileShell
      {...tile}
      kind={`tile-stack type-${card.type} supplies-${shown} ${piece.exhausted ? "is-exhausted" : ""}`}
      name={name}
      card={piece.card}
    >
      {Array.from({ length: shown }, (_, depth) => (
        <span class={`tile-supply tile-supply-${shown - depth}`} key={`supply${shown - depth}`} />
      ))}
      <span class="tile-frame">
        <span class="tile-plate">
          {piece.exhausted ? (
            <span class="tile-back">
              <Emblem size={24} />
            </span>
          ) : (
            <span class="tile-picture">
              <Picture card={card} />
            </span>
          )}
          <span class={`stack-makes ${piece.makes ? `icon-${piece.makes}` : ""}`}>
            <Icon name={piece.makes ?? "supply"} size={17} />
            <b>{piece.yields}</b>
          </span>
          {piece.exhausted && (
            <span class="stack-spent">
              <Icon name="exhaust" size={11} /> Spent
            </span>
          )}
          <span class="tile-name" style={{ "--size-usual": `${fit.size}px` }}>
            {headOf(card)}
          </span>
        </span>
      </span>
    </TileShell>
  );
}

export interface CardBackProps extends TileProps {
  /** A number to show on it: cards in a deck. */
  count?: number;
}

/** The back of a card: a deck, the hand of another player. */
export function CardBack({ count, ...tile }: CardBackProps): VNode {
  const name = tile.label ?? (count === undefined || count === 1 ? "Card, face down" : `${count} cards, face down`);
  return (
    <TileShell {...tile} kind="tile-card-back" name={name}>
      <span class="tile-frame">
        <span class="tile-plate">
          <span class="tile-back">
            <Emblem size={54} />
          </span>
          {count !== undefined && <span class="tile-back-count">{count}</span>}
        </span>
      </span>
    </TileShell>
  );
}

export interface GhostTileProps {
  /** Whose place it keeps. */
  card: CardId;
  /** Why it is away. */
  doing: "challenge" | "defend";
  class?: string;
}

/** The dashed place that a unit left for a challenge. */
export function GhostTile({ card, doing, class: extra = "" }: GhostTileProps): VNode {
  useCatalog();
  const name = headOf(cardFacts(card));
  return (
    <div class={`tile tile-ghost ${extra}`} role="img" aria-label={`${name} is ${GHOST_WORDS[doing]}`}>
      <span>{name}</span>
      <Icon name={doing} size={18} />
    </div>
  );
}

const GHOST_WORDS = { challenge: "challenging", defend: "defending" } as const;
