import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef, useState } from "react";
import { type Place, pointByKey } from "../../model/chart-point.js";
import styles from "./chart-hover.module.css";

interface ChartHoverOptions {
  /** Description of the chart for screen readers. */
  readonly label: string;
  readonly count: number;
  /** The point that is read out while none is looked at, by keyboard the first one. Default is the last. */
  readonly resting?: number;
  /** Returns the point nearest to a position; -1 without points. */
  indexAt(place: Place): number;
  /** A point was clicked, or chosen by Enter; by touch it was looked at before. */
  onChoose?(index: number, withShift: boolean): void;
  /** Called when the keyboard has moved by a number of points, with or without Shift. */
  onMove?(by: number, withShift: boolean): void;
  /** Two places that were dragged between, in their order. */
  onBrush?(from: Place, to: Place): void;
}

const IMAGE = { role: "img" as const };

/** A drag shorter than this is a click. */
const LEAST_DRAG = 0.004;

/**
 * Inspects the points of a chart: with a resting pointer, by touch, and by keyboard as through the values of a slider. The first value is
 * the current point, the second the dragged range. The third returns the attributes of the chart's element for a description of the
 * point.
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
    // A touch has no pointer that rests on a point: the first one reads it out.
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
    // Without a point there is nothing to go through.
    ...(count === 0 ? IMAGE : slider(text)),
    "aria-label": label,
    onKeyDown: press,
    onFocus: (event: { readonly currentTarget: HTMLElement }) => {
      if (!event.currentTarget.matches(":focus-visible")) return;
      isByKeyboard.current = true;
      setActive(at ?? resting);
    },
    onBlur: () => setActive(undefined),
    // A click does not move the focus: the keys continue to work in the view.
    onMouseDown: (event: { preventDefault(): void }) => event.preventDefault(),
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.button !== 0) return;
      wasTouched.current = at;
      // A touch elsewhere takes the focus away, and with it what is read out.
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

/** A line through the point that is looked at, and below the chart what it is. The slider's value says the same. */
export function ChartReadout({ place, children }: ChartReadoutProps) {
  // Its offset from its left edge is proportional to the chart's, so that it stays within the chart's width.
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
  /** Two places, in any order. */
  readonly between: readonly [Place, Place];
}

/** The selection between two positions. */
export function ChartBrush({ between: [a, b] }: BrushProps) {
  return (
    <span
      className={styles.brush}
      style={{ left: `${Math.min(a, b) * 100}%`, width: `${Math.abs(b - a) * 100}%` }}
    />
  );
}
