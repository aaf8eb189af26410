import type { FileVersion } from "../../domain/changes/line-authors.js";
import type { CommitOfLine } from "../../domain/changes/line-claims.js";
import { formatInstant } from "../../domain/trace/instant.js";
import { runGit } from "./run-git.js";

/** So many commits of a file are looked at, and about so much of their texts, in bytes: the newest. */
const MOST_COMMITS = 200;
const MOST_TEXTS = 24 * 1024 * 1024;
const MOST_LISTED = 16 * 1024 * 1024;

/** What a repository knows of a file. */
export interface GitFile {
  readonly formerPaths: readonly string[];
  readonly versions: readonly FileVersion[];
  readonly commits: readonly (CommitOfLine | undefined)[];
}

interface Place {
  readonly top: string;
  /** From the top. */
  readonly path: string;
  /** The full id of a commit. Default is the file as it lies there. */
  readonly commit: string | undefined;
  readonly signal: AbortSignal | undefined;
}

/**
 * The full id of the commit that a revision names; `undefined` where it names none.
 *
 * @param revision as somebody typed it
 */
export async function commitOf(
  top: string,
  revision: string,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  if (revision.startsWith("-")) return undefined;
  const args = ["rev-parse", "--verify", "--quiet", "--end-of-options", `${revision}^{commit}`];
  const id = (await runGit(args, { folder: top, maxBytes: 1_000, signal }))?.toString().trim();
  return id !== undefined && /^[0-9a-f]{40,64}$/.test(id) ? id : undefined;
}

/** The folder of the repository that a folder lies in. */
export async function topOf(folder: string, signal: AbortSignal | undefined): Promise<string | undefined> {
  const top = await runGit(["rev-parse", "--show-toplevel"], { folder, maxBytes: 10_000, signal });
  return top?.toString().replace(/\r?\n$/, "") || undefined;
}

/** A file as it was in a commit; `undefined` where it was not there. */
export async function textIn(
  { top, path, commit, signal }: Place,
  maxBytes: number,
): Promise<Buffer | undefined> {
  const input = `${commit}:${path}\n`;
  const [text] = path.includes("\n") ? [] : await objects(top, input, maxBytes + 1_000, signal);
  return text;
}

export async function gitFile(place: Place): Promise<GitFile> {
  const { top, path, commit, signal } = place;
  const [listed, blamed] = await Promise.all([
    runGit(
      [
        ...["log", "--follow", `--max-count=${MOST_COMMITS}`, "--raw", "--no-abbrev", "--no-color"],
        ...["--no-ext-diff", "--no-textconv", "--format=%x01%ct", commit ?? "HEAD", "--", path],
      ],
      { folder: top, maxBytes: MOST_LISTED, signal },
    ),
    runGit(["blame", "-w", "-M", "--porcelain", ...(commit === undefined ? [] : [commit]), "--", path], {
      folder: top,
      maxBytes: MOST_LISTED,
      signal,
    }),
  ]);
  const log = parseLog(listed?.toString() ?? "");
  const ids = log.map(({ blob }) => blob);
  const texts = await objects(top, ids.map((id) => `${id}\n`).join(""), MOST_TEXTS, signal);
  const versions = versionsOf(log, texts);
  return {
    formerPaths: [...new Set(log.flatMap(({ paths }) => paths))].filter((one) => one !== path),
    versions,
    commits: parseBlame(
      blamed?.toString() ?? "",
      versions.map(({ at }) => at),
    ),
  };
}

interface LoggedVersion {
  /** When it was committed, in seconds since the epoch. */
  readonly seconds: number;
  readonly blob: string;
  readonly paths: readonly string[];
}

/** The newest first. */
function parseLog(text: string): LoggedVersion[] {
  return text
    .split("\x01")
    .slice(1)
    .flatMap((entry) => {
      const [seconds = "", ...lines] = entry.split("\n");
      const raw = lines.find((line) => line.startsWith(":"));
      const [, blob, names] = /^:\d+ \d+ [0-9a-f]+ ([0-9a-f]+) [A-Z]\d*\t(.+)$/.exec(raw ?? "") ?? [];
      if (blob === undefined || names === undefined || /^0+$/.test(blob)) return [];
      // A path with odd characters is quoted: it names no file of a history.
      const paths = names.split("\t").filter((name) => !name.startsWith('"'));
      return [{ seconds: Number(seconds), blob, paths }];
    });
}

/** The oldest first. A clock that was set back makes no version older than the one before. */
function versionsOf(log: readonly LoggedVersion[], texts: readonly Buffer[]): FileVersion[] {
  const versions: FileVersion[] = [];
  let last = Number.NEGATIVE_INFINITY;
  for (let i = texts.length - 1; i >= 0; i--) {
    last = Math.max(last, endOfSecond(log[i]!.seconds));
    versions.push({ at: last, text: withoutReturns(texts[i]!.toString()) });
  }
  return versions;
}

export function withoutReturns(text: string): string {
  return text.replaceAll("\r\n", "\n");
}

/** Git knows whole seconds. In milliseconds. */
function endOfSecond(seconds: number): number {
  return seconds * 1_000 + 999;
}

/** Objects, as far as they are not too much together. */
async function objects(
  top: string,
  input: string,
  maxBytes: number,
  signal: AbortSignal | undefined,
): Promise<Buffer[]> {
  if (input === "") return [];
  const written = await runGit(["cat-file", "--batch"], { folder: top, input, maxBytes, signal });
  const found: Buffer[] = [];
  for (let at = 0; written !== undefined && at < written.length; ) {
    const end = written.indexOf(10, at);
    const size = /^[0-9a-f]+ blob (\d+)$/.exec(written.toString("latin1", at, end === -1 ? at : end))?.[1];
    if (size === undefined) break;
    const from = end + 1;
    const to = from + Number(size);
    if (to > written.length) break;
    found.push(written.subarray(from, to));
    at = to + 1;
  }
  return found;
}

/** @param versions when the file was committed, the oldest first */
function parseBlame(text: string, versions: readonly number[]): (CommitOfLine | undefined)[] {
  const known = new Map<string, { author: string; summary: string; seconds: number }>();
  const lines: (CommitOfLine | undefined)[] = [];
  let id = "";
  let isHead = true;
  for (const line of text.split("\n")) {
    if (line.startsWith("\t")) {
      const { author, summary, seconds } = known.get(id)!;
      const isCommitted = !/^0+$/.test(id);
      const at = isCommitted ? endOfSecond(seconds) : Number.POSITIVE_INFINITY;
      const timestamp = formatInstant(seconds * 1_000);
      const commit = isCommitted
        ? { id, author, summary, timestamp }
        : { author: "", summary: "not committed yet", timestamp };
      lines.push({ commit, at, previousAt: versions.findLast((one) => one < at) });
      isHead = true;
    } else if (isHead) {
      id = line.split(" ", 1)[0]!;
      if (id !== "" && !known.has(id)) known.set(id, { author: "", summary: "", seconds: 0 });
      isHead = false;
    } else {
      const commit = known.get(id)!;
      if (line.startsWith("author ")) commit.author = line.slice(7);
      else if (line.startsWith("summary ")) commit.summary = line.slice(8);
      else if (line.startsWith("committer-time ")) commit.seconds = Number(line.slice(15));
    }
  }
  return lines;
}
