import { stat } from "node:fs/promises";
import path from "node:path";
import type { ListProgress } from "../../adapters/filesystem/session-catalog.js";
import type { InspectorDataSource } from "../../application/ports/inspector-data-source.js";
import { createFilesystemInspectorDataSource } from "../data-sources.js";
import { openDemo } from "../demo/open-demo.js";
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
  readonly onProgress?: ((progress: ListProgress) => void) | undefined;
}

/** A kind of folder that can be shown, recognised by what is in it. */
interface SourceKind {
  readonly name: string;
  /** What `recognises` looks for, for the message that it is not there. */
  readonly lookedFor: string;
  /** Where such a folder lies when nobody names one. */
  readonly defaultPath: string;
  recognises(folder: string): Promise<boolean>;
  open(folder: string, options: OpenSourceOptions): InspectorDataSource;
}

/** Asked in this order, both for a folder that was named and for the places to look in without one. */
const SOURCE_KINDS: readonly SourceKind[] = [
  {
    name: "data directory",
    lookedFor: 'folder "tenants" in it',
    defaultPath: "./data",
    recognises: (folder) => isFolder(path.join(folder, "tenants")),
    open: (folder, { onProgress }) => createFilesystemInspectorDataSource(folder, { onProgress }),
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
  const missing = SOURCE_KINDS.map((kind) => `${kind.defaultPath} is no ${kind.name}`).join(" and ");
  return openDemoSource(`the demo, because ${missing}`, options);
}

/** Writes the demo into a folder of its own, which goes away when it is closed. */
export async function openDemoSource(
  description: string,
  { onProgress }: OpenSourceOptions,
): Promise<OpenedSource> {
  const demo = await openDemo();
  return {
    source: createFilesystemInspectorDataSource(demo.dataDir, { onProgress }),
    description,
    close: () => demo.close(),
  };
}

function openFolder(folder: string, kind: SourceKind, options: OpenSourceOptions): OpenedSource {
  const source = kind.open(folder, options);
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
  const kinds = SOURCE_KINDS.map((kind) => `no ${kind.name}: there is no ${kind.lookedFor}`).join(", and ");
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
