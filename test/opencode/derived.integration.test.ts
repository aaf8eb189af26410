import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, it } from "vitest";
import { describeDerivedSource } from "../contract/describe-derived-source.js";
import { askSqlite, createSource, HAS_HISTORIES, HISTORIES, WITHOUT_HISTORIES } from "./support/databases.js";

/** The records of a database: its sessions, their messages and rows, and what was taken back of them. */
const RECORDS = {
  "run-1.18.33":
    "(SELECT count(*) FROM session) + (SELECT count(*) FROM message) + (SELECT count(*) FROM session WHERE revert IS NOT NULL)",
  "opencode-project-manager": "(SELECT count(*) FROM session) + (SELECT count(*) FROM message)",
  "getspecstory-v2": "(SELECT count(*) FROM session_v2) + (SELECT count(*) FROM session_message)",
  "getspecstory-v2-tui": "(SELECT count(*) FROM session_v2) + (SELECT count(*) FROM session_message)",
};

const EXPORTS = ["run-1.18.33", "session-bridge/export", "gatomia-vscode/export", "session-migrate"];

const scratch = mkdtempSync(path.join(tmpdir(), "opencode-derived-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** Each database, and each export, in a folder of its own. */
function alone(name: string, file: string): string {
  const folder = path.join(scratch, name);
  mkdirSync(folder, { recursive: true });
  copyFileSync(file, path.join(folder, path.basename(file)));
  return folder;
}

if (HAS_HISTORIES) {
  for (const [name, sql] of Object.entries(RECORDS)) {
    const database = path.join(HISTORIES, name, "opencode.db");
    const [counted] = askSqlite(database, `SELECT ${sql} AS n`);
    describeDerivedSource("OpenCode's database", createSource, [{ name, folder: alone(name, database) }], {
      isHistory: (file) => file.endsWith(".db"),
      countRecords: () => counted!.n as number,
    });
  }

  describeDerivedSource(
    "OpenCode's files of before",
    createSource,
    [{ name: "codemie", folder: path.join(HISTORIES, "codemie") }],
    {
      isHistory: (file) => file.endsWith(".json"),
      countRecords: (file) => (/storage\/(session|message)\//.test(file) ? 1 : 0),
    },
  );

  for (const folder of EXPORTS) {
    for (const name of readdirSync(path.join(HISTORIES, folder)).filter((one) => one.endsWith(".json"))) {
      const own = alone(`export ${name}`, path.join(HISTORIES, folder, name));
      describeDerivedSource(
        "OpenCode's export",
        (copy) => createSource(path.join(copy, name)),
        [{ name, folder: own }],
        {
          isHistory: (file) => file.endsWith(".json"),
          countRecords: (_, text) => 1 + (JSON.parse(text) as { messages: unknown[] }).messages.length,
        },
      );
    }
  }
}

describe.skipIf(HAS_HISTORIES)("real histories", () => {
  it.skip(`are held to the same${WITHOUT_HISTORIES}`, () => undefined);
});
