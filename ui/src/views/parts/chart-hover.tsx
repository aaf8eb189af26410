import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef, useState } from "react";
import { type Place, pointByKey } from "../../model/charts/chart-point.js";
import styles from "./chart-hover.module.css";

interface ChartHoverOptions {
  readonly label: string;
  readonly count: number;
  /** The point without hover. Default is the last; the keyboard starts at the first. */
  readonly resting?: number;
  /** -1 without points. */
  indexAt(place: Place): number;
  /** Click, Enter, or second touch. */
  onChoose?(index: number, withShift: boolean): void;
  onMove?(by: number, withShift: boolean): void;
  onBrush?(from: Place, to: Place): void;
}

const IMAGE = { role: "img" as const };

const LEAST_DRAG = 0.004;

/**
 * By hover, touch, and keyboard as a slider. Returns the current point, the dragged range, and a function for the attributes of the
 * chart's element.
 */
export function useChartHover(options: ChartHoverOptions) {
  const { label, count, indexAt, onChoose, onMove, onBrush } = options;
  const [active, setActive] = useState<number>();
  const [drag, setDrag] = useState<readonly [Place, Place]>();
  const wasTouched = useRef<number | undefined>(undefined);
  const at = active === undefined || active >= count ? undefined : active;
  const isByKeyboard = useRef(false);
  const resting = Math.min(options.resting ?? count - 1, count - 1);
  const isDragging = drag !== undefined && Math.abs(drag[1] - drag[0]) >= LEAST_DRAG;

  const look = (event: PointerEvent<HTMLElement>): Place => {
    const place = placeIn(event);
    isByKeyboard.current = false;
    const index = indexAt(place);
    setActive(index === -1 ? undefined : index);
    return place;
  };
  const release = (event: PointerEvent<HTMLElement>) => {
    if (drag === undefined) return;
    setDrag(undefined);
    const [from, to] = [Math.min(...drag), Math.max(...drag)];
    if (to - from >= LEAST_DRAG) return onBrush?.(from, to);
    const index = indexAt(drag[0]);
    // Touch cannot hover: the first touch reads the point out.
    if (index === -1 || (event.pointerType === "touch" && wasTouched.current !== index)) return;
    onChoose?.(index, event.shiftKey);
  };
  const press = (event: KeyboardEvent<HTMLElement>) => {
    const from = at ?? resting;
    const next = pointByKey(event.key, from, count);
    if (event.key === "Enter" && count > 0) onChoose?.(from, event.shiftKey);
    else if (event.key === "Escape" && at !== undefined && isByKeyboard.current) setActive(undefined);
    else if (next !== undefined) {
      isByKeyboard.current = true;
      setActive(next);
      onMove?.(next - from, event.shiftKey);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const slider = (text: string | undefined) => ({
    role: "slider" as const,
    tabIndex: 0,
    "aria-valuemin": 1,
    "aria-valuemax": count,
    "aria-valuenow": (at ?? resting) + 1,
    "aria-valuetext": text,
  });
  const elementOf = (text: string | undefined) => ({
    ...(count === 0 ? IMAGE : slider(text)),
    "aria-label": label,
    onKeyDown: press,
    onFocus: (event: { readonly currentTarget: HTMLElement }) => {
      if (!event.currentTarget.matches(":focus-visible")) return;
      isByKeyboard.current = true;
      setActive(at ?? resting);
    },
    onBlur: () => setActive(undefined),
    // A click does not move the focus: keys of the view continue to work.
    onMouseDown: (event: { preventDefault(): void }) => event.preventDefault(),
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.button !== 0) return;
      wasTouched.current = at;
      // A touch elsewhere takes the focus away, which closes the readout.
      if (event.pointerType === "touch") event.currentTarget.focus();
      if (onBrush !== undefined) event.currentTarget.setPointerCapture(event.pointerId);
      const place = look(event);
      setDrag([place, place]);
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      const place = look(event);
      if (drag !== undefined) setDrag([drag[0], place]);
    },
    onPointerUp: release,
    onPointerCancel: () => setDrag(undefined),
    onPointerLeave: (event: PointerEvent<HTMLElement>) => {
      if (event.pointerType !== "touch" && drag === undefined) setActive(undefined);
    },
  });
  return [at, isDragging && onBrush !== undefined ? drag : undefined, elementOf] as const;
}

function placeIn({ clientX, currentTarget }: PointerEvent<HTMLElement>): Place {
  const { left, width } = currentTarget.getBoundingClientRect();
  return width === 0 ? 0 : Math.min(1, Math.max(0, (clientX - left) / width));
}

interface ChartReadoutProps {
  readonly place: Place;
  readonly children: ReactNode;
}

/** For eyes only: the slider's value has the same text. */
export function ChartReadout({ place, children }: ChartReadoutProps) {
  const within = { left: `${place * 100}%`, transform: `translateX(${-place * 100}%)` };
  return (
    <>
      <span className={styles.cross} style={{ left: `${place * 100}%` }} />
      <div className={styles.readout} style={within} aria-hidden="true">
        {children}
      </div>
    </>
  );
}

interface BrushProps {
  readonly between: readonly [Place, Place];
}

export function ChartBrush({ between: [a, b] }: BrushProps) {
  return (
    <span
      className={styles.brush}
      style={{ left: `${Math.min(a, b) * 100}%`, width: `${Math.abs(b - a) * 100}%` }}
    />
  );
}
