import { sized } from "../soak.js";
import type { HostileValue } from "./hostile-values.js";

/** JSON texts by file below a folder. */
export type Lines = Readonly<Record<string, readonly string[]>>;

/** In ids, stands for the number of a record's copy, with eight digits. */
export const COPY = "~";

/** For a value in one session. */
const MOST_CHARACTERS = sized(20_000, 1_000_000);

/** Divides the members among the values: each value is in one of this number of members. */
const EVERY = sized(48, 1);

type Path = readonly (string | number)[];

const MARK = "@value@";

/** Appended after all others, because the last of two equal names counts. */
const MORE = ["__proto__", "constructor", "toString", "hasOwnProperty", "then", "length"];

/**
 * Each file with its records, and then copies with the value in one member each, or in an additional one. A large value is not in every
 * member.
 * @param offset selects the members; it differs for each value
 */
export function planted(lines: Lines, { json }: HostileValue, offset: number): Lines {
  const places = Object.entries(lines).flatMap(([file, records]) =>
    records.flatMap((record) =>
      [...pathsIn(JSON.parse(record)), ...MORE.map((name) => [name])].map((path) => ({ file, record, path })),
    ),
  );
  const step = Math.max(EVERY, Math.ceil((places.length * json.length) / MOST_CHARACTERS));
  const copies = new Map(
    Object.entries(lines).map(([file, records]) => [file, records.map((record) => numbered(record, 0))]),
  );
  for (let i = offset % step; i < places.length; i += step) {
    const { file, record, path } = places[i]!;
    copies.get(file)!.push(
      numbered(
        withMark(record, path).replace(`"${MARK}"`, () => json),
        i + 1,
      ),
    );
  }
  return Object.fromEntries(copies);
}

export function sound(lines: Lines): Lines {
  return Object.fromEntries(
    Object.entries(lines).map(([file, records]) => [file, records.map((record) => numbered(record, 0))]),
  );
}

function numbered(record: string, copy: number): string {
  return record.replaceAll(COPY, String(copy).padStart(8, "0"));
}

function* pathsIn(value: unknown, path: Path = []): Generator<Path> {
  if (typeof value !== "object" || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    const own = [...path, Array.isArray(value) ? Number(name) : name];
    yield own;
    yield* pathsIn(member, own);
  }
}

function withMark(record: string, path: Path): string {
  const [name] = path;
  // A new name is appended as text: an assignment cannot create `__proto__`.
  if (path.length === 1 && MORE.includes(String(name))) return `${record.slice(0, -1)},"${name}":"${MARK}"}`;
  const copy: unknown = JSON.parse(record);
  let owner = copy as Record<string | number, unknown>;
  for (const step of path.slice(0, -1)) owner = owner[step] as typeof owner;
  owner[path.at(-1)!] = MARK;
  return JSON.stringify(copy);
}
