import { readFile } from "node:fs/promises";

/** None for an absent file. Skips anything but JSON objects. */
export async function recordsOf(file) {
  const text = await readFile(file, "utf8").catch(() => "");
  const records = [];
  for (const line of text.split("\n")) {
    const value = parse(line);
    if (typeof value === "object" && value !== null) records.push(value);
  }
  return records;
}

function parse(line) {
  if (line === "") return undefined;
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
