/** The part of the address that says where a replay is, so that any point of it has a link. */

export interface Place {
  /** After how many moves. */
  move: number;
  /** Whether all is shown. */
  all: boolean;
}

/** Read `#move=37&all`; what is not there is the beginning, and what one knew. */
export function readPlace(hash: string): Place {
  const parts = new URLSearchParams(hash.replace(/^#/, ""));
  const move = Number.parseInt(parts.get("move") ?? "0", 10);
  return { move: Number.isFinite(move) && move > 0 ? move : 0, all: parts.has("all") };
}

export const writePlace = ({ move, all }: Place): string => `#move=${move}${all ? "&all" : ""}`;
