import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { sized } from "../soak.js";
import type { FileFormat } from "./file-format.js";
import { HOSTILE_FILES } from "./hostile-files.js";
import { HOSTILE_IDS, HOSTILE_VALUES } from "./hostile-values.js";
import { type Lines, planted, sound } from "./plant.js";
import { HOSTILE_RELATIONS } from "./relations.js";

/** Lies beside a good session, in other sessions. */
export interface HostileRecord {
  readonly name: string;
  readonly reason: string;
  plant(folder: string): void;
}

const TEXT = "pebble";

export function hostileRecords(format: FileFormat): readonly HostileRecord[] {
  const { tenantId } = format.good;
  const session = (name: string, tenant = tenantId) => format.session(tenant, name, TEXT);
  const values = HOSTILE_VALUES.map((value, i) => ({
    ...value,
    plant: (folder: string) => writeLines(folder, planted(session(`value-${i}`), value, i)),
  }));
  const ids = HOSTILE_IDS.map(([id, reason]) => ({
    name: `the name ${id.slice(0, 20)}`,
    reason,
    plant(folder: string) {
      writeLines(folder, sound(session(id)));
      writeLines(folder, sound(session("session", id)));
    },
  }));
  const files = HOSTILE_FILES.map(({ name, reason, make }, i) => ({
    name: `${name} in the place of a file`,
    reason,
    plant(folder: string) {
      const count = Object.keys(session("")).length;
      for (let at = 0; at < sized(1, count); at++) {
        const lines = Object.entries(sound(session(`file-${i}-${at}`)));
        for (const [n, [file, records]] of lines.entries()) {
          const full = placeOf(folder, file);
          if (n === (i + at) % count) make(full, records);
          else writeFileSync(full, joined(records));
        }
      }
    },
  }));
  const good = sound(goodSession(format));
  const relations = HOSTILE_RELATIONS[format.name]!.map((relation) => ({
    ...relation,
    plant: (folder: string) => writeLines(folder, relation.files(format, good)),
  }));
  return [...values, ...ids, ...files, ...relations];
}

function goodSession({ session, good }: FileFormat): Lines {
  return session(good.tenantId, good.sessionId, good.text);
}

export function writeGood(folder: string, format: FileFormat): void {
  writeLines(folder, sound(goodSession(format)));
}

function writeLines(folder: string, lines: Lines): void {
  for (const [file, records] of Object.entries(lines)) writeFileSync(placeOf(folder, file), joined(records));
}

function placeOf(folder: string, file: string): string {
  const full = path.join(folder, file);
  mkdirSync(path.dirname(full), { recursive: true });
  return full;
}

const joined = (records: readonly string[]) => records.map((record) => `${record}\n`).join("");
