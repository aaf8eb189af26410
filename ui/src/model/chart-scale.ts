import { axisValues } from "./bar-chart.js";

/** The vertical axis of a chart of contexts: from 0 to `top`, in tokens. */
export interface ChartScale {
  readonly top: number;
  /** Round values between, without 0. */
  readonly ticks: readonly number[];
  /** The model's window, where the line of it lies within the axis. */
  readonly windowAt: number | undefined;
  /** The model's window, where it lies so far above that the chart would be flat with it. */
  readonly windowAbove: number | undefined;
}

/** The window is a part of the axis where the highest context takes at least this part of it. */
const LEAST_OF_WINDOW = 0.3;
/** Factor that leaves a little room above the highest value. */
const HEADROOM = 1.06;
/** A tick so near to the line of the window, in parts of the axis, would have its label upon the line's. */
const NEAR_WINDOW = 0.1;

/**
 * @param peak the highest context
 * @param window of the model; `undefined` where nobody knows it
 * @param most how many ticks there is room for
 */
export function chartScale(peak: number, window: number | undefined, most: number): ChartScale {
  const known = knownWindow(window, peak);
  const isNear = known !== undefined && peak >= known * LEAST_OF_WINDOW;
  const top = Math.max(1, isNear ? known : peak) * HEADROOM;
  const inside = axisValues(top, 1).filter((value) => value > 0 && value <= top);
  const free = isNear ? inside.filter((value) => Math.abs(known - value) > top * NEAR_WINDOW) : inside;
  const step = Math.max(1, Math.ceil(free.length / Math.max(1, most)));
  return {
    top,
    ticks: free.filter((_, i) => (free.length - 1 - i) % step === 0),
    windowAt: isNear ? known : undefined,
    windowAbove: isNear ? undefined : known,
  };
}

/**
 * The window of a model as far as it can be true: a call that read more than the table says was served by a larger one.
 */
export function knownWindow(window: number | undefined, peak: number): number | undefined {
  return window !== undefined && window > 0 && peak <= window ? window : undefined;
}

/** The height of a value, from 0 at the bottom to 1 at the top. */
export function heightOf({ top }: Pick<ChartScale, "top">, tokens: number): number {
  return Math.min(1, Math.max(0, tokens / top));
}
