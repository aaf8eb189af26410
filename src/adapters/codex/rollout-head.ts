import path from "node:path";
import { type JsonObject, objectField, textField } from "../../domain/json.js";
import type { Line } from "../jsonl/line.js";
import { parseLine } from "../jsonl/parse-line.js";
import type { HeadReader, HeadReading } from "../transcripts/file-heads.js";
import { entryOf, parentOf, textIn } from "./record.js";

/** What the beginning of a rollout says of its thread. */
export interface RolloutHead {
  /** Whether nothing behind it says more. */
  readonly isFinal: boolean;
  readonly threadId: string | undefined;
  readonly cwd: string | undefined;
  readonly parentId: string | undefined;
  readonly forkedFrom: string | undefined;
  readonly role: string | undefined;
  readonly nickname: string | undefined;
}

const NO_HEAD: RolloutHead = {
  isFinal: false,
  threadId: undefined,
  cwd: undefined,
  parentId: undefined,
  forkedFrom: undefined,
  role: undefined,
  nickname: undefined,
};

/** Among how many records the first one with what is looked for lies. */
const MOST_LINES = 20;

export const ROLLOUT = /^rollout-(?:\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-)?(.+)\.jsonl(?:\.zst)?$/;

/** The thread by the name of its file; behind `_` comes the id of a part of it. */
export function threadInName(file: string): string {
  const [, name = path.basename(file)] = ROLLOUT.exec(path.basename(file)) ?? [];
  return name.replace(/_[^_]+$/, "");
}

export const rolloutHeads: HeadReader<RolloutHead> = {
  kind: "codex heads",
  none: NO_HEAD,
  shape: {
    isFinal: "flag",
    threadId: "text?",
    cwd: "text?",
    parentId: "text?",
    forkedFrom: "text?",
    role: "text?",
    nickname: "text?",
  },
  begin: (file) => new FirstRecords(threadInName(file)),
};

const WORKING_DIRECTORY = /<cwd>([^<]+)<\/cwd>|^Current working directory: (.+)$/m;

class FirstRecords implements HeadReading<RolloutHead> {
  head = NO_HEAD;
  readonly #named: string;
  #lines = 0;

  constructor(named: string) {
    this.#named = named;
  }

  get isFound(): boolean {
    return this.head.isFinal;
  }

  get isEnough(): boolean {
    return this.isFound || this.#lines >= MOST_LINES;
  }

  follow(line: Line): void {
    if (this.isEnough) return;
    const isFirst = ++this.#lines === 1;
    if (this.#lines === MOST_LINES) this.head = { ...this.head, isFinal: true };
    const { record } = parseLine(line);
    if (record === undefined) return;
    const { type, payload } = entryOf(record);
    if (type === "session_meta") this.#take(payload, isFirst);
    else if (payload.role === "user" && this.head.cwd === undefined) {
      const [, tagged, plain] = WORKING_DIRECTORY.exec(textIn(payload.content)) ?? [];
      const cwd = tagged ?? plain;
      this.head = { ...this.head, cwd, isFinal: cwd !== undefined };
    }
  }

  /** Behind the first record of a fork lies that of the thread that it was copied from. */
  #take(meta: JsonObject, isFirst: boolean): void {
    const threadId = textField(meta, "id");
    if (this.head.threadId !== undefined || threadId === undefined) return;
    if (!isFirst && threadId !== this.#named) return;
    const subagent = objectField(meta, "source").subagent;
    const agentPath = textField(meta, "agent_path")?.split("/").at(-1);
    const kind =
      typeof subagent === "string" ? subagent : textField(objectField({ subagent }, "subagent"), "other");
    this.head = {
      // Only of before the envelope is the folder not in it.
      isFinal: meta.instructions === undefined || textField(meta, "cwd") !== undefined,
      threadId,
      cwd: textField(meta, "cwd"),
      parentId: parentOf(meta),
      forkedFrom: textField(meta, "forked_from_id"),
      role: textField(meta, "agent_role") ?? kind ?? agentPath,
      nickname: textField(meta, "agent_nickname") ?? agentPath,
    };
  }
}

/** Ids that can be asked for: what else a record names is known by the name of its file. */
const USABLE = /^[\w.:-]{1,200}$/;

export function threadIdOf(head: RolloutHead, file: string): string {
  return head.threadId !== undefined && USABLE.test(head.threadId) ? head.threadId : threadInName(file);
}

/** A tenant is named after the folder that was worked in, as Claude Code names it. */
export function tenantOf({ cwd }: RolloutHead): string {
  return cwd === undefined ? "unknown" : cwd.replace(/[^a-zA-Z0-9]/g, "-").slice(0, 200);
}
