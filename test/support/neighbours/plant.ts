import { sized } from "../soak.js";
import type { HostileValue } from "./hostile-values.js";

/** Lines of files, each JSON text, by the files' paths in a folder. */
export type Lines = Readonly<Record<string, readonly string[]>>;

/** Stands for the number of a copy of a record in its ids, with eight digits. */
export const COPY = "~";

/** How many characters of a value are planted in a session. */
const MOST_CHARACTERS = sized(20_000, 1_000_000);

/** Of how many members one has a value: each has one of as many values. */
const EVERY = sized(48, 1);

type Path = readonly (string | number)[];

const MARK = "@value@";

/** A member behind all others, which is why it counts where a name is there twice. */
const MORE = ["__proto__", "constructor", "toString", "hasOwnProperty", "then", "length"];

/**
 * Each file with its records as they are, then with copies of them, each with the value in the place of another member, or with one more.
 * Of a large value not every member gets one.
 *
 * @param offset which of them: another one for each value
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

/** A session as its writer would have written it. */
export function sound(lines: Lines): Lines {
  return Object.fromEntries(
    Object.entries(lines).map(([file, records]) => [file, records.map((record) => numbered(record, 0))]),
  );
}

function numbered(record: string, copy: number): string {
  return record.replaceAll(COPY, String(copy).padStart(8, "0"));
}

/** Where values lie in a value: all of them, but itself. */
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
  // A name that is not there goes behind all others: no object can be given `__proto__`.
  if (path.length === 1 && MORE.includes(String(name))) return `${record.slice(0, -1)},"${name}":"${MARK}"}`;
  const copy: unknown = JSON.parse(record);
  let owner = copy as Record<string | number, unknown>;
  for (const step of path.slice(0, -1)) owner = owner[step] as typeof owner;
  owner[path.at(-1)!] = MARK;
  return JSON.stringify(copy);
}
