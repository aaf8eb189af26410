import path from "node:path";
import { type JsonObject, jsonIn, objectField, textField } from "../../../domain/json/json.js";
import { jsonTextOf } from "../../../domain/json/json-text-of.js";
import { hash53 } from "../../../domain/text/fingerprints.js";
import { instantOf } from "../../../domain/trace/instant.js";
import { readableOrNone, statEntry } from "../../files/bytes/contained-files.js";
import { type FileIdentity, identify } from "../../files/bytes/file-identities.js";
import { readShort, shortRecord } from "../../files/bytes/read-short.js";
import { namesIn } from "../../transcripts/folder/file-lookups.js";
import { objectIn } from "./object-text.js";
import type { OpenCodeSession } from "./opencode-session.js";

const SESSION_FILE = /^(.*[/\\]storage)[/\\]session[/\\]([^/\\]+)[/\\]([^/\\]+)\.json$/;

/** In bytes, with its parts: the output of a tool may be long. Further parts are omitted. */
const LONGEST_MESSAGE = 32 * 1024 * 1024;

export function isSessionFile(file: string): boolean {
  return SESSION_FILE.test(file);
}

export function storageFolders(root: string): string[] {
  const folder = path.join(root, "storage", "session");
  return (readableOrNone(() => namesIn(root, folder).folders) ?? []).map((name) => path.join(folder, name));
}

export function* storedInFiles(root: string): Generator<void, readonly OpenCodeSession[]> {
  const sessions: OpenCodeSession[] = [];
  for (const folder of storageFolders(root)) {
    for (const name of jsonFiles(root, folder)) {
      const file = path.join(folder, name);
      const session = storedIn(shortRecord(root, file, LONGEST_MESSAGE), path.basename(folder), file);
      if (session !== undefined) sessions.push(session);
      yield;
    }
  }
  return sessions;
}

function storedIn(info: JsonObject, projectId: string, file: string): OpenCodeSession | undefined {
  const time = objectField(info, "time");
  const createdAt = instantOf(time.created) ?? 0;
  if (time.created === undefined || textField(info, "id") !== path.basename(file, ".json")) return undefined;
  return {
    id: textField(info, "id")!,
    projectId,
    parentId: textField(info, "parentID"),
    forkOf: undefined,
    title: textField(info, "title"),
    directory: textField(info, "directory"),
    agent: textField(info, "agent"),
    createdAt,
    updatedAt: instantOf(time.updated) ?? createdAt,
    path: file,
    rows: [],
  };
}

/** Covers the session's file, its messages, and the times when files were added to or removed from their parts. */
export function* identifyFiles(root: string, file: string): Generator<void, FileIdentity | undefined> {
  const own = lookUp(root, file);
  if (own === undefined) return undefined;
  const [storage, id] = placeOf(file);
  let { size, modifiedAt, changedAt } = own;
  let content = "";
  for (const name of jsonFiles(root, path.join(storage, "message", id))) {
    const parts = path.join(storage, "part", path.basename(name, ".json"));
    for (const one of [path.join(storage, "message", id, name), parts]) {
      const file = lookUp(root, one);
      size += file?.size ?? 0;
      modifiedAt = Math.max(modifiedAt, file?.modifiedAt ?? 0);
      changedAt = Math.max(changedAt, file?.changedAt ?? 0);
      content = String(hash53(`${content} ${name} ${file?.size} ${file?.modifiedAt} ${file?.changedAt}`));
    }
    yield;
  }
  return {
    device: own.device,
    inode: hash53(`${own.inode} ${own.changedAt} ${content}`),
    size,
    modifiedAt,
    changedAt,
  };
}

export function* linesOfFiles(root: string, file: string): Generator<string | undefined, void> {
  const [storage, id] = placeOf(file);
  const info = readObject(root, file, LONGEST_MESSAGE);
  if (info === undefined) return;
  const messages: { readonly created: number; readonly name: string }[] = [];
  const folder = path.join(storage, "message", id);
  for (const name of jsonFiles(root, folder)) {
    const time = objectField(shortRecord(root, path.join(folder, name), LONGEST_MESSAGE), "time");
    messages.push({ created: instantOf(time.created) ?? 0, name });
    yield undefined;
  }
  messages.sort((a, b) => a.created - b.created || (a.name < b.name ? -1 : 1));
  yield `{"info":${info}}\n`;
  for (const { name } of messages) {
    const message = readObject(root, path.join(folder, name), LONGEST_MESSAGE) ?? "{}";
    const folderOfParts = path.join(storage, "part", path.basename(name, ".json"));
    const parts: string[] = [];
    let room = LONGEST_MESSAGE - message.length;
    for (const part of jsonFiles(root, folderOfParts)) {
      const text = readObject(root, path.join(folderOfParts, part), room) ?? "{}";
      parts.push(text);
      room -= text.length;
      yield undefined;
    }
    yield `{"info":${message},"parts":[${parts.join(",")}]}\n`;
  }
  const revert = objectField(jsonIn(info) as JsonObject, "revert");
  if (revert.messageID !== undefined) yield `${jsonTextOf({ revert })}\n`;
}

/** `undefined` if the file contains no object, or exceeds `room`. */
function readObject(root: string, file: string, room: number): string | undefined {
  if ((lookUp(root, file)?.size ?? 0) > room) return undefined;
  const text = readShort(root, file, room);
  return text === undefined ? undefined : objectIn(text);
}

function placeOf(file: string): readonly [storage: string, id: string] {
  const [, storage, , id] = SESSION_FILE.exec(file)!;
  return [storage!, id!];
}

function jsonFiles(root: string, folder: string): string[] {
  return (readableOrNone(() => namesIn(root, folder).files) ?? []).filter((name) => name.endsWith(".json"));
}

function lookUp(root: string, file: string): FileIdentity | undefined {
  const stats = readableOrNone(() => statEntry(root, file));
  return stats && identify(stats);
}
