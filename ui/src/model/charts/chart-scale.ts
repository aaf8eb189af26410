import { axisValues } from "./axis-values.js";

export interface ChartScale {
  readonly top: number;
  /** Round values without 0. */
  readonly ticks: readonly number[];
  readonly windowAt: number | undefined;
  /** The model's window if it would flatten the chart. */
  readonly windowAbove: number | undefined;
}

/** The axis includes the window if the highest context takes at least this share. */
const LEAST_OF_WINDOW = 0.3;
const HEADROOM = 1.06;
/** In parts of the axis: the label of a nearer tick would cover that of the window. */
const NEAR_WINDOW = 0.1;

/**
 * @param peak the highest context
 * @param window of the model; `undefined` if unavailable
 * @param most maximum number of ticks
 */
export function chartScale(peak: number, window: number | undefined, most: number): ChartScale {
  const windowTokens = validWindow(window, peak);
  const isNear = windowTokens !== undefined && peak >= windowTokens * LEAST_OF_WINDOW;
  const top = Math.max(1, isNear ? windowTokens : peak) * HEADROOM;
  const inside = axisValues(top, 1).filter((value) => value > 0 && value <= top);
  const free = isNear ? inside.filter((value) => Math.abs(windowTokens - value) > top * NEAR_WINDOW) : inside;
  const step = Math.max(1, Math.ceil(free.length / Math.max(1, most)));
  return {
    top,
    ticks: free.filter((_, i) => (free.length - 1 - i) % step === 0),
    windowAt: isNear ? windowTokens : undefined,
    windowAbove: isNear ? undefined : windowTokens,
  };
}

/** A call that exceeds the listed window was served by a larger one. */
export function validWindow(window: number | undefined, peak: number): number | undefined {
  return window !== undefined && window > 0 && peak <= window ? window : undefined;
}

/** From 0 at the bottom to 1 at the top. */
export function heightOf({ top }: Pick<ChartScale, "top">, tokens: number): number {
  return Math.min(1, Math.max(0, tokens / top));
}
