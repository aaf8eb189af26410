import { stat } from "node:fs/promises";
import { homedir } from "node:os";
import path from "node:path";
import type { TranscriptFormat } from "../../adapters/transcripts/format.js";
import type { TranscriptOptions } from "../../adapters/transcripts/transcript-data-source.js";
import type { InspectorDataSource } from "../../application/ports/inspector-data-source.js";
import { runInSlices } from "../../application/threads/slices.js";
import { CommandLineError } from "./command-line-error.js";

/** A kind of histories that the command line finds and shows. */
export interface KnownSource {
  /** What `--source` calls it, and the key of its sessions among others. */
  readonly name: string;
  /** What people call it among others. */
  readonly title: string;
  /** What such a folder is. */
  readonly kind: string;
  /** What has to be in it: goes on from "there is no". */
  readonly required: string;
  /** Where it is looked for where no folder is named. */
  readonly place: string;
  /** Where it lies in folders that people may name instead. */
  readonly inside: readonly string[];
  /** Whether a folder is one, by what is in it. */
  recognises(folder: string): Promise<boolean>;
  open(folder: string, options: OpenOptions): Promise<InspectorDataSource>;
}

type OpenOptions = Pick<TranscriptOptions, "pool" | "readAhead" | "onProgress" | "cacheDir">;

/** All that are known, in the order in which they are named to people. Their code is loaded when they are. */
export function knownSources(env = process.env, home = homedir()): readonly KnownSource[] {
  return [
    {
      name: "data",
      title: "Data directory",
      kind: "data directory",
      required: 'folder "tenants" in it',
      place: "./data",
      inside: ["data"],
      recognises: (folder) => isFolder(path.join(folder, "tenants")),
      open: async (folder, options) =>
        (await import("../data-sources.js")).createFilesystemInspectorDataSource(folder, options),
    },
    {
      name: "claude-code",
      title: "Claude Code",
      kind: "Claude Code projects directory",
      required: "folder in it that holds .jsonl files of Claude Code's records",
      place: path.join(env.CLAUDE_CONFIG_DIR || path.join(home, ".claude"), "projects"),
      inside: ["projects", ".claude/projects"],
      recognises: recognisedAs(
        async () =>
          (await import("../../adapters/formats/claude-code/claude-code-format.js")).claudeCodeFormat,
      ),
      open: async (folder, options) =>
        (await import("../transcript-sources.js")).createClaudeCodeDataSource(folder, options),
    },
    {
      name: "codex",
      title: "Codex",
      kind: "Codex home directory",
      required: "folder in it that holds Codex's rollout-*.jsonl files",
      place: env.CODEX_HOME || path.join(home, ".codex"),
      inside: [".codex"],
      recognises: recognisedAs(
        async () => (await import("../../adapters/formats/codex/codex-format.js")).codexFormat,
      ),
      open: async (folder, options) =>
        (await import("../transcript-sources.js")).createCodexDataSource(folder, options),
    },
    {
      name: "gemini-cli",
      title: "Gemini CLI",
      kind: "Gemini CLI directory",
      required: "session of Gemini CLI in it",
      place: path.join(home, ".gemini"),
      inside: [".gemini"],
      recognises: recognisedAs(
        async () => (await import("../../adapters/formats/gemini-cli/gemini-cli-format.js")).geminiCliFormat,
      ),
      open: async (folder, options) =>
        (await import("../transcript-sources.js")).createGeminiCliDataSource(folder, options),
    },
    {
      name: "otlp",
      title: "OpenTelemetry",
      kind: "folder of OpenTelemetry traces",
      required: "file in it of OTLP JSON or JSON Lines (.json, .jsonl)",
      place: "./otlp",
      inside: [],
      recognises: async (folder) =>
        runInSlices((await import("../../adapters/otlp/recognise.js")).recognisesOtlp(folder)),
      open: async (directory, { pool }) =>
        (await import("../otlp-data-source.js")).createOtlpDataSource({ directory, pool }),
    },
  ];
}

function recognisedAs(load: () => Promise<TranscriptFormat>): KnownSource["recognises"] {
  return async (folder) =>
    (await isFolder(folder)) && runInSlices((await load()).recognises(path.resolve(folder)));
}

/** @throws CommandLineError for a name that is none */
export function knownSource(name: string): KnownSource {
  const known = knownSources();
  const kind = known.find((one) => one.name === name);
  if (kind !== undefined) return kind;
  throw new CommandLineError(`There is no kind of source "${name}". Known are ${namesOf(known)}.`);
}

export function namesOf(known: readonly KnownSource[]): string {
  return known.map(({ name }) => name).join(", ");
}

/**
 * What a folder that was named is.
 *
 * @param said what its user says it is
 * @throws CommandLineError for one that is missing or of no kind that can be told: it says what to name instead, and how
 */
export async function kindOf(folder: string, said?: KnownSource): Promise<KnownSource> {
  const stats = await statOf(folder);
  if (stats === undefined) throw new CommandLineError(`There is no folder "${folder}".`);
  if (said !== undefined && stats.isDirectory()) return said;
  const known = knownSources();
  const [kind, other] = await recognisedIn(folder, known);
  if (other !== undefined) {
    throw new CommandLineError(
      `"${folder}" may be a ${kind?.kind} or a ${other.kind}. Say which: --source ${kind?.name}, or --source ${other.name}.`,
    );
  }
  if (kind !== undefined) return kind;
  const better = (await foldersInside(folder, known)) ?? (await folderAround(folder, known));
  if (better !== undefined) throw new CommandLineError(`"${folder}" ${better}`);
  if (!stats.isDirectory()) {
    throw new CommandLineError(`"${folder}" is a file. Name the folder that the histories lie in.`);
  }
  const kinds = known.map((one) => `no ${one.kind}: there is no ${one.required}`).join(",\n  ");
  throw new CommandLineError(
    `"${folder}" is ${kinds}.\nWhere it is one of them nevertheless, say which with --source (${namesOf(known)}).`,
  );
}

async function recognisedIn(folder: string, known: readonly KnownSource[]): Promise<KnownSource[]> {
  const found: KnownSource[] = [];
  for (const kind of known) if (await kind.recognises(folder)) found.push(kind);
  return found;
}

/** A home folder, or a tool's own: what to show lies in it. */
async function foldersInside(folder: string, known: readonly KnownSource[]): Promise<string | undefined> {
  const found: string[] = [];
  for (const kind of known) {
    for (const name of kind.inside) {
      const inside = path.join(folder, name);
      if (await kind.recognises(inside)) found.push(`the ${kind.kind} ${inside}`);
    }
  }
  return found.length === 0 ? undefined : `holds ${found.join(" and ")}. Name that instead.`;
}

/** How far up a folder is looked for that the named one is a part of: a project, a month, a session. */
const LEVELS_UP = 4;

async function folderAround(folder: string, known: readonly KnownSource[]): Promise<string | undefined> {
  // Any part of a folder of traces can be named by itself.
  const wholes = known.filter(({ inside }) => inside.length > 0);
  let around = path.resolve(folder);
  for (let level = 0; level < LEVELS_UP; level++) {
    around = path.dirname(around);
    const [kind] = await recognisedIn(around, wholes);
    if (kind !== undefined) return `is a part of the ${kind.kind} ${around}. Name that instead.`;
  }
  return undefined;
}

async function isFolder(file: string): Promise<boolean> {
  return (await statOf(file))?.isDirectory() ?? false;
}

async function statOf(file: string) {
  try {
    return await stat(file);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw new CommandLineError(`"${file}" cannot be read (${code}).`, { cause: error });
  }
}
