import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { isJsonObject } from "../../src/domain/json/json.js";
import { sized } from "../support/soak.js";
import { HistoryDatabase, newFolder, openHistories, text } from "./support/databases.js";

const TENANT = "-srv-shop";

it("A database that another process writes to all the time is read at one instant each time, with no error on either side", async () => {
  const folder = newFolder();
  const file = path.join(folder, "opencode.db");
  const history = new HistoryDatabase(file);
  history.session("ses_1");
  for (const id of ["first", "last"]) {
    const message = history.prompt("ses_1", 0, id);
    history.part("ses_1", message, 0, text("0"));
    history.database.run("UPDATE part SET id = ? WHERE message_id = ? AND data = ?", [
      id,
      message,
      JSON.stringify(text("0")),
    ]);
  }
  history.close();
  const writer = spawn(process.execPath, [
    "--no-warnings",
    path.join(import.meta.dirname, "../support/opencode-writer.mjs"),
    file,
  ]);
  onTestFinished(() => void writer.kill());
  let [said, complained] = ["", ""];
  writer.stdout.on("data", (data) => (said += data));
  writer.stderr.on("data", (data) => (complained += data));
  await expect.poll(() => said).toContain("begun");
  const source = openHistories(folder);
  const numbers: number[] = [];
  const end = performance.now() + sized(2_000, 60_000);
  // On a busy machine the writer needs time to continue.
  while (performance.now() < end || new Set(numbers).size < 3) {
    const [item, ...others] = await source.listSessions();
    expect(others).toEqual([]);
    expect(item!.warnings).toBeUndefined();
    const messages = (await source.loadMessages(TENANT, "ses_1")) as {
      info: { id: string };
      parts: { text: string }[];
    }[];
    const [first, last] = messages.map(({ parts }) => parts.find(({ text: own }) => /^\d+$/.test(own))?.text);
    expect(first).toBe(last);
    expect(messages.every((message) => isJsonObject(message))).toBe(true);
    numbers.push(Number(first));
  }
  const ended = once(writer, "exit");
  writer.stdin.end();
  await ended;
  expect(complained).toBe("");
  const written = Number(said.trim().split("\n").at(-1));
  expect(written).toBeGreaterThan(20);
  expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
  expect(numbers.at(-1)).toBeLessThanOrEqual(written);
  expect(readdirSync(folder).filter((name) => !name.endsWith(".lock"))).toEqual(["opencode.db"]);
}, 120_000);
