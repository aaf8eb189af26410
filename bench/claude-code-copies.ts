import { readdirSync, readFileSync } from "node:fs";
import { mkdir, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { projectsFolders } from "../test/claude-code/support/real-histories.js";
import { HAS_SHARED_DATA } from "../test/support/shared-data.js";

const INVENTED = path.resolve(import.meta.dirname, "../test/claude-code/fixtures/projects");

export const SEED = HAS_SHARED_DATA
  ? { folders: projectsFolders().map(([, folder]) => folder), name: "real histories" }
  : { folders: [INVENTED], name: "the invented histories of the tests" };

export interface SeedHistory {
  readonly project: string;
  /** Without the suffix. */
  readonly name: string;
  readonly files: readonly SeedFile[];
  readonly bytes: number;
  readonly names: ReadonlySet<string>;
}

interface SeedFile {
  readonly path: string;
  /** Latin-1: common bytes at even indexes, and the ids of each copy at odd ones. */
  readonly parts: readonly string[];
}

/** `passes`: repetitions of the history's lines, more for a longer session. */
export interface CopyOptions {
  readonly copy: number;
  readonly passes: number;
  /** True sets current file times, as in a copied folder; false sets those of the last records. */
  readonly isCopied?: boolean;
}

/** UUIDs and API ids anywhere, and the value of any member with the name of an id. */
const IDS =
  /([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\b(?:msg|toolu|srvtoolu|req)_\w+|(?<="\w*(?:id|uuid)":\s*")[^"\\]+)/gi;

/** Names in a file's path: `<session>/subagents/agent-<sub-agent>.jsonl`. */
const NAMES = /(?<=(?:^|\/)agent-)[^/]+?(?=\.|$)|^(?!agent-)[^/]+?(?=\/|\.|$)/g;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export function readSeed(): SeedHistory[] {
  const histories = SEED.folders.flatMap((folder) =>
    readdirSync(folder).flatMap((project) => historiesIn(folder, project)),
  );
  const files = histories.flatMap((history) => history.files);
  const names = new Set(files.flatMap((file) => file.path.match(NAMES) ?? []));
  return histories.map((history) => ({ ...history, names }));
}

/** Each copy has unique ids, with the same relations between them. */
export async function writeCopy(
  project: string,
  { files, names }: SeedHistory,
  { copy, passes, isCopied = false }: CopyOptions,
): Promise<void> {
  const first = 1 + copy * passes;
  for (const file of files) {
    const target = path.join(project, nameOfCopy(file.path, { copy, passes }));
    await mkdir(path.dirname(target), { recursive: true });
    // Session and sub-agents are the same in every pass; their records are not.
    const texts = Array.from({ length: file.path.endsWith(".jsonl") ? passes : 1 }, (_, pass) =>
      file.parts
        .map((part, i) => (i % 2 === 0 ? part : freshId(part, names.has(part) ? first : first + pass)))
        .join(""),
    );
    const text = texts.join(texts[0]?.endsWith("\n") ? "" : "\n");
    await writeFile(target, text, "latin1");
    const writtenAt = isCopied ? undefined : lastInstant(text);
    if (writtenAt !== undefined) await utimes(target, writtenAt, writtenAt);
  }
}

/** Also for the path of any of its files. */
export function nameOfCopy(name: string, { copy, passes }: CopyOptions): string {
  return name.replace(NAMES, (id) => freshId(id, 1 + copy * passes));
}

function lastInstant(text: string): Date | undefined {
  const instant = /"timestamp":\s*"(\d[^"]+)"/.exec(text.slice(text.lastIndexOf('"timestamp"')))?.[1];
  return instant === undefined ? undefined : new Date(instant);
}

/** Equal ids stay equal, and different ones different. */
function freshId(id: string, copy: number): string {
  if (!UUID.test(id)) return `${id}x${copy}`;
  const head = (Number.parseInt(id.slice(0, 8), 16) ^ Math.imul(copy, 0x9e3779b1)) >>> 0;
  return head.toString(16).padStart(8, "0") + id.slice(8);
}

function historiesIn(folder: string, project: string): Omit<SeedHistory, "names">[] {
  const histories = new Map<string, { files: SeedFile[]; bytes: number }>();
  for (const file of filesIn(path.join(folder, project))) {
    const name = file.split("/")[0]!.replace(/\.jsonl$/, "");
    const bytes = readFileSync(path.join(folder, project, file));
    const history = histories.get(name) ?? { files: [], bytes: 0 };
    history.files.push({ path: file, parts: bytes.toString("latin1").split(IDS) });
    history.bytes += bytes.length;
    histories.set(name, history);
  }
  return [...histories].map(([name, history]) => ({ project, name, ...history }));
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).split(path.sep).join("/"));
}
