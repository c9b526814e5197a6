/** What the site says by a socket of a page that waits for others: that something is new there, and no more. */

import { type Pauses, pauseBefore } from "../pauses";

/** Seconds after which a page looks by itself although the socket has said nothing: a hint may be lost. */
const SLOWLY = 30;
/** What is said, as `matches/sockets/lobby.py` says it. */
const CHANGED = '{"type":"changed"}';
const PAUSES: Pauses = { first: 2_000, longest: 60_000 };

export class News {
  #socket: WebSocket | null = null;
  #open = false;
  #over = false;
  #tries = 0;
  #isNew = false;
  #wake: () => void = () => undefined;

  /** Listen at `path`, an address of this site, until `close`. */
  constructor(readonly path: string) {
    this.#connect();
    // Whoever comes back to the page has missed what was said meanwhile.
    document.addEventListener("visibilitychange", this.#tell);
  }

  /** Wait until something is new; without a socket for as many seconds as a page waits that has none. */
  async wait(seconds: number): Promise<void> {
    if (!this.#isNew) {
      await new Promise<void>((done) => {
        const timer = setTimeout(done, 1000 * (this.#open ? SLOWLY : seconds));
        this.#wake = () => {
          clearTimeout(timer);
          done();
        };
      });
    }
    this.#isNew = false;
    this.#wake = () => undefined;
  }

  close(): void {
    this.#over = true;
    document.removeEventListener("visibilitychange", this.#tell);
    this.#socket?.close();
  }

  #tell = (): void => {
    this.#isNew = true;
    this.#wake();
  };

  #connect(): void {
    const address = new URL(this.path, location.href);
    address.protocol = address.protocol.replace("http", "ws");
    const socket = new WebSocket(address);
    this.#socket = socket;
    let openedAt = Number.POSITIVE_INFINITY;
    socket.onopen = () => {
      this.#open = true;
      openedAt = Date.now();
      this.#tell();
    };
    // Whoever is let in and refused afterwards is told so too, and that is no news.
    socket.onmessage = ({ data }: MessageEvent) => {
      if (data === CHANGED) this.#tell();
    };
    socket.onclose = () => {
      this.#open = false;
      if (Date.now() - openedAt > 1000 * SLOWLY) this.#tries = 0; // it was no door that opens and shuts
      // What waits now waits for the long time of an open socket.
      this.#wake();
      if (this.#over) return;
      setTimeout(() => this.#over || this.#connect(), pauseBefore(this.#tries++, PAUSES));
    };
  }
}
