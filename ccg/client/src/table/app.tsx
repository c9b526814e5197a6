/** The whole table: reads the state, hands it to the parts, lays them out for a wide or a narrow screen. */

import type { ComponentChildren, ComponentType, VNode } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Emblem, Icon, useCatalog } from "../cards";
import { useStore } from "../store";
import { keepFocus } from "../windows/kept-focus";
import { lazily } from "../windows/lazily";
import { nearPlayer, opponents } from "./board";
import { hasChat } from "./chat-state";
import { openClauses } from "./clause";
import { Dialogs, type Links } from "./dialogs";
import { droppable } from "./dragging";
import { watchPointers } from "./finger";
import { Fleet, PlayerRow } from "./fleet";
import { type Folds, useFolds } from "./folds";
import { Hand } from "./hand";
import { listenForKeys } from "./keyboard";
import { Gauge, Middle } from "./middle";
import type { Thing } from "./options";
import { PlayerPanel, Steps } from "./rail";
import { SeatMark } from "./seats";
import { Log, LogSpoken, LookedCard, useLooked } from "./side";
import { declinedNow, type TableState } from "./store";
import type { Table } from "./table";
import { NowContext, nowOf, useNow } from "./tiles";
import { Top } from "./top";
import type { PlayerView } from "./types";
import { startWhy, WhySpoken } from "./why";
import "./shapes.css";

/** How the table is laid out: side by side, in one column, or on a screen turned on its side. */
type Shape = "wide" | "narrow" | "low";

const ChatSpoken = lazily(() => import("./chat-tab").then((module) => module.ChatSpoken));
const LogOrChat = lazily(() => import("./chat-tab").then((module) => module.LogOrChat), PlainLog);
const Manners = lazily(() => import("./manners").then((module) => module.Manners));

/** Whether there may be anything beside the game: an offer, somebody who is away, a clock that runs low or is stopped. */
function offered(state: TableState): boolean {
  const { clocks, offers, absent, free } = state;
  return clocks !== null || declinedNow(state) || offers.length + absent.length + free.length > 0;
}

/** A phone on its side, and pages enlarged twice: what is asked stands beside the board, not under it. */
const LOW = "(max-height: 560px) and (min-aspect-ratio: 1)";
/** Too small for everything side by side. */
const NARROW = "(max-width: 820px), (max-height: 560px)";
/** A small screen on which lines one below the other would not leave both fleets in sight: alert and reserve stand side by side. */
const FLAT = "(max-height: 720px)";
/** Much wider than high: alert and reserve stand side by side, for which tiles are large and the hand is whole. */
const SHORT = "(max-height: 999px)";
const VERY_WIDE = "(min-width: 1700px) and (max-height: 1250px)";

function useMedia(asked: string): boolean {
  const query = useMemo(() => (typeof matchMedia === "function" ? matchMedia(asked) : null), [asked]);
  const [matches, set] = useState(query?.matches ?? false);
  useEffect(() => {
    const change = () => set(query?.matches ?? false);
    change();
    query?.addEventListener("change", change);
    return () => query?.removeEventListener("change", change);
  }, [query]);
  return matches;
}

function useShape(): Shape {
  const low = useMedia(LOW);
  const narrow = useMedia(NARROW);
  return low ? "low" : narrow ? "narrow" : "wide";
}

/** What a coach brings to the table: a panel, and what to do after the match. */
export interface CoachParts {
  Panel: ComponentType;
  Links: ComponentType;
}

export interface AppProps {
  table: Table;
  links: Links;
  /** What is asked; or in a replay, which loads nothing of what only players need, its controls. */
  bar: VNode;
  /** Opens at what could be used in more than one way. */
  menu?: VNode;
  /** The coach of a lesson, once it is loaded. */
  coach?: CoachParts | null;
  /** Skips the pause while something is played out. */
  skip?(): void;
  /** What a replay puts in places of the table where nobody is asked anything. */
  replay?: ReplayParts;
}

export interface ReplayParts {
  title: string;
  /** Above the log, where there is room for it. */
  about: VNode;
}

export function App({ table, links, bar, menu, coach = null, skip, replay }: AppProps): VNode {
  const state = useStore(table.store);
  const catalog = useCatalog();
  const shape = useShape();
  const narrow = shape !== "wide";
  const many = (state.view?.players.length ?? 0) > 2;
  const low = useMedia(SHORT);
  const flat = useMedia(FLAT);
  const veryWide = useMedia(VERY_WIDE);
  const short = low || veryWide;
  const root = useRef<HTMLDivElement>(null);
  const ready = state.view !== null && catalog !== null;
  useEffect(() => (root.current && ready ? listenForKeys(table, root.current) : undefined), [table, ready]);
  useEffect(() => (root.current && ready ? startWhy(table, root.current) : undefined), [table, ready]);
  useEffect(() => (root.current && ready ? watchPointers(root.current) : undefined), [ready]);
  useEffect(() => openClauses(table), [table]);
  useEffect(() => (root.current && ready ? keepFocus(root.current, ".prompt") : undefined), [ready]);
  const [dragged, drag] = useState<Thing | null>(null);
  const dragging = useMemo(() => ({ dragged, drag }), [dragged]);
  const now = useMemo(
    () => (state.view ? nowOf(table, state, state.view, narrow, dragging) : null),
    [table, state, narrow, dragging],
  );
  if (!ready || !state.view || !now) return <Waiting state={state} />;
  const Layout = narrow ? Small : Wide;
  const classes = [
    "table-app",
    narrow ? "is-narrow" : "is-wide",
    shape === "low" && "is-low",
    narrow && flat && "is-abreast",
    !narrow && short && "is-short",
    many && "is-many",
    dragged && "is-dragging",
    `players-${state.view.players.length}`,
  ];
  return (
    <NowContext.Provider value={now}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a click anywhere only shortens what is being shown. */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: so does any key. */}
      <div
        class={classes.filter(Boolean).join(" ")}
        ref={root}
        onClick={state.staged.length > 0 ? skip : undefined}
        {...droppable(table, state.view, dragging)}
      >
        <Layout root={root} links={links} bar={bar} coach={coach} replay={replay} short={short} low={shape === "low"} />
        <LogSpoken />
        <WhySpoken state={state} root={root} />
        {offered(state) && <Manners />}
        {hasChat(state) && <ChatSpoken />}
        {menu}
        <Dialogs links={links} after={coach?.Links} />
      </div>
    </NowContext.Provider>
  );
}

function Waiting({ state }: { state: TableState }): VNode {
  const words = {
    connecting: "Coming to the table …",
    open: "Coming to the table …",
    lost: "The server does not answer. Trying again …",
    ended: state.notice?.text ?? "This table cannot be shown.",
  }[state.line];
  return (
    <div class="table-waiting" role="status">
      <Emblem size={64} />
      <p>{state.line === "open" && state.notice ? state.notice.text : words}</p>
    </div>
  );
}

interface LayoutProps {
  root: { current: HTMLDivElement | null };
  links: Links;
  bar: VNode;
  coach: CoachParts | null;
  replay?: ReplayParts;
  short: boolean;
  low: boolean;
}

/** What an open fleet needs beside others: its lines one over the other, or alert and reserve side by side. */
const FLEET_WIDTH = { high: 300, short: 440 } as const;
/** What is not board: players at the left, log and card at the right, gaps. */
const BESIDE = { usual: 482, close: 404 } as const;
const CLOSE = 1180;

/** How many opponents' fleets find room beside one another. */
function useRoom(short: boolean): number {
  const [width, set] = useState(innerWidth);
  useEffect(() => {
    const resized = () => set(innerWidth);
    addEventListener("resize", resized);
    return () => removeEventListener("resize", resized);
  }, []);
  const board = width - (width <= CLOSE ? BESIDE.close : BESIDE.usual);
  return Math.max(1, Math.floor(board / (short ? FLEET_WIDTH.short : FLEET_WIDTH.high)));
}

function Wide({ root, links, bar, coach, replay, short }: LayoutProps): VNode {
  const { view, state } = useNow();
  const [looked] = useLooked(root);
  const near = nearPlayer(view);
  const others = opponents(view);
  const folds = useFolds(view, others, useRoom(short));
  return (
    <>
      <Top links={links} narrow={false} title={replay?.title} />
      <aside class="rail" aria-label="Players">
        <div class="rail-others">
          {others.map((player) => (
            <PlayerPanel
              player={player}
              compact={others.length > 1}
              folds={others.length > 1 ? folds : undefined}
              key={player.seat}
            />
          ))}
        </div>
        <Steps />
        {near && <PlayerPanel player={near} />}
      </aside>
      <div class="board">
        <div class="others">
          {others
            .filter((player) => folds.isOpen(player.seat))
            .map((player) => (
              <Foldable key={player.seat} player={player} folds={others.length > 1 ? folds : null}>
                <Fleet player={player} far />
              </Foldable>
            ))}
        </div>
        <Gauge />
        <Middle />
        {near && <Fleet player={near} far={false} />}
      </div>
      {bar}
      {near && <Hand player={near} />}
      <aside class="sidebar">
        {replay?.about}
        {coach && <coach.Panel />}
        {hasChat(state) ? <LogOrChat /> : <PlainLog />}
        <LookedCard looked={looked} />
      </aside>
    </>
  );
}

interface FoldableProps {
  player: PlayerView;
  folds: Folds | null;
  children: ComponentChildren;
}

/** An open fleet among several, with its name on top; a click on the name folds it. */
function Foldable({ player, folds, children }: FoldableProps): VNode {
  const { view } = useNow();
  return (
    <div class="other">
      {folds && (
        <button type="button" class="other-name" aria-expanded="true" onClick={() => folds.toggle(player.seat)}>
          <SeatMark view={view} seat={player.seat} size={11} /> {player.name}{" "}
          <Icon name="minus" size={12} label="Fold" />
        </button>
      )}
      {children}
    </div>
  );
}

/** The opponents in one column: a row for each, with the fleet below it while it is open. */
function OpponentRows(): VNode {
  const { view } = useNow();
  const others = opponents(view);
  const folds = useFolds(view, others, Number.POSITIVE_INFINITY, 1);
  return (
    <>
      {others.map((player) => (
        <div class="other" key={player.seat}>
          <PlayerRow player={player} open={folds.isOpen(player.seat)} toggle={() => folds.toggle(player.seat)} />
          {folds.isOpen(player.seat) && <Fleet player={player} far />}
        </div>
      ))}
    </>
  );
}

/**
 * In one column: what happens is between the fleets, what is asked below them. On a screen turned on its side both
 * stand at the right of the fleets, each of which has one line of units.
 */
function Small({ root, links, bar, coach, replay, low }: LayoutProps): VNode {
  const { view } = useNow();
  useLooked(root);
  const near = nearPlayer(view);
  const row = near && <PlayerRow player={near} open toggle={() => undefined} />;
  const asked = (
    <>
      {coach && <coach.Panel />}
      {bar}
    </>
  );
  return (
    <>
      <Top links={links} narrow title={replay?.title} />
      <div class="board">
        <h2 class="visually-hidden">Fleets</h2>
        <OpponentRows />
        <Gauge />
        {!low && <Middle />}
        {near && <Fleet player={near} far={false} />}
        {low && row}
      </div>
      {!low && row}
      {low ? (
        <div class="beside">
          <Middle />
          {asked}
        </div>
      ) : (
        asked
      )}
      {near && <Hand player={near} />}
    </>
  );
}

function PlainLog(): VNode {
  return <Log lines={useNow().state.log} />;
}
