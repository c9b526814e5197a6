/** Parts of the table that are loaded when they are first shown. */

import type { ComponentType, VNode } from "preact";
import { useEffect, useState } from "preact/hooks";

/** A component that is loaded as it is first shown, or when it is warmed. */
export type Lazy<Props> = ComponentType<Props> & { warm(): Promise<void> };

/** A component that loads the real one as it is first shown; `Until` is shown till then, and if it cannot be had. */
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
      void loading().then(
        (part) => show(() => part),
        () => undefined, // The line is down: what was asked for can be asked for again.
      );
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
