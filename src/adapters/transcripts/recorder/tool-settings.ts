import { lstatSync } from "node:fs";
import path from "node:path";
import { isJsonObject, type JsonObject, jsonIn } from "../../../domain/json/json.js";
import { existingSync } from "../../files/bytes/contained-files.js";
import { readShort } from "../../files/bytes/read-short.js";

const MOST_BYTES = 4 * 1024 * 1024;

/**
 * Empty if the file is absent; `undefined` if it is unreadable, not JSON, or a link outside. It may hold secrets: callers take only the
 * member that they need.
 */
export function settingsIn(folder: string, name: string): JsonObject | undefined {
  if (!isThere(folder, name)) return {};
  const value = jsonIn(readShort(folder, path.join(folder, name), MOST_BYTES) ?? "");
  return isJsonObject(value) ? value : undefined;
}

export function isThere(folder: string, name: string): boolean {
  const file = path.join(folder, name);
  return existingSync(() => lstatSync(file, { throwIfNoEntry: false }), folder, file) !== undefined;
}
