import { lstatSync } from "node:fs";
import path from "node:path";
import { isJsonObject, type JsonObject, jsonIn } from "../../domain/json/json.js";
import { foundSync } from "../files/bytes/contained-files.js";
import { readShort } from "../files/bytes/read-short.js";

const MOST_BYTES = 4 * 1024 * 1024;

/**
 * What a file of settings holds; empty where there is none, `undefined` where there is one that cannot be read: no JSON, or a link that
 * leads out of its folder. It may hold secrets: whoever asks takes the member that is wanted, and nothing else.
 */
export function settingsIn(folder: string, name: string): JsonObject | undefined {
  if (!isThere(folder, name)) return {};
  const value = jsonIn(readShort(folder, path.join(folder, name), MOST_BYTES) ?? "");
  return isJsonObject(value) ? value : undefined;
}

/** Whether a folder holds something of that name, whatever it is. */
export function isThere(folder: string, name: string): boolean {
  const file = path.join(folder, name);
  return foundSync(() => lstatSync(file, { throwIfNoEntry: false }), folder, file) !== undefined;
}
