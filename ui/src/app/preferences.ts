import { isJsonObject, jsonIn, objectField } from "../../../src/domain/json/json.js";
import type { ClockZone } from "../model/formats.js";
import { readViews, type SavedView } from "../model/saved-view.js";
import { type ColumnWidths, columnWidth, readColumns, readWidths } from "../model/session-columns.js";
import type { SessionColumn } from "../model/session-table.js";
import { keep, kept } from "./kept.js";
import { Store, useStore } from "./store.js";

export type Theme = "system" | "light" | "dark";

/** Range of a trace's time axis: the time of the visible rows, or all of it. */
type AxisRange = "rows" | "whole";

/**
 * Positions of dividers, each as a fraction of the width that it divides. They set the widths of the waterfall's columns beside its bars,
 * of the agents' columns beside their lanes, and of the details without and with their JSON.
 */
export type SplitName = "columns" | "agents" | "details" | "detailsWithJson";

/** The choices of a reader, stored in the browser. */
export interface Preferences {
  readonly theme: Theme;
  readonly zone: ClockZone;
  readonly axis: AxisRange;
  /** True if the page opens with the overview when there are many sessions. */
  readonly overviewFirst: boolean;
  /** When what is deleted soon was dismissed last, in milliseconds since the epoch; 0 for never. */
  readonly dismissedAt: number;
  /** Without those that lie where they lie by default. */
  readonly splits: { readonly [name in SplitName]?: number };
  /** Of the list of sessions, in their order; `undefined` for those that sessions fill. */
  readonly columns: readonly SessionColumn[] | undefined;
  /** In pixels, without those that are as wide as they are by default. */
  readonly columnWidths: ColumnWidths;
  readonly views: readonly SavedView[];
}

const KEY = "agent-inspector";
export const THEMES: readonly Theme[] = ["system", "light", "dark"];
export const ZONES: readonly ClockZone[] = ["local", "utc"];
const SPLITS: readonly SplitName[] = ["columns", "agents", "details", "detailsWithJson"];

const preferences = new Store(load());
apply(preferences.get());

export function usePreferences(): Preferences {
  return useStore(preferences);
}

export function nextTheme(): void {
  const { theme } = preferences.get();
  prefer({ theme: THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length]! });
}

export function nextZone(): void {
  prefer({ zone: preferences.get().zone === "utc" ? "local" : "utc" });
}

export function nextAxis(): void {
  prefer({ axis: preferences.get().axis === "rows" ? "whole" : "rows" });
}

/** @param part `undefined` is the default */
export function putSplit(name: SplitName, part: number | undefined): void {
  const { [name]: _, ...others } = preferences.get().splits;
  prefer({ splits: part === undefined ? others : { ...others, [name]: part } });
}

/** @param width in pixels; `undefined` is the default */
export function putColumnWidth(column: SessionColumn, width: number | undefined): void {
  const { [column]: _, ...others } = preferences.get().columnWidths;
  prefer({ columnWidths: width === undefined ? others : { ...others, [column]: columnWidth(width) } });
}

export function prefer(changes: Partial<Preferences>): void {
  const preferred = { ...preferences.get(), ...changes };
  apply(preferred);
  keep("browser", KEY, JSON.stringify(preferred));
  preferences.set(preferred);
}

function apply({ theme }: Preferences): void {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

/** Every page of this origin may write there, so whatever is not understood is ignored. */
function load(): Preferences {
  const stored = jsonIn(kept("browser", KEY));
  const { theme, zone, axis, overviewFirst, dismissedAt, ...others } = isJsonObject(stored) ? stored : {};
  const parts = objectField(others, "splits");
  return {
    theme: THEMES.find((name) => name === theme) ?? "system",
    zone: zone === "utc" ? "utc" : "local",
    axis: axis === "whole" ? "whole" : "rows",
    overviewFirst: overviewFirst === true,
    dismissedAt: typeof dismissedAt === "number" ? dismissedAt : 0,
    columns: Array.isArray(others.columns) ? readColumns(others.columns.join(",")) : undefined,
    columnWidths: readWidths(objectField(others, "columnWidths")),
    views: readViews(others.views),
    splits: Object.fromEntries(SPLITS.map((name) => [name, parts[name]]).filter(([, part]) => isPart(part))),
  };
}

function isPart(value: unknown): boolean {
  return typeof value === "number" && value > 0 && value < 1;
}
