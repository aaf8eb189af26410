import { lstatSync } from "node:fs";
import path from "node:path";
import { isJsonObject, type JsonObject, jsonIn } from "../../domain/json/json.js";
import { foundSync } from "../files/bytes/contained-files.js";
import { readShort } from "../files/bytes/read-short.js";

const MOST_BYTES = 4 * 1024 * 1024;

/**
 * Returns the content of a settings file; empty if it does not exist. It is `undefined` if the file cannot be read: not JSON, or a link
 * that leads out of its folder. The file may hold secrets: callers take only the member that they need.
 */
export function settingsIn(folder: string, name: string): JsonObject | undefined {
  if (!isThere(folder, name)) return {};
  const value = jsonIn(readShort(folder, path.join(folder, name), MOST_BYTES) ?? "");
  return isJsonObject(value) ? value : undefined;
}

/** True if a folder has an entry of that name, of any kind. */
export function isThere(folder: string, name: string): boolean {
  const file = path.join(folder, name);
  return foundSync(() => lstatSync(file, { throwIfNoEntry: false }), folder, file) !== undefined;
}
