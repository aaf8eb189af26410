import { existsSync, readdirSync } from "node:fs";
import path from "node:path";

/**
 * The parent folder of the shared data: histories of real tools, beside a checkout and not part of it. `AGENT_INSPECTOR_SHARED` names
 * another folder; an empty value hides the data.
 */
const SHARED = process.env.AGENT_INSPECTOR_SHARED ?? path.resolve(import.meta.dirname, "../../../shared");

export const SHARED_DATA = path.join(SHARED, "data");

export const HAS_SHARED_DATA = SHARED !== "" && existsSync(SHARED_DATA);

export const WITHOUT_SHARED_DATA = HAS_SHARED_DATA
  ? ""
  : " (skipped: the shared data is missing, there are no histories in ../shared/data)";

/** Kind of source by the start of the path. */
const KINDS: readonly (readonly [start: string, kind: string])[] = [
  ["agentrail/", "data"],
  ["antigravity/", "antigravity"],
  ["atif/", "atif"],
  ["claude-code/", "claude-code"],
  ["cline/", "cline"],
  ["codex/", "codex"],
  ["copilot-cli/", "copilot-cli"],
  ["droid/", "droid"],
  ["gemini-cli/", "gemini-cli"],
  ["inspect/", "inspect"],
  ["kimi/", "kimi"],
  // OpenClaw writes sessions of Pi. These lack the `sessions.json` that distinguishes them.
  ["openclaw/", "pi"],
  ["opencode/", "opencode"],
  ["otlp/", "otlp"],
  ["pi/", "pi"],
  ["qwen-code/", "qwen-code"],
  ["reports/claude-", "claude-code"],
  ["reports/codex-", "codex"],
  ["reports/copilot-", "copilot-cli"],
  ["reports/otlp-", "otlp"],
  ["synthetic/cc-", "claude-code"],
  ["synthetic/cx-", "codex"],
  ["synthetic/gm-", "gemini-cli"],
  // Tools whose histories no source reads.
  ["cursor/", "cursor"],
  ["grok/", "grok"],
  ["hermes/", "hermes"],
  ["vibe/", "vibe"],
];

/** @returns `undefined` for a folder outside of the table, such as a new one */
export function kindOfShared(place: string): string | undefined {
  const posix = `${place.split(path.sep).join("/")}/`;
  return KINDS.find(([start]) => posix.startsWith(start))?.[1];
}

export interface SharedPlace {
  /** Relative to the shared data. */
  readonly place: string;
  readonly folder: string;
  readonly kind: string;
}

export function sharedPlaces(): readonly SharedPlace[] {
  if (!HAS_SHARED_DATA) return [];
  return readdirSync(SHARED_DATA, { recursive: true, withFileTypes: true }).flatMap((entry) => {
    const folder = path.join(entry.parentPath, entry.name);
    const place = path.relative(SHARED_DATA, folder);
    const kind = entry.isDirectory() ? kindOfShared(place) : undefined;
    return kind === undefined ? [] : [{ place, folder, kind }];
  });
}

export interface SharedHistory {
  readonly name: string;
  readonly folder: string;
}

export function sharedHistories(tool: string): readonly SharedHistory[] {
  const folder = path.join(SHARED_DATA, tool);
  if (!HAS_SHARED_DATA || !existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => ({ name, folder: path.join(folder, name) }));
}
