import { execFile } from "node:child_process";
import { mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { SessionEdits } from "../../../src/application/authorship/session-edits.js";
import type { InspectorDataSource } from "../../../src/application/ports/inspector-data-source.js";
import { TraceOrders } from "../../../src/application/records/trace-orders.js";
import { lift } from "../../../src/application/sources/lift.js";
import { InProcessPool } from "../../../src/application/threads/in-process-pool.js";
import { baseName } from "../../../src/domain/changes/file-paths.js";
import type { RecordedEdit } from "../../../src/domain/changes/recorded-edits.js";
import { CHANGES_BY_HAND, handMade, TrackedFile } from "./tracked-file.js";

const run = promisify(execFile);

export interface EditingSession {
  readonly directory: string;
  readonly edits: readonly RecordedEdit[];
}

/** The oldest session first. */
export async function editingSessions(
  source: InspectorDataSource,
  directoryOf: (item: { readonly directory?: string | undefined }) => string,
): Promise<readonly EditingSession[]> {
  const pool = new InProcessPool();
  const lifted = lift(source);
  const reader = new SessionEdits(pool, new TraceOrders(pool));
  const sessions: EditingSession[] = [];
  for (const item of (await lifted.findSessions({ withFacts: true })).items) {
    const names = [...new Set((item.facts?.edited ?? []).map(baseName))];
    const opened = names.length === 0 ? undefined : await lifted.openSession(item.tenantId, item.sessionId);
    const edits = opened === undefined ? [] : await reader.read(opened, item, names, {});
    if (edits.length > 0) sessions.push({ directory: directoryOf(item), edits });
  }
  return sessions.sort((a, b) => a.edits.at(-1)!.at - b.edits.at(-1)!.at);
}

/** A git repository with commits of sessions and of people. */
export class EditedRepository {
  readonly folder: string;
  readonly files = new Map<string, TrackedFile>();
  #changes = 0;

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async create(folder: string): Promise<EditedRepository> {
    const repository = new EditedRepository(folder);
    await mkdir(folder, { recursive: true });
    await repository.#git(["init", "--quiet", "--initial-branch=main"], 0);
    return repository;
  }

  /** Commits a session's edits, and then changes the same files by hand. */
  async add({ directory, edits }: EditingSession): Promise<void> {
    const touched = new Set<string>();
    for (const { id, edit } of edits) {
      const name = path.posix.isAbsolute(edit.path) ? path.posix.relative(directory, edit.path) : edit.path;
      if (name.startsWith("..")) continue;
      const file = this.files.get(name) ?? new TrackedFile();
      this.files.set(name, file);
      file.edit(edit, id);
      touched.add(name);
    }
    const end = edits.at(-1)!.at;
    await this.commit("What the agent did", end + 5_000, touched);
    for (const name of touched) {
      const file = this.files.get(name)!;
      const change = CHANGES_BY_HAND[this.#changes % CHANGES_BY_HAND.length]!;
      file.lines = change(file.lines, this.#changes++);
    }
    await this.commit("What somebody did", end + 600_000, touched);
  }

  async addByHand(name: string, lines: readonly string[], at: number): Promise<void> {
    const file = new TrackedFile();
    file.lines = lines.map(handMade);
    this.files.set(name, file);
    await this.commit("What somebody wrote", at, [name]);
  }

  async commit(message: string, at: number, names: Iterable<string>): Promise<void> {
    for (const name of names) {
      const place = path.join(this.folder, name);
      await mkdir(path.dirname(place), { recursive: true });
      const { text } = this.files.get(name)!;
      if (text === "") await rm(place, { force: true });
      else await writeFile(place, text);
    }
    await this.#git(["add", "--all"], at);
    await this.#git(["commit", "--quiet", "--allow-empty", "--message", message], at);
  }

  async #git(args: readonly string[], at: number): Promise<void> {
    const date = new Date(at).toISOString();
    const who = { GIT_AUTHOR_NAME: "Ada", GIT_AUTHOR_EMAIL: "ada@example.org" };
    const env = {
      ...process.env,
      ...who,
      ...{ GIT_COMMITTER_NAME: "Ada", GIT_COMMITTER_EMAIL: "ada@example.org" },
      ...{ GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date, GIT_CONFIG_GLOBAL: "/dev/null" },
    };
    await run("git", args, { cwd: this.folder, env });
  }
}
