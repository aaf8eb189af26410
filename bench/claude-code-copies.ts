import { readdirSync, readFileSync } from "node:fs";
import { mkdir, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { projectsFolders } from "../test/claude-code/support/real-histories.js";
import { HAS_SHARED_DATA } from "../test/support/shared-data.js";

const INVENTED = path.resolve(import.meta.dirname, "../test/claude-code/fixtures/projects");

/** Where the histories come from that are copied. */
export const SEED = HAS_SHARED_DATA
  ? { folders: projectsFolders().map(([, folder]) => folder), name: "real histories" }
  : { folders: [INVENTED], name: "the invented histories of the tests" };

/** A session of the seed with the files of its sub-agents, or a sub-agent's file that lies beside the sessions. */
export interface SeedHistory {
  readonly project: string;
  /** The name of its file, and of its folder, without the suffix. */
  readonly name: string;
  readonly files: readonly SeedFile[];
  readonly bytes: number;
  /** What the sessions and sub-agents of the seed are called. */
  readonly names: ReadonlySet<string>;
}

interface SeedFile {
  /** Its path in the project's folder. */
  readonly path: string;
  /** Its bytes as Latin-1: at even places what every copy has, at odd places the ids that each copy has its own of. */
  readonly parts: readonly string[];
}

/** Which copy it is, and how often it goes through the history's lines: more often for a longer session. */
export interface CopyOptions {
  readonly copy: number;
  readonly passes: number;
  /** Whether its files were last written to just now, as in a folder that was copied; else when their last record was. */
  readonly isCopied?: boolean;
}

/** UUIDs and the ids of the API wherever they occur, and the value of any member that is named like an id. */
const IDS =
  /([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\b(?:msg|toolu|srvtoolu|req)_\w+|(?<="\w*(?:id|uuid)":\s*")[^"\\]+)/gi;

/** What names a session or a sub-agent in the path of a file: `<session>/subagents/agent-<sub-agent>.jsonl`. */
const NAMES = /(?<=(?:^|\/)agent-)[^/]+?(?=\.|$)|^(?!agent-)[^/]+?(?=\/|\.|$)/g;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Every history of the seed. */
export function readSeed(): SeedHistory[] {
  const histories = SEED.folders.flatMap((folder) =>
    readdirSync(folder).flatMap((project) => historiesIn(folder, project)),
  );
  const files = histories.flatMap((history) => history.files);
  const names = new Set(files.flatMap((file) => file.path.match(NAMES) ?? []));
  return histories.map((history) => ({ ...history, names }));
}

/** Writes a copy of a history into a project's folder. Its ids are no other copy's, and agree with each other as before. */
export async function writeCopy(
  project: string,
  { files, names }: SeedHistory,
  { copy, passes, isCopied = false }: CopyOptions,
): Promise<void> {
  const first = 1 + copy * passes;
  for (const file of files) {
    const target = path.join(project, nameOfCopy(file.path, { copy, passes }));
    await mkdir(path.dirname(target), { recursive: true });
    // The session and its sub-agents are the same in every pass; what they write is not.
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

/** What a session is called in a copy; also the path of any of its files. */
export function nameOfCopy(name: string, { copy, passes }: CopyOptions): string {
  return name.replace(NAMES, (id) => freshId(id, 1 + copy * passes));
}

/** When the last record of a history that has an instant was written. */
function lastInstant(text: string): Date | undefined {
  const instant = /"timestamp":\s*"(\d[^"]+)"/.exec(text.slice(text.lastIndexOf('"timestamp"')))?.[1];
  return instant === undefined ? undefined : new Date(instant);
}

/** An id in another copy: equal ids stay equal, and different ones different. */
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

/** The paths of all files in a folder, and in the folders of it. */
function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).split(path.sep).join("/"));
}
