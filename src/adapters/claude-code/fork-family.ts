import type { ReadOptions } from "../../application/ports/record-stream.js";
import { instantOf } from "../../domain/instant.js";
import type { JsonObject } from "../../domain/json.js";
import { compareText } from "../../domain/session.js";
import type { FileIdentity } from "../jsonl/file-identity.js";
import type { Digest } from "../jsonl/follow-file.js";
import type { FollowedFiles } from "../jsonl/followed-files.js";
import { recordKey } from "./claude-record.js";
import type { FileHead, FileHeads } from "./file-heads.js";
import type { SessionFiles } from "./project-layout.js";

/** The records of a file, by what replayed copies share with them, in order, with their instants. */
type RecordKeys = ReadonlyMap<number, number>;

const recordKeys: Digest<{ readonly keys: Map<number, number> }, RecordKeys> = {
  begin: () => ({ keys: new Map() }),
  add: (state, { value }) => {
    if (value !== undefined) addKey(state.keys, value);
  },
  view: (state, tail) => {
    if (tail?.value !== undefined) addKey(state.keys, tail.value);
    return state.keys;
  },
  weigh: (state) => state.keys.size * 48,
  wanted: { members: ["uuid", "timestamp"], onlyMembers: true },
};

function addKey(keys: Map<number, number>, record: JsonObject): void {
  const key = recordKey(record);
  if (key !== undefined && !keys.has(key)) keys.set(key, instantOf(record.timestamp) ?? Number.NaN);
}

/** Whether another session wrote a record first, and which sessions were asked. */
export interface ReplayTest {
  /** The sessions that come first, as text: another set of them is another test. */
  readonly name: string;
  readonly isReplay: (record: JsonObject) => boolean;
}

const NO_REPLAYS: ReplayTest = { name: "", isReplay: () => false };

/**
 * Which records of a session are replays. A session that was forked or resumed into a new file begins with copies of
 * another session's records, with the same `uuid` and `timestamp`; they belong to the session that they were first written
 * in. `docs/claude-code.md` states the rule.
 */
export class ForkFamilies {
  readonly #followed: FollowedFiles;
  readonly #heads: ReadonlyMap<string, FileHead>;
  readonly #sessions = new Map<string, SessionFiles>();
  readonly #byKey = new Map<number, string[]>();
  /** Who names a session as the one that it was copied from. */
  readonly #namedBy = new Map<string, string[]>();

  private constructor(followed: FollowedFiles, heads: ReadonlyMap<string, FileHead>) {
    this.#followed = followed;
    this.#heads = heads;
  }

  /**
   * @param sessions all sessions of a project
   * @param seen the identities of their files, where they were just looked at
   */
  static async of(
    sessions: readonly SessionFiles[],
    heads: FileHeads,
    followed: FollowedFiles,
    seen?: ReadonlyMap<string, FileIdentity>,
  ): Promise<ForkFamilies> {
    const known = new Map<string, FileHead>();
    const families = new ForkFamilies(followed, known);
    const conversations = sessions.filter(({ isOrphan }) => !isOrphan);
    const read = await heads.readAll(
      conversations.map(({ path }) => path),
      seen,
    );
    for (const [i, session] of conversations.entries()) {
      const head = read[i]!;
      known.set(session.sessionId, head);
      families.#sessions.set(session.sessionId, session);
      if (head.key !== undefined) append(families.#byKey, head.key, session.sessionId);
      for (const name of namesIn(head)) append(families.#namedBy, name, session.sessionId);
    }
    return families;
  }

  /** Whether other sessions may share records with it: then what it says depends on their files, too. */
  hasRelatives(session: SessionFiles): boolean {
    return this.#relativesOf(session).length > 0;
  }

  async replaysOf(session: SessionFiles, options?: ReadOptions): Promise<ReplayTest> {
    const relatives = this.#relativesOf(session);
    if (relatives.length === 0) return NO_REPLAYS;
    const members = new Map<string, RecordKeys>();
    for (const member of [session, ...relatives])
      members.set(member.sessionId, await this.#keysOf(member, options));
    const earlier = relatives
      .map(({ sessionId }) => sessionId)
      .filter((id) => this.#isNamed(session.sessionId, id) ?? isOlder(id, session.sessionId, members));
    if (earlier.length === 0) return NO_REPLAYS;
    const keys = earlier.map((id) => members.get(id)!);
    return {
      name: earlier.sort(compareText).join(" "),
      isReplay: (record) => {
        const key = recordKey(record);
        return key !== undefined && keys.some((known) => known.has(key));
      },
    };
  }

  /** Sessions that may share records with one: begun by the same record, or named by one of the two as its origin. */
  #relativesOf({ sessionId, isOrphan }: SessionFiles): SessionFiles[] {
    const head = this.#heads.get(sessionId);
    if (head === undefined || isOrphan) return [];
    const sameKey = head.key === undefined ? [] : (this.#byKey.get(head.key) ?? []);
    const ids = new Set([...sameKey, ...namesIn(head), ...(this.#namedBy.get(sessionId) ?? [])]);
    ids.delete(sessionId);
    return [...ids].flatMap((id) => this.#sessions.get(id) ?? []);
  }

  /** Whether a session names the other as its origin, and not the other way round; `undefined` where neither or both do. */
  #isNamed(sessionId: string, other: string): boolean | undefined {
    const names = namesIn(this.#heads.get(sessionId)).includes(other);
    const isNamed = namesIn(this.#heads.get(other)).includes(sessionId);
    return names === isNamed ? undefined : names;
  }

  async #keysOf(session: SessionFiles, options?: ReadOptions): Promise<RecordKeys> {
    const found = await this.#followed.read(session.path, "keys", recordKeys, options);
    return found?.view ?? new Map<number, number>();
  }
}

function append<K>(lists: Map<K, string[]>, key: K, value: string): void {
  const known = lists.get(key);
  if (known === undefined) lists.set(key, [value]);
  else known.push(value);
}

function namesIn(head: FileHead | undefined): string[] {
  return [head?.sessionId, head?.forkedFrom].filter((id) => id !== undefined);
}

/** Older is the session whose first record of its own is older; one without any is older than all that have one. */
function isOlder(a: string, b: string, members: ReadonlyMap<string, RecordKeys>): boolean {
  const [ageA, ageB] = [ageOf(a, members), ageOf(b, members)];
  if (ageA.firstOwn !== ageB.firstOwn) return ageA.firstOwn < ageB.firstOwn;
  if (ageA.size !== ageB.size) return ageA.size < ageB.size;
  return compareText(a, b) < 0;
}

interface Age {
  readonly firstOwn: number;
  readonly size: number;
}

function ageOf(sessionId: string, members: ReadonlyMap<string, RecordKeys>): Age {
  const keys = members.get(sessionId)!;
  const others = [...members].filter(([id]) => id !== sessionId);
  for (const [key, instant] of keys) {
    if (!others.some(([, other]) => other.has(key))) return { firstOwn: instant, size: keys.size };
  }
  return { firstOwn: Number.NEGATIVE_INFINITY, size: keys.size };
}
