import type { FileFormat } from "./file-format.js";
import type { Lines } from "./plant.js";

/** Records in a circle, or with a claim to belong to another session. */
export interface HostileRelation {
  readonly name: string;
  readonly reason: string;
  /** @param good the good session's files */
  files(format: FileFormat, good: Lines): Lines;
}

export function relation(name: string, reason: string, files: HostileRelation["files"]): HostileRelation {
  return { name, reason, files };
}

export const text = "pebble";

export function moved(lines: Lines, from: string, to: string): Lines {
  return Object.fromEntries(
    Object.entries(lines).map(([file, records]) => [file.replaceAll(from, to), records]),
  );
}

export function changed(
  lines: Lines,
  change: (record: Record<string, unknown>, i: number) => object,
  file = "",
): Lines {
  const all = Object.entries(lines).map(([name, records]) => {
    const own = records.map((record) => JSON.parse(record) as Record<string, unknown>);
    return [
      name,
      name.includes(file) ? own.map((one, i) => JSON.stringify(change(one, i))) : records,
    ] as const;
  });
  return Object.fromEntries(all);
}
