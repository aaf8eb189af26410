// Writes to a database of OpenCode as fast as possible until its input ends. Each transaction adds a message and writes the same number
// into two distant parts; it prints the count.
import { stdin, stdout } from "node:process";

const [file] = process.argv.slice(2);
const at = Date.UTC(2026, 4, 1, 9);

/** Node's own SQLite shares memory; the alternative build has the database alone. */
async function open() {
  const { DatabaseSync } = process.getBuiltinModule("node:sqlite") ?? {};
  if (DatabaseSync !== undefined) {
    const database = new DatabaseSync(file);
    return {
      exec: (sql) => database.exec(sql),
      run: (sql, values) => database.prepare(sql).run(...values),
      close: () => database.close(),
    };
  }
  const { default: sqlite } = await import("node-sqlite3-wasm");
  const database = new sqlite.Database(file);
  database.exec("PRAGMA locking_mode=exclusive");
  return database;
}

const database = await open();
database.exec("PRAGMA journal_mode=wal");
database.exec("PRAGMA synchronous=normal");
stdout.write("begun\n");
let isOver = false;
stdin.on("end", () => {
  isOver = true;
});
stdin.resume();
let written = 0;
while (!isOver) {
  written++;
  const data = JSON.stringify({ type: "text", text: `${written}` });
  database.exec("BEGIN");
  database.run("UPDATE part SET data = ?, time_updated = ? WHERE id = 'first'", [data, at + written]);
  const id = `msg_w${String(written).padStart(9, "0")}`;
  const message = JSON.stringify({ role: "user", time: { created: at + written } });
  database.run("INSERT INTO message VALUES (?, 'ses_1', ?, ?, ?)", [id, at + written, at + written, message]);
  database.run("INSERT INTO part VALUES (?, ?, 'ses_1', ?, ?, ?)", [
    `prt_${id}`,
    id,
    at + written,
    at + written,
    JSON.stringify({ type: "text", text: "x".repeat((written * 97) % 2_000) }),
  ]);
  if (written > 40) {
    const old = `msg_w${String(written - 40).padStart(9, "0")}`;
    database.run("DELETE FROM part WHERE message_id = ?", [old]);
    database.run("DELETE FROM message WHERE id = ?", [old]);
  }
  database.run("UPDATE part SET data = ?, time_updated = ? WHERE id = 'last'", [data, at + written]);
  database.exec("COMMIT");
  if (written % 5 === 0) await new Promise((resolve) => setTimeout(resolve, 10));
}
database.close();
stdout.write(`${written}\n`);
