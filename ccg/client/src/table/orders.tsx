/**
 * Standing orders: what the site answers for this player, who need not be there. All words come from the server.
 *
 * A tool at the top says how many are armed, and tells of one that was disarmed; a window has them all.
 */

import type { VNode } from "preact";
import { useEffect } from "preact/hooks";
import { Icon } from "../cards";
import type { GivenOrder, OfferedOrder } from "../protocol";
import { mayChoose, type TableState } from "./store";
import { useNow } from "./tiles";
import { Window } from "./window";

/** Ask for the orders whenever the line opens, so that they are known after a reload. */
function useOrders(): GivenOrder[] {
  const { state, table } = useNow();
  useEffect(() => {
    if (state.line === "open") table.manner({ type: "read_orders" });
  }, [state.line, table]);
  return state.orders?.orders ?? [];
}

/** The button at the top, with a count; and over the board, what was disarmed and why. */
export function OrdersTool(): VNode {
  const { table } = useNow();
  const orders = useOrders();
  const armed = orders.filter(({ why }) => why === "").length;
  return (
    <>
      <button type="button" class="top-tool orders-tool" onClick={() => table.open({ kind: "orders" })}>
        <Icon name="pending" size={18} label="Standing orders" />
        {armed > 0 && (
          <span class="chat-count">
            {armed}
            <span class="visually-hidden"> armed</span>
          </span>
        )}
      </button>
      <div class="manners orders-news" role="status">
        {orders
          .filter(({ why }) => why !== "")
          .map((order) => (
            <Disarmed order={order} key={order.number} />
          ))}
      </div>
    </>
  );
}

function Disarmed({ order }: { order: GivenOrder }): VNode {
  const { table } = useNow();
  return (
    <p class="manner panel" data-order={order.number}>
      <span>
        Your order holds no more: {order.text} {order.why}
      </span>
      <button
        type="button"
        class="button button-small"
        onClick={() => table.manner({ type: "drop_order", number: order.number })}
      >
        I see
      </button>
    </p>
  );
}

/** All orders, and those that could be given now. */
export function OrdersWindow(): VNode {
  const { state } = useNow();
  const orders = useOrders();
  const offered = state.orders?.offered ?? [];
  const headings = [...new Set(offered.map(({ about }) => about))];
  return (
    <Window title="Standing orders" class="orders-window is-wide">
      <p class="small">
        The site answers for you, whether you are here or not. An order looks only at what everybody can see, counts
        what happens from now on, and ends with its phase. Nobody else is shown it, though an answer that comes at once
        may give it away.
      </p>
      {orders.length > 0 && (
        <ul class="orders-given" aria-label="Your orders">
          {orders.map((order) => (
            <Given order={order} key={order.number} />
          ))}
        </ul>
      )}
      {state.orders === null && <p role="status">{unknownWords(state)}</p>}
      {headings.map((about) => (
        <section class="orders-offered" key={about}>
          <h3>{about}</h3>
          <div class="orders-choices">
            {offered
              .filter((one) => one.about === about)
              .map((one) => (
                <Offer offered={one} key={one.text} />
              ))}
          </div>
        </section>
      ))}
    </Window>
  );
}

/** What is said in place of orders that are not known: that nobody is asked for them here, or that they are to come. */
const unknownWords = ({ you, over, replay, notice }: TableState): string =>
  you === null || over || replay
    ? "Only who plays in a match that goes on can give orders."
    : (notice?.text ?? "Asking …");

/** A chip with an order that stands, and the way to take it off. */
function Given({ order }: { order: GivenOrder }): VNode {
  const { table } = useNow();
  const drop = () => table.manner({ type: "drop_order", number: order.number });
  return (
    <li class={`order-chip ${order.why ? "is-disarmed" : "is-armed"}`}>
      <span>
        {order.text}
        <span class="order-state">
          {order.why ? ` Disarmed: ${order.why}` : ` Armed${order.answered ? `, ${times(order.answered)}` : ""}.`}
        </span>
      </span>
      <button type="button" class="button button-small" onClick={drop} aria-label={`Take off: ${order.text}`}>
        {order.why ? "I see" : "Take off"}
      </button>
    </li>
  );
}

const times = (count: number): string => (count === 1 ? "has answered once" : `has answered ${count} times`);

function Offer({ offered }: { offered: OfferedOrder }): VNode {
  const { table, state } = useNow();
  const { decision, when, number, scope, until, text } = offered;
  const version = state.version ?? 0;
  const give = () => table.manner({ type: "set_order", version, decision, when, number, scope, until });
  const asked = mayChoose(state) && state.view?.decision?.kind === decision && when === "always";
  return (
    <button type="button" class="button order-offer" onClick={give}>
      {text}
      {asked && <span class="order-state"> – this time too</span>}
    </button>
  );
}
