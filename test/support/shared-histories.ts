import path from "node:path";
import { InProcessPool } from "../../src/advanced.js";
import { supportedSources } from "../../src/composition/command-line-parts.js";
import type { InspectorDataSource } from "../../src/index.js";
import { realFiles } from "../otlp/support/otlp-files.js";
import { INVENTED, inventedFolder } from "./invented/histories.js";
import { SHARED_DATA, type SharedHistory, sharedHistories } from "./shared-data.js";
import { sized } from "./soak.js";

/** The largest ones take nine tenths of the time of a test that reads all; each format has others. */
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

/** Shared histories of each tool in each day's tests. */
const DAILY = 2;

/**
 * Each day's tests read two shared histories of each tool, without the largest ones; a soak reads all.
 * @param placeOf the folder of a history, or one in it
 */
export function inTurn<T>(all: readonly T[], placeOf: (one: T) => string): readonly T[] {
  const isLarge = (place: string) =>
    LARGE.some((large) => place === large || place.startsWith(`${large}${path.sep}`));
  const counts = new Map<string, number>();
  const isDaily = (place: string) => {
    if (isLarge(place)) return false;
    const [tool = ""] = path.relative(SHARED_DATA, place).split(path.sep);
    if (tool === "..") return true;
    const count = (counts.get(tool) ?? 0) + 1;
    counts.set(tool, count);
    return count <= DAILY;
  };
  return sized(
    all.filter((one) => isDaily(placeOf(one))),
    all,
  );
}

export interface HistoryFolder {
  readonly name: string;
  readonly kind: string;
  readonly folder: string;
  /** The caller closes it. It reads on the event loop. */
  open(): Promise<InspectorDataSource>;
}

/** Invented ones always, shared ones where they are present. */
export function allHistories(): readonly HistoryFolder[] {
  return supportedSources().flatMap((source) => {
    const invented = INVENTED.some(({ kind }) => kind === source.name)
      ? [{ name: "invented", folder: inventedFolder(source.name) }]
      : [];
    return [...invented, ...sharedOf(source.name)].map(({ name, folder }) => ({
      name: `${source.name}, ${name}`,
      kind: source.name,
      folder,
      open: () => source.open(folder, { pool: new InProcessPool() }),
    }));
  });
}

function sharedOf(kind: string): readonly SharedHistory[] {
  switch (kind) {
    case "data":
      return sharedHistories("agentrail");
    case "claude-code":
      return sharedHistories(kind).map(({ name, folder }) => ({
        name,
        folder: path.join(folder, "projects"),
      }));
    case "otlp":
      return realFiles().map((name) => ({ name, folder: path.join(SHARED_DATA, kind, name) }));
    default:
      return sharedHistories(kind);
  }
}
