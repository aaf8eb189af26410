import type { RepositoryProblem } from "../../application/ports/workspace-files.js";
import type { FileVersion } from "../../domain/changes/line-authors.js";
import type { CommitOfLine } from "../../domain/changes/line-claims.js";
import { formatInstant } from "../../domain/trace/instant.js";
import type { IsolatedRepository } from "./isolated-repository.js";
import type { GitOutput } from "./run-git.js";

const MOST_COMMITS = 200;
const MOST_TEXTS = 24 * 1024 * 1024;
const MOST_LISTED = 16 * 1024 * 1024;

const MOST_SUMMARY = 1_000;

export interface GitFile {
  readonly formerPaths: readonly string[];
  readonly versions: readonly FileVersion[];
  readonly commits: readonly (CommitOfLine | undefined)[];
  readonly problem?: RepositoryProblem | undefined;
}

export interface FileInRepository {
  readonly repository: IsolatedRepository;
  /** From the top of the repository. */
  readonly path: string;
  /** Bytes, because decoded text of another encoding would differ from the commits. */
  readonly bytes: Buffer;
  /** Full ID. Default is the file in the folder. */
  readonly commit: string | undefined;
}

/** @returns the full ID of the revision's commit; `undefined` without a commit, and the reason if git cannot answer */
export async function commitOf(
  repository: IsolatedRepository,
  revision: string,
): Promise<{ readonly id: string | undefined; readonly problem?: RepositoryProblem | undefined }> {
  if (revision.startsWith("-") || revision.includes("\0")) return { id: undefined };
  if (revision.includes("@{")) await repository.addLogs();
  const args = ["rev-parse", "--verify", "--quiet", "--end-of-options", `${revision}^{commit}`];
  const { bytes, problem } = await repository.run(args, { maxBytes: 1_000 });
  const id = bytes.toString().trim();
  return { id: /^[0-9a-f]{40,64}$/.test(id) ? id : undefined, problem };
}

/** @returns at most `maxBytes` and one more; no bytes if the commit does not have the file, or git cannot read it */
export async function bytesIn(
  repository: IsolatedRepository,
  commit: string,
  path: string,
  maxBytes: number,
): Promise<{ readonly bytes: Buffer | undefined; readonly problem?: RepositoryProblem | undefined }> {
  if (path.includes("\n")) return { bytes: undefined };
  const { blobs, problem } = await readBlobs(repository, [`${commit}:${path}`], maxBytes + 1_000);
  if (problem !== undefined && problem !== "large") return { bytes: undefined, problem };
  return { bytes: blobs[0]?.subarray(0, maxBytes + 1) };
}

export async function gitFile(file: FileInRepository): Promise<GitFile> {
  const [{ log, versions, problem }, blamed] = await Promise.all([versionsOf(file), blame(file)]);
  const instants = versions.map(({ at }) => at);
  // git refuses to blame a file that no commit has: it is new.
  const isNew = log.length === 0 && problem === undefined && blamed.problem === "damaged";
  return {
    formerPaths: [...new Set(log.flatMap(({ paths }) => paths))].filter((former) => former !== file.path),
    versions,
    commits: parseBlame(completeLines(blamed.bytes), instants),
    problem: isNew ? undefined : (problem ?? blamed.problem),
  };
}

/** Passes the bytes, because git would read the file through the repository's filters. */
async function blame({ repository, path, bytes, commit }: FileInRepository): Promise<GitOutput> {
  const args = ["blame", "-w", "-M", "--porcelain", "--no-textconv"];
  const options = { maxBytes: MOST_LISTED };
  if (commit !== undefined) return repository.run([...args, commit, "--", path], options);
  const withText = [...args, "--contents", "-", "--", path];
  const blamed = await repository.run(withText, { ...options, input: bytes });
  // Before the commit, only the index has a renamed file's name.
  const isRefused = blamed.problem === "damaged" && blamed.bytes.length === 0;
  return isRefused ? repository.run(withText, { ...options, input: bytes, withIndex: true }) : blamed;
}

interface LoggedVersion {
  readonly seconds: number;
  readonly blob: string;
  readonly paths: readonly string[];
}

async function versionsOf({ repository, path, commit }: FileInRepository) {
  const args = [
    ...["log", "--follow", `--max-count=${MOST_COMMITS}`, "--raw", "--no-abbrev", "--no-color"],
    ...["--no-ext-diff", "--no-textconv", "--no-show-signature", "--format=%x01%ct"],
  ];
  const listed = await repository.run([...args, commit ?? "HEAD", "--", path], { maxBytes: MOST_LISTED });
  const log = parseLog(completeLines(listed.bytes));
  const blobs = log.map(({ blob }) => blob);
  const read = await readBlobs(repository, blobs, MOST_TEXTS);
  const texts = read.problem === undefined ? read.blobs : read.blobs.slice(0, -1);
  const hasHistory = listed.problem !== "damaged" || commit !== undefined || (await hasHead(repository));
  const problem = listed.problem ?? (read.problem === "large" ? undefined : read.problem);
  return { log, versions: orderedVersions(log, texts), problem: hasHistory ? problem : undefined };
}

async function hasHead(repository: IsolatedRepository): Promise<boolean> {
  const { bytes } = await repository.run(["rev-parse", "--verify", "--quiet", "HEAD"], { maxBytes: 1_000 });
  return bytes.length > 0;
}

function completeLines(bytes: Buffer): string {
  return bytes.toString("utf8", 0, bytes.lastIndexOf(10) + 1);
}

function parseLog(text: string): LoggedVersion[] {
  return text
    .split("\x01")
    .slice(1)
    .flatMap((entry) => {
      const [seconds = "", ...lines] = entry.split("\n");
      const raw = lines.find((line) => line.startsWith(":"));
      const [, blob, names] = /^:\d+ \d+ [0-9a-f]+ ([0-9a-f]+) [A-Z]\d*\t(.+)$/.exec(raw ?? "") ?? [];
      if (blob === undefined || names === undefined || /^0+$/.test(blob)) return [];
      // git quotes a path with unusual characters, which no history has.
      const paths = names.split("\t").filter((name) => !name.startsWith('"'));
      return [{ seconds: secondsIn(seconds), blob, paths }];
    });
}

/** Oldest first. Times never decrease, although clocks may have been set back. */
function orderedVersions(
  log: readonly LoggedVersion[],
  texts: readonly (Buffer | undefined)[],
): FileVersion[] {
  const versions: FileVersion[] = [];
  let last = Number.NEGATIVE_INFINITY;
  for (let i = log.length - 1; i >= 0; i--) {
    const text = texts[i];
    if (text === undefined) continue;
    last = Math.max(last, endOfSecond(log[i]!.seconds));
    versions.push({ at: last, text: withoutReturns(text.toString()) });
  }
  return versions;
}

export function withoutReturns(text: string): string {
  return text.replaceAll("\r\n", "\n");
}

/** Last second of the year 9999, because a commit may state any number. */
const LAST_SECOND = 253_402_300_799;

function secondsIn(text: string): number {
  return Math.min(Math.max(Number(text) || 0, 0), LAST_SECOND);
}

/** In milliseconds; git counts in seconds. */
function endOfSecond(seconds: number): number {
  return seconds * 1_000 + 999;
}

/**
 * @param names IDs, or `commit:path`
 * @returns the files up to `maxBytes` together, the last one possibly truncated; `undefined` for a missing object or another type
 */
async function readBlobs(
  repository: IsolatedRepository,
  names: readonly string[],
  maxBytes: number,
): Promise<{
  readonly blobs: readonly (Buffer | undefined)[];
  readonly problem: RepositoryProblem | undefined;
}> {
  const input = names.map((name) => `${name}\n`).join("");
  const { bytes, problem } = await repository.run(["cat-file", "--batch"], { input, maxBytes });
  const blobs: (Buffer | undefined)[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf(10, at);
    if (end === -1) break;
    const [, type, size] = /^[0-9a-f]+ (\w+) (\d+)$/.exec(bytes.toString("latin1", at, end)) ?? [];
    const length = size === undefined ? 0 : Number(size) + 1;
    blobs.push(type === "blob" ? bytes.subarray(end + 1, end + length) : undefined);
    at = end + 1 + length;
  }
  return { blobs, problem };
}

function parseBlame(text: string, versions: readonly number[]): (CommitOfLine | undefined)[] {
  const commits = new Map<string, { author: string; summary: string; seconds: number }>();
  const lines: (CommitOfLine | undefined)[] = [];
  let id = "";
  let isHead = true;
  for (const line of text.split("\n")) {
    if (line.startsWith("\t")) {
      const { author, summary, seconds } = commits.get(id)!;
      const isCommitted = !/^0+$/.test(id);
      const at = isCommitted ? endOfSecond(seconds) : Number.POSITIVE_INFINITY;
      const timestamp = formatInstant(seconds * 1_000);
      const commit = isCommitted
        ? { id, author, summary, timestamp }
        : { author: "", summary: "not committed yet", timestamp };
      lines.push({ commit, at, previousAt: versions.findLast((version) => version < at) });
      isHead = true;
    } else if (isHead) {
      id = line.split(" ", 1)[0]!;
      if (id !== "" && !commits.has(id)) commits.set(id, { author: "", summary: "", seconds: 0 });
      isHead = false;
    } else {
      const commit = commits.get(id)!;
      if (line.startsWith("author ")) commit.author = line.slice(7, 7 + MOST_SUMMARY);
      else if (line.startsWith("summary ")) commit.summary = line.slice(8, 8 + MOST_SUMMARY);
      else if (line.startsWith("committer-time ")) commit.seconds = secondsIn(line.slice(15));
    }
  }
  return lines;
}
