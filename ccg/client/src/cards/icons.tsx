import type { VNode } from "preact";
import { EMBLEM, ICON_SHAPES, type IconName, type IconShape, strokeWidth } from "./icon-shapes";

export type { IconName } from "./icon-shapes";

export interface IconProps {
  name: IconName;
  /** Height and width in pixels. */
  size?: number;
  /** What it says; without, it is decoration beside words. */
  label?: string;
  class?: string;
}

/** One icon in the current colour. */
export function Icon({ name, size = 16, label, class: extra }: IconProps): VNode {
  const shapes: readonly IconShape[] = ICON_SHAPES[name];
  return (
    <svg
      class={extra ? `icon ${extra}` : "icon"}
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      stroke-width={strokeWidth(size)}
      stroke-linejoin="round"
      stroke-linecap="square"
      role={label ? "img" : undefined}
      aria-label={label}
      aria-hidden={label ? undefined : "true"}
      focusable="false"
    >
      {label && <title>{label}</title>}
      {shapes.map(({ d, fill, width }) =>
        fill ? (
          <path key={d} d={d} fill="currentColor" fill-rule="evenodd" stroke="none" />
        ) : (
          <path key={d} d={d} stroke-width={width} />
        ),
      )}
    </svg>
  );
}

/** The emblem of the fleet: logo, card back, face of exhausted cards. */
export function Emblem({ size = 28, class: extra }: { size?: number; class?: string }): VNode {
  return (
    <svg
      class={extra ? `emblem ${extra}` : "emblem"}
      width={size}
      height={size}
      viewBox="0 0 48 48"
      fill="none"
      stroke="currentColor"
      stroke-width="2"
      stroke-linejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={EMBLEM.ring} />
      <path fill="currentColor" stroke="none" d={EMBLEM.darts} />
    </svg>
  );
}
