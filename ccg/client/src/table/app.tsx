/** The whole table: reads the state, hands it to the parts, lays them out for a wide or a narrow screen. */

import type { ComponentChildren, VNode } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Emblem, Icon, useCatalog } from "../cards";
import { nearPlayer, opponents } from "./board";
import { Dialogs, type Links } from "./dialogs";
import { Fleet, FoldedFleet, PlayerRow } from "./fleet";
import { Hand } from "./hand";
import { listenForKeys } from "./keyboard";
import { ThingMenu } from "./menu";
import { Gauge, Middle } from "./middle";
import { Prompt } from "./prompt";
import { PlayerPanel, Steps } from "./rail";
import { SeatMark } from "./seats";
import { Log, LookedCard, useLooked } from "./side";
import type { TableState } from "./store";
import type { Table } from "./table";
import { NowContext, nowOf, useNow } from "./tiles";
import { Top } from "./top";
import type { PlayerView, Seat, View } from "./types";
import { startWhy, WhySpoken } from "./why";

/** More opponents than these are folded until one looks at them. */
const UNFOLDED = 2;
/** Too small for everything side by side: phones either way, and pages enlarged twice. */
const NARROW = "(max-width: 820px), (max-height: 540px)";

function useStore(table: Table): TableState {
  const [state, set] = useState(table.store.get());
  useEffect(() => {
    set(table.store.get());
    return table.store.subscribe(set);
  }, [table]);
  return state;
}

function useNarrow(): boolean {
  const query = useMemo(() => (typeof matchMedia === "function" ? matchMedia(NARROW) : null), []);
  const [narrow, set] = useState(query?.matches ?? false);
  useEffect(() => {
    const change = () => set(query?.matches ?? false);
    query?.addEventListener("change", change);
    return () => query?.removeEventListener("change", change);
  }, [query]);
  return narrow;
}

export interface AppProps {
  table: Table;
  links: Links;
  /** Skips the pause while something is played out. */
  skip?(): void;
}

export function App({ table, links, skip }: AppProps): VNode {
  const state = useStore(table);
  const catalog = useCatalog();
  const narrow = useNarrow();
  const root = useRef<HTMLDivElement>(null);
  const ready = state.view !== null && catalog !== null;
  useEffect(() => (root.current && ready ? listenForKeys(table, root.current) : undefined), [table, ready]);
  useEffect(() => (root.current && ready ? startWhy(table, root.current) : undefined), [table, ready]);
  const now = useMemo(() => (state.view ? nowOf(table, state, state.view, narrow) : null), [table, state, narrow]);
  if (!ready || !state.view || !now) return <Waiting state={state} />;
  const Layout = narrow ? Narrow : Wide;
  return (
    <NowContext.Provider value={now}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a click anywhere only shortens what is being shown. */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: so does any key. */}
      <div
        class={`table-app ${narrow ? "is-narrow" : "is-wide"} players-${state.view.players.length}`}
        ref={root}
        onClick={state.staged.length > 0 ? skip : undefined}
      >
        <Layout root={root} links={links} />
        <WhySpoken state={state} root={root} />
        <ThingMenu />
        <Dialogs links={links} />
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
}

function Wide({ root, links }: LayoutProps): VNode {
  const { view, state } = useNow();
  const [looked] = useLooked(root);
  const near = nearPlayer(view);
  const others = opponents(view);
  const folds = useFolds(view, others, UNFOLDED);
  return (
    <>
      <Top links={links} narrow={false} />
      <aside class="rail" aria-label="Players">
        <div class="rail-others">
          {others.map((player) => (
            <PlayerPanel player={player} compact={others.length > 1} key={player.seat} />
          ))}
        </div>
        <Steps />
        {near && <PlayerPanel player={near} />}
      </aside>
      <div class="board">
        <div class="others">
          {others.map((player) =>
            folds.isOpen(player.seat) ? (
              <Foldable
                key={player.seat}
                player={player}
                fold={others.length > 1 ? () => folds.toggle(player.seat) : null}
              >
                <Fleet player={player} far />
              </Foldable>
            ) : (
              <FoldedFleet key={player.seat} player={player} toggle={() => folds.toggle(player.seat)} />
            ),
          )}
        </div>
        <Gauge />
        <Middle />
        {near && <Fleet player={near} far={false} />}
      </div>
      <Prompt />
      {near && <Hand player={near} />}
      <aside class="sidebar">
        <Log lines={state.log} />
        <LookedCard looked={looked} />
      </aside>
    </>
  );
}

interface FoldableProps {
  player: PlayerView;
  fold: (() => void) | null;
  children: ComponentChildren;
}

/** An open fleet among several, with its name on top; a click on the name folds it. */
function Foldable({ player, fold, children }: FoldableProps): VNode {
  const { view } = useNow();
  return (
    <div class="other">
      {fold && (
        <button type="button" class="other-name" aria-expanded="true" onClick={fold}>
          <SeatMark view={view} seat={player.seat} size={11} /> {player.name}{" "}
          <Icon name="minus" size={12} label="Fold" />
        </button>
      )}
      {children}
    </div>
  );
}

function Narrow({ root, links }: LayoutProps): VNode {
  const { view } = useNow();
  useLooked(root);
  const near = nearPlayer(view);
  const others = opponents(view);
  const folds = useFolds(view, others, 1);
  return (
    <>
      <Top links={links} narrow />
      <div class="board">
        {others.map((player) => (
          <div class="other" key={player.seat}>
            <PlayerRow player={player} open={folds.isOpen(player.seat)} toggle={() => folds.toggle(player.seat)} />
            {folds.isOpen(player.seat) && <Fleet player={player} far />}
          </div>
        ))}
        <Gauge />
        <Middle />
        {near && <Fleet player={near} far={false} />}
      </div>
      {near && <PlayerRow player={near} open toggle={() => undefined} />}
      <Prompt />
      {near && <Hand player={near} />}
    </>
  );
}

interface Folds {
  isOpen(seat: Seat): boolean;
  toggle(seat: Seat): void;
}

/** Which fleets are open: as one has set them, otherwise the first few, and whoever is in what happens now. */
function useFolds(view: View, others: PlayerView[], usual: number): Folds {
  const [set, change] = useState<Map<Seat, boolean>>(new Map());
  const involved = new Set<Seat>();
  const { challenge, decision } = view;
  if (challenge?.challenged !== null && challenge) involved.add(challenge.challenged);
  if (challenge) involved.add(challenge.challenging);
  const named = new Set(decision?.options.flatMap((option) => [option.piece, option.target]) ?? []);
  for (const player of others) {
    const pieces = [...player.alert, ...player.reserve, ...player.stacks, ...player.persistent];
    if (pieces.some((piece) => named.has(piece.id))) involved.add(player.seat);
  }
  const isOpen = (seat: Seat): boolean =>
    involved.has(seat) || (set.get(seat) ?? others.findIndex((player) => player.seat === seat) < usual);
  return { isOpen, toggle: (seat) => change(new Map(set).set(seat, !isOpen(seat))) };
}
