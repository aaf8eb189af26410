import path from "node:path";
import { type JsonObject, objectField, textField } from "../../../domain/json/json.js";
import { statContained } from "../../files/bytes/contained-files.js";
import { eachOnce, filesBelow, type TreeRules } from "./history-tree.js";
import { entryOf, textIn } from "./record.js";
import { sessionNames } from "./session-names.js";
import { type ThreadHead, threadFolder } from "./thread-folder.js";

const ROLLOUT = /^rollout-(?:\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-)?(.+)\.jsonl(?:\.zst)?$/;

/** Years, months and days; very old files lie above them. */
const BY_DATE: TreeRules = {
  depth: 3,
  isFolder: (name) => /^\d{2,4}$/.test(name),
  isFile: (name) => ROLLOUT.test(name),
};

/** The sessions of a home. */
export const rolloutFolder = threadFolder({
  name: "codex",
  filesIn: rolloutsIn,
  headAfter,
  threadInName,
  namesIn: (root) =>
    sessionNames(root, path.join(root, "session_index.jsonl"), { id: "id", name: "thread_name" }),
});

/** The rollouts of a home, of its `sessions` folder, or of a folder in there; each once, whatever lies twice. */
function* rolloutsIn(root: string): Generator<void, string[]> {
  const sessions = path.join(root, "sessions");
  const isHome = statContained(root, sessions)?.isDirectory() ?? false;
  const archive = path.join(root, "archived_sessions");
  const inUse = yield* filesBelow(root, isHome ? sessions : root, BY_DATE);
  return eachOnce([...inUse, ...(yield* filesBelow(root, archive, { ...BY_DATE, depth: 0 }))]);
}

/** Behind `_` comes the id of a part of the thread. */
function threadInName(file: string): string {
  const [, name = path.basename(file)] = ROLLOUT.exec(path.basename(file)) ?? [];
  return name.replace(/_[^_]+$/, "");
}

const WORKING_DIRECTORY = /<cwd>([^<]+)<\/cwd>|^Current working directory: (.+)$/m;

/** Before the envelope, the folder is only in what the model was told of it. */
function headAfter(head: ThreadHead, record: JsonObject, file: string, isFirst: boolean): ThreadHead {
  const { type, payload } = entryOf(record);
  if (type !== "session_meta") {
    const [, tagged, plain] = WORKING_DIRECTORY.exec(textIn(payload.content)) ?? [];
    const cwd = tagged ?? plain;
    return cwd === undefined || payload.role !== "user" ? head : { ...head, cwd, isFinal: true };
  }
  const threadId = textField(payload, "id");
  // Behind the first record of a fork lies that of the thread that it was copied from.
  if (head.threadId !== undefined || (!isFirst && threadId !== threadInName(file))) return head;
  const { subagent } = objectField(payload, "source");
  const agent = objectField({ subagent }, "subagent");
  const kind = typeof subagent === "string" ? subagent : textField(agent, "other");
  const agentPath = textField(payload, "agent_path")?.split("/").at(-1);
  return {
    isFinal: payload !== record,
    threadId,
    cwd: textField(payload, "cwd"),
    parentId:
      textField(payload, "parent_thread_id") ??
      textField(objectField(agent, "thread_spawn"), "parent_thread_id"),
    forkedFrom: textField(payload, "forked_from_id"),
    role: textField(payload, "agent_role") ?? kind ?? agentPath,
    nickname: textField(payload, "agent_nickname") ?? agentPath,
  };
}
