import { isJsonObject, jsonIn, objectField } from "../../../src/domain/json/json.js";
import { readViews, type SavedView } from "../model/sessions/saved-view.js";
import {
  type ColumnWidths,
  columnWidth,
  readColumns,
  readWidths,
} from "../model/sessions/session-columns.js";
import type { SessionColumn } from "../model/sessions/session-table.js";
import type { ClockZone } from "../model/text/formats.js";
import { Store, useStore } from "./store.js";
import { keep, storedValue } from "./stored-values.js";

export type Theme = "system" | "light" | "dark";

/** The time of the visible rows, or all of it. */
type AxisRange = "rows" | "session";

/**
 * Each position is a fraction of the divided width. They divide the columns from the waterfall's bars, the agents' columns from their
 * lanes, and the details without and with JSON.
 */
export type SplitName = "columns" | "agents" | "details" | "detailsWithJson";

export interface Preferences {
  readonly theme: Theme;
  readonly zone: ClockZone;
  readonly axis: AxisRange;
  /** Only for many sessions. */
  readonly overviewFirst: boolean;
  /** Last dismissal of the notice about deletion, in milliseconds since the epoch; 0 for never. */
  readonly dismissedAt: number;
  readonly splits: { readonly [name in SplitName]?: number };
  /** In their order; `undefined` for the columns that sessions fill. */
  readonly columns: readonly SessionColumn[] | undefined;
  /** In pixels, without defaults. */
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
  prefer({ axis: preferences.get().axis === "rows" ? "session" : "rows" });
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

/** Every page of this origin may write there: ignores invalid content. */
function load(): Preferences {
  const stored = jsonIn(storedValue("browser", KEY));
  const { theme, zone, axis, overviewFirst, dismissedAt, ...others } = isJsonObject(stored) ? stored : {};
  const parts = objectField(others, "splits");
  return {
    theme: THEMES.find((name) => name === theme) ?? "system",
    zone: zone === "utc" ? "utc" : "local",
    axis: axis === "session" ? "session" : "rows",
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
