/** The sheet of keys. */

import type { VNode } from "preact";

/** Keys as they are named on them, and what they do. */
export type KeyWords = readonly (readonly [keys: string, does: string])[];

export const Keys = ({ keys }: { keys: KeyWords }): VNode => (
  <>
    <dl class="keys">
      {keys.map(([key, does]) => (
        <div key={key}>
          <dt>
            <kbd>{key}</kbd>
          </dt>
          <dd>{does}</dd>
        </div>
      ))}
    </dl>
    <p class="small quiet">
      {document.documentElement.dataset.keys === "off"
        ? "Letters, digits and signs are switched off in your settings."
        : "Your settings can switch letters, digits and signs off."}
    </p>
  </>
);
