/**
 * Fills in what the server left out of a message because it has its usual value.
 *
 * Done once, where a message arrives, so that everything behind it sees whole objects.
 */

import { SHAPES } from "../protocol";

/** Give `value` of the shape `name` (several in a list) with all its fields; null and unknown shapes as they are. */
export function whole(name: string, value: unknown): unknown {
  const shape = SHAPES[name];
  if (shape === undefined || typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((one) => whole(name, one));
  const filled: Record<string, unknown> = { ...shape.defaults, ...value };
  for (const [field, held] of Object.entries(shape.holds)) filled[field] = whole(held, filled[field]);
  return filled;
}
