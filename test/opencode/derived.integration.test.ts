import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll } from "vitest";
import { describeDerivedSource } from "../contract/describe-derived-source.js";
import { inventedFolder } from "../support/invented/histories.js";
import { HAS_SHARED_DATA, SHARED_DATA } from "../support/shared-data.js";
import { sized } from "../support/soak.js";
import { askSqlite, at, createSource, text } from "./support/databases.js";

const HISTORIES = path.join(SHARED_DATA, "opencode");

/** The records of a database: sessions, messages, rows, and reverted parts. */
const RECORDS = {
  "run-1.18.33":
    "(SELECT count(*) FROM session) + (SELECT count(*) FROM message) + (SELECT count(*) FROM session WHERE revert IS NOT NULL)",
  "opencode-project-manager": "(SELECT count(*) FROM session) + (SELECT count(*) FROM message)",
  "getspecstory-v2": "(SELECT count(*) FROM session_v2) + (SELECT count(*) FROM session_message)",
  "getspecstory-v2-tui": "(SELECT count(*) FROM session_v2) + (SELECT count(*) FROM session_message)",
};

/** The files of sessions and messages in the layout of older versions. */
const isRecord = (file: string) => /storage\/(session|message)\/.*\.json$/.test(file);

const EXPORTS = ["run-1.18.33", "session-bridge/export", "gatomia-vscode/export", "session-migrate"];

const scratch = mkdtempSync(path.join(tmpdir(), "opencode-derived-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

function alone(name: string, file: string): string {
  const folder = path.join(scratch, name);
  mkdirSync(folder, { recursive: true });
  copyFileSync(file, path.join(folder, path.basename(file)));
  return folder;
}

const invented = inventedFolder("opencode");
const [inDatabase] = askSqlite(path.join(invented, "opencode.db"), `SELECT ${RECORDS["run-1.18.33"]} AS n`);

describeDerivedSource("OpenCode", createSource, [{ name: "invented", folder: invented }], {
  isHistory: (file) => file.endsWith(".db") || isRecord(file),
  countRecords: (file) => (file.endsWith(".db") ? (inDatabase!.n as number) : 1),
});

const message = (id: string, role: string, second: number, content: string) => ({
  info: { id, role, time: { created: at(second) } },
  parts: [text(content)],
});

const EXPORT = {
  info: { id: "ses_1", directory: "/srv/shop", title: "Pens", time: { created: at(0), updated: at(9) } },
  messages: [message("m1", "user", 0, "Count the pens."), message("m2", "assistant", 2, "Three.")],
};

function describeExport(name: string, folder: string): void {
  describeDerivedSource(
    "OpenCode's export",
    (copy) => createSource(path.join(copy, name)),
    [{ name, folder }],
    {
      isHistory: (file) => file.endsWith(".json"),
      countRecords: (_, json) => 1 + (JSON.parse(json) as typeof EXPORT).messages.length,
    },
  );
}

const exported = path.join(scratch, "invented export");
mkdirSync(exported);
writeFileSync(path.join(exported, "invented.json"), JSON.stringify(EXPORT));
describeExport("invented.json", exported);

if (HAS_SHARED_DATA) {
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
      countRecords: (file) => (isRecord(file) ? 1 : 0),
    },
  );

  for (const folder of EXPORTS) {
    for (const name of readdirSync(path.join(HISTORIES, folder))
      .filter((one) => one.endsWith(".json"))
      .slice(0, sized(1, Number.POSITIVE_INFINITY))) {
      describeExport(name, alone(`export ${name}`, path.join(HISTORIES, folder, name)));
    }
  }
}
