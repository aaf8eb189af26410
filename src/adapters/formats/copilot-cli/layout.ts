import path from "node:path";
import { LRUCache } from "lru-cache";
import { isJsonObject, jsonIn, objectField, textField } from "../../../domain/json/json.js";
import { readableOrNone, realRootOf, statEntry } from "../../files/bytes/contained-files.js";
import { readShort } from "../../files/bytes/read-short.js";
import { type FaultyHead, type HeadReader, headOf } from "../../transcripts/folder/file-heads.js";
import { filePerSession } from "../../transcripts/folder/file-per-session.js";
import { loneSession, MAX_NOTE, tenantOfDirectory } from "../../transcripts/folder/transcript-files.js";

/** A folder with the session's name contains its events; older versions use a file with that name. */
const EVENTS = "events.jsonl";
const PLACE = /^(session-state[\\/])?([^\\/]+[\\/]events|[^\\/]+)\.jsonl$/;

interface SessionHead extends FaultyHead {
  readonly isHistory: boolean;
  readonly cwd: string | undefined;
}

const EVENT = /^(assistant|hook|model|permission|session|skill|subagent|system|tool|user)\./;

const HEADS: HeadReader<SessionHead> = {
  name: "copilot-cli heads",
  none: { isHistory: false, cwd: undefined },
  shape: { isHistory: "flag", cwd: "text?" },
  mostLines: 100,
  isComplete: ({ isHistory, cwd }) => isHistory && cwd !== undefined,
  after(head, record = {}) {
    const { type, data, id, parentId } = record;
    const isEvent = typeof type === "string" && EVENT.test(type) && typeof id === "string";
    if (!isEvent || parentId === undefined || !isJsonObject(data)) return head;
    const { context = data } = data;
    return { isHistory: true, cwd: head.cwd ?? textField(objectField({ context }, "context"), "cwd") };
  },
};

const heads = new LRUCache<string, SessionHead>({ max: 20_000 });

export const sessionFolder = filePerSession({
  depth: 2,
  isNamed: (name) => name.endsWith(".jsonl"),
  mayHold: (file, sessionId) => file.includes(sessionId),
  *sessionOf(root, file) {
    if (!PLACE.test(path.relative(root, file))) return undefined;
    const key = `${readableOrNone(() => statEntry(root, file))?.ino} ${file}`;
    const place = { root, realRoot: realRootOf(root), cache: undefined };
    const head = heads.get(key) ?? (yield* headOf(HEADS, place, file));
    if (!head.isHistory) return undefined;
    if (head.cwd !== undefined) heads.set(key, head);
    const folder = path.dirname(path.resolve(file));
    const isInFolder = path.basename(file) === EVENTS;
    const lone = loneSession(isInFolder ? folder : file);
    // A newer version continued this older file elsewhere.
    const newer = path.join(folder, lone.sessionId, EVENTS);
    if (!isInFolder && readableOrNone(() => statEntry(root, newer)) !== undefined) return undefined;
    const note = isInFolder ? readShort(root, path.join(folder, "workspace.yaml"), MAX_NOTE) : undefined;
    const { cwd: directory, fault } = head;
    const tenantId = tenantOfDirectory(directory);
    const files = [{ ...lone.files[0], path: file }] as const;
    return { ...lone, tenantId, title: nameIn(note ?? ""), directory, fault, files };
  },
});

function nameIn(yaml: string): string | undefined {
  const [, first = "", more = ""] = /^(?:name|summary):(.*)((?:\n[ \t].*)*)/m.exec(yaml) ?? [];
  const words = `${first.trim().replace(/^[|>][+-]?$/, "")}${more}`.split("\n").map((line) => line.trim());
  const text = words.join(" ").trim();
  if (/^'.*'$/.test(text)) return text.slice(1, -1).replaceAll("''", "'");
  const quoted = text.startsWith('"') ? jsonIn(text) : text;
  return typeof quoted === "string" && quoted !== "" && quoted !== "null" ? quoted : undefined;
}
