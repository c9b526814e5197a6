/** Parts of the table and of the builder that are loaded when they are first shown. */

import type { ComponentType, VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { persistently } from "../persistently";

/** A component that is loaded as it is first shown, or when it is warmed. */
export type Lazy<Props> = ComponentType<Props> & { warm(): Promise<void> };

/** A component that loads the real one as it is first shown; `Until` is shown till then, as long as it cannot be had. */
export function lazily<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  Until: ComponentType<Props> | null = null,
): Lazy<Props> {
  let loaded: ComponentType<Props> | null = null;
  const loading = async (): Promise<ComponentType<Props>> => {
    loaded = await load();
    return loaded;
  };
  function LazyPart(props: Props): VNode | null {
    const [Part, show] = useState<ComponentType<Props> | null>(() => loaded);
    useEffect(() => {
      if (Part) return;
      // The line is down. A window that is asked for counts as open: asking again would not change anything.
      const putAway = new AbortController();
      void persistently(loading, undefined, putAway.signal).then(
        (part) => putAway.signal.aborted || show(() => part),
        () => undefined, // It was put away before it came.
      );
      return () => putAway.abort();
    }, []);
    const Shown = Part ?? Until;
    return Shown ? <Shown {...props} /> : null;
  }
  const warm = () =>
    loading().then(
      () => undefined,
      () => undefined,
    );
  return Object.assign(LazyPart, { warm });
}
