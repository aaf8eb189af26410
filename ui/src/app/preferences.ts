import { useSyncExternalStore } from "react";
import type { TimeZone } from "../model/formats.js";

export type Theme = "system" | "light" | "dark";

/** The choices of a reader, kept in the browser. */
export interface Preferences {
  readonly theme: Theme;
  readonly zone: TimeZone;
}

const KEY = "agent-inspector";
export const THEMES: readonly Theme[] = ["system", "light", "dark"];
export const ZONES: readonly TimeZone[] = ["local", "utc"];

let preferences = load();
const listeners = new Set<() => void>();
apply();

export function usePreferences(): Preferences {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => preferences,
  );
}

export function nextTheme(): void {
  prefer({ theme: THEMES[(THEMES.indexOf(preferences.theme) + 1) % THEMES.length]! });
}

export function nextZone(): void {
  prefer({ zone: preferences.zone === "utc" ? "local" : "utc" });
}

export function prefer(changes: Partial<Preferences>): void {
  preferences = { ...preferences, ...changes };
  apply();
  localStorage.setItem(KEY, JSON.stringify(preferences));
  for (const listener of listeners) listener();
}

function apply(): void {
  const { theme } = preferences;
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

/** Every page of this origin may write there, so whatever is not understood is ignored. */
function load(): Preferences {
  const text = localStorage.getItem(KEY) ?? "";
  const theme = THEMES.find((name) => text.includes(`"theme":"${name}"`)) ?? "system";
  return { theme, zone: text.includes('"zone":"utc"') ? "utc" : "local" };
}
