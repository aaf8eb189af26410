import { type CSSProperties, type KeyboardEvent, type RefObject, useState } from "react";
import { putSplit, type SplitName, usePreferences } from "../../app/preferences.js";
import { STRINGS } from "../../strings/strings.js";
import styles from "./divider.module.css";

export interface Split {
  readonly name: SplitName;
  readonly property: `--${string}`;
  readonly sets: "left" | "right";
  readonly byDefault: number;
  readonly least: number;
  readonly most: number;
}

interface DividerProps {
  readonly label: string;
  readonly split: Split;
  readonly container: RefObject<HTMLElement | null>;
  readonly className?: string | undefined;
}

const STEP = 0.02;

export function useSplit({ name, property, byDefault }: Split): CSSProperties {
  const part = usePreferences().splits[name] ?? byDefault;
  return { [property]: part } as CSSProperties;
}

/** Dragged, or moved by the arrow keys; its position is stored. */
export function Divider({ label, split, container, className }: DividerProps) {
  const { name, property, sets, byDefault, least, most } = split;
  const placed = usePreferences().splits[name] ?? byDefault;
  const [dragged, setDragged] = useState<number>();
  const part = dragged ?? placed;
  const within = (wanted: number) => Math.min(most, Math.max(least, wanted));
  const put = (wanted: number) => putSplit(name, Math.round(within(wanted) * 1000) / 1000);

  const drag = ({ clientX }: { readonly clientX: number }) => {
    const { left, width } = container.current!.getBoundingClientRect();
    const position = (clientX - left) / width;
    const wanted = within(sets === "left" ? position : 1 - position);
    // Sets the style without rendering.
    container.current!.style.setProperty(property, String(wanted));
    setDragged(wanted);
  };
  const release = () => {
    if (dragged !== undefined && dragged !== placed) put(dragged);
    setDragged(undefined);
  };
  const press = (event: KeyboardEvent<HTMLDivElement>) => {
    const wider = sets === "left" ? STEP : -STEP;
    const positions: { readonly [key: string]: number } = {
      ArrowRight: part + wider,
      ArrowLeft: part - wider,
      Home: least,
      End: most,
    };
    const wanted = positions[event.key];
    if (event.key === "Enter") putSplit(name, undefined);
    else if (wanted !== undefined) put(wanted);
    else return;
    event.preventDefault();
  };
  return (
    <div
      role="separator"
      aria-orientation="vertical"
      aria-label={label}
      aria-valuenow={Math.round(part * 100)}
      aria-valuemin={Math.round(least * 100)}
      aria-valuemax={Math.round(most * 100)}
      tabIndex={0}
      title={STRINGS.divider}
      className={`${styles.divider} ${className}`}
      data-dragged={dragged !== undefined}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        setDragged(placed);
      }}
      onPointerMove={(event) => dragged !== undefined && drag(event)}
      onPointerUp={release}
      onPointerCancel={release}
      onDblClick={() => putSplit(name, undefined)}
      onKeyDown={press}
    />
  );
}
