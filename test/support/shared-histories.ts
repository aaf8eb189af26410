import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { HISTORY_FORMATS } from "../../src/adapters/formats/registry.js";
import { TranscriptDataSource } from "../../src/adapters/transcripts/transcript-data-source.js";
import { asDataSource } from "../../src/application/sources/lift.js";
import type { InspectorDataSource } from "../../src/index.js";
import { sized } from "./soak.js";

/** Real histories lie beside the repository, not in it: a clone alone has none. `AGENT_INSPECTOR_SHARED` names another place. */
export const SHARED_DATA = path.join(
  process.env.AGENT_INSPECTOR_SHARED ?? path.resolve(import.meta.dirname, "../../../shared"),
  "data",
);

export const HAS_SHARED_DATA = existsSync(SHARED_DATA);

/** The end of a skipped test's title. */
export const WITHOUT_SHARED_DATA = HAS_SHARED_DATA
  ? ""
  : " (skipped: the real histories in ../shared/data are not here)";

/** The largest ones, which take nine tenths of the time of whoever reads all; of each format there are others. */
const LARGE = [
  ...["spotter", "entire-cli", "claude-code-viewer", "sniffly", "agentcmd", "run-2.1.331"].map(
    (name) => `claude-code/${name}`,
  ),
  ...[
    "session-bridge",
    "migrated-session-bridge",
    "openprintkit",
    "cyspbot",
    "migrated-cyspbot",
    "codemie",
  ].map((name) => `codex/${name}`),
  ...["gemini-cli/session-bridge", "inspect/inspect_ai", "opencode/gatomia-vscode"],
  ...["copilot-cli/gatomia-vscode", "copilot-cli/schema-sdk-1.0.14"],
  ...["vercel-ai-sdk-1", "crewai-error", "crewai-mcp-structured"].map(
    (name) => `otlp/sideseat/${name}.jsonl`,
  ),
].map((place) => path.join(SHARED_DATA, place));

/**
 * What a test reads that holds of any history: in each day's tests all but the largest ones, in a soak all of them.
 *
 * @param placeOf the folder of a history, or one in it
 */
export function inTurn<T>(all: readonly T[], placeOf: (one: T) => string): readonly T[] {
  const isLarge = (place: string) =>
    LARGE.some((large) => place === large || place.startsWith(`${large}${path.sep}`));
  return sized(
    all.filter((one) => !isLarge(placeOf(one))),
    all,
  );
}

/** A folder of histories of one tool. */
export interface SharedFolder {
  readonly name: string;
  readonly folder: string;
  open(): InspectorDataSource;
}

/** The formats that have suites of their own over their shared folders. */
const APART = new Set(["claude-code", "codex", "gemini-cli"]);

/** All shared folders of all other formats that are known. */
export async function sharedFolders(): Promise<SharedFolder[]> {
  if (!HAS_SHARED_DATA) return [];
  const found: SharedFolder[] = [];
  for (const { name, load } of HISTORY_FORMATS.filter((format) => !APART.has(format.name))) {
    const { tasks } = await load();
    const tool = path.join(SHARED_DATA, name);
    for (const entry of existsSync(tool) ? readdirSync(tool, { withFileTypes: true }) : []) {
      if (!entry.isDirectory()) continue;
      const folder = path.join(tool, entry.name);
      const open = () => asDataSource(new TranscriptDataSource(folder, tasks, { threads: false }));
      found.push({ name: `${name}, ${entry.name}`, folder, open });
    }
  }
  return found;
}
