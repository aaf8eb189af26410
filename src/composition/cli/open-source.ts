import { stat } from "node:fs/promises";
import { homedir } from "node:os";
import path from "node:path";
import { claudeCodeFormat } from "../../adapters/claude-code/claude-code-format.js";
import { isProject } from "../../adapters/claude-code/recognise.js";
import { geminiCliFormat } from "../../adapters/gemini-cli/gemini-cli-format.js";
import type { InspectorDataSource } from "../../application/ports/inspector-data-source.js";
import type { ListProgress } from "../../application/ports/list-progress.js";
import type { ReadingPool } from "../../application/ports/reading-pool.js";
import { runInSlices } from "../../application/slices.js";
import { createClaudeCodeDataSource } from "../claude-code-data-source.js";
import { createFilesystemInspectorDataSource } from "../data-sources.js";
import { createGeminiCliDataSource } from "../gemini-cli-data-source.js";
import { usableCacheDir } from "./cache-commands.js";
import { CommandLineError } from "./command-line-error.js";

/** What is served, and how to call it. */
export interface OpenedSource {
  readonly source: InspectorDataSource;
  /** Goes on from "Showing …". */
  readonly description: string;
  /** Releases what was opened or written for it. */
  close(): Promise<void>;
}

export interface OpenSourceOptions {
  /** Where files are read. Default is a thread of the source's own. */
  readonly pool?: ReadingPool | undefined;
  readonly onProgress?: ((progress: ListProgress) => void) | undefined;
  /** Whether what is read of a folder is kept in the user's cache folder for the next start. Default is no. */
  readonly cache?: boolean | undefined;
}

/** A kind of folder that can be shown, recognised by what is in it. */
interface SourceKind {
  readonly name: string;
  /** What `recognises` requires, for the message that it is missing. */
  readonly required: string;
  /** The folder that is opened when none is named. */
  readonly defaultPath: string;
  /** How to call that place. Default is its path. */
  readonly defaultName?: string | undefined;
  recognises(folder: string): Promise<boolean>;
  open(
    folder: string,
    options: Omit<OpenSourceOptions, "cache"> & { readonly cacheDir: string | undefined },
  ): InspectorDataSource;
}

/** Tried in this order, both for a folder that was named and for the default paths without one. */
const SOURCE_KINDS: readonly SourceKind[] = [
  {
    name: "data directory",
    required: 'folder "tenants" in it',
    defaultPath: "./data",
    recognises: (folder) => isFolder(path.join(folder, "tenants")),
    open: createFilesystemInspectorDataSource,
  },
  {
    name: "Claude Code projects directory",
    required: "folder in it that holds .jsonl files of Claude Code's records",
    defaultPath: path.join(process.env.CLAUDE_CONFIG_DIR ?? path.join(homedir(), ".claude"), "projects"),
    defaultName: process.env.CLAUDE_CONFIG_DIR === undefined ? "~/.claude/projects" : undefined,
    recognises: async (folder) => runInSlices(claudeCodeFormat.recognises(path.resolve(folder))),
    open: createClaudeCodeDataSource,
  },
  {
    name: "Gemini CLI directory",
    required: "session of Gemini CLI in it",
    defaultPath: path.join(homedir(), ".gemini"),
    defaultName: "~/.gemini",
    recognises: async (folder) => runInSlices(geminiCliFormat.recognises(path.resolve(folder))),
    open: createGeminiCliDataSource,
  },
];

/**
 * Opens the folder that was named; without one, the first default place that is what it should be, else the demo.
 *
 * @throws CommandLineError for a folder that is missing or of no known kind
 */
export async function openSource(
  folder: string | undefined,
  options: OpenSourceOptions,
): Promise<OpenedSource> {
  if (folder !== undefined) return openFolder(folder, await kindOf(folder), options);
  for (const kind of SOURCE_KINDS) {
    if (await kind.recognises(kind.defaultPath)) return openFolder(kind.defaultPath, kind, options);
  }
  const missing = SOURCE_KINDS.map(
    (kind) => `${kind.defaultName ?? kind.defaultPath} is no ${kind.name}`,
  ).join(" and ");
  return openDemoSource(`the demo, because ${missing}`, options);
}

/** Writes the demo into a folder of its own, which goes away when it is closed. */
export async function openDemoSource(description: string, options: OpenSourceOptions): Promise<OpenedSource> {
  const { openDemo } = await import("./open-demo.js"); // loaded only where the demo is shown
  const demo = await openDemo();
  const source = createFilesystemInspectorDataSource(demo.dataDir, options);
  return {
    source,
    description,
    async close() {
      await source.close?.();
      await demo.close();
    },
  };
}

async function openFolder(
  folder: string,
  kind: SourceKind,
  { cache, ...options }: OpenSourceOptions,
): Promise<OpenedSource> {
  const cacheDir = cache ? await usableCacheDir() : undefined;
  const source = kind.open(folder, { ...options, cacheDir });
  return {
    source,
    description: `the ${kind.name} ${folder}`,
    close: async () => source.close?.(),
  };
}

async function kindOf(folder: string): Promise<SourceKind> {
  if (!(await exists(folder))) throw new CommandLineError(`There is no folder "${folder}".`);
  for (const kind of SOURCE_KINDS) {
    if (await kind.recognises(folder)) return kind;
  }
  const parent = path.resolve(folder, "..");
  if (isProject(parent, path.resolve(folder))) {
    throw new CommandLineError(
      `"${folder}" looks like one project of Claude Code. Name the folder that it lies in.`,
    );
  }
  const kinds = SOURCE_KINDS.map((kind) => `no ${kind.name}: there is no ${kind.required}`).join(", and ");
  throw new CommandLineError(`"${folder}" is ${kinds}.`);
}

async function exists(file: string): Promise<boolean> {
  return (await statOf(file)) !== undefined;
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
