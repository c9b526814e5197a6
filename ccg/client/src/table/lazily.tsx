/** Parts of the table that are loaded when they are first shown. */

import type { ComponentType, VNode } from "preact";
import { useEffect, useState } from "preact/hooks";

/** A component that loads the real one as it is first shown; `Until` is shown till then, and if it cannot be had. */
export function lazily<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  Until: ComponentType<Props> | null = null,
): ComponentType<Props> {
  let loaded: ComponentType<Props> | null = null;
  return function Lazy(props: Props): VNode | null {
    const [Part, show] = useState<ComponentType<Props> | null>(() => loaded);
    useEffect(() => {
      if (Part) return;
      void load().then(
        (part) => {
          loaded = part;
          show(() => part);
        },
        () => undefined, // The line is down: what was asked for can be asked for again.
      );
    }, []);
    const Shown = Part ?? Until;
    return Shown ? <Shown {...props} /> : null;
  };
}
