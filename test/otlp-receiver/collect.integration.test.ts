import { spawn } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../support/data-directory.js";
import { PROTOBUF, protobufSpans, spanIdOf, spansIn } from "./support/requests.js";

const MAIN = path.resolve(import.meta.dirname, "../../dist/src/composition/main.js");

it("has everything in the file that it acknowledged, when it is killed", async () => {
  const folder = await temporaryFolder();
  const options = ["--port", "0", "--ui-port", "0", "--data", folder];
  const child = spawn(process.execPath, [MAIN, "collect", ...options], {
    env: { ...process.env, CI: "true" },
  });
  let printed = "";
  child.stdout.on("data", (chunk) => {
    printed += chunk;
  });
  await expect.poll(() => printed, { timeout: 20_000 }).toContain("Storing spans in");
  const url = `${/OTEL_EXPORTER_OTLP_ENDPOINT=(\S+)/.exec(printed)![1]}/v1/traces`;
  const headers = { "Content-Type": PROTOBUF };
  const acknowledged: string[] = [];
  let next = 0;
  const send = async () => {
    for (;;) {
      const numbers = Array.from({ length: 50 }, () => next++);
      try {
        const { status } = await fetch(url, { method: "POST", headers, body: protobufSpans(numbers) });
        if (status === 200) acknowledged.push(...numbers.map(spanIdOf));
      } catch {
        return;
      }
    }
  };
  const senders = Promise.all([send(), send(), send()]);
  await expect.poll(() => acknowledged.length, { timeout: 20_000 }).toBeGreaterThan(1_000);
  child.kill("SIGKILL");
  await senders;
  const names = await readdir(folder);
  const texts = await Promise.all(names.map((name) => readFile(path.join(folder, name), "utf8")));
  // Unfinished writes at the kill are without acknowledgement, and may be torn.
  const whole = texts.map((text) => text.slice(0, text.lastIndexOf("\n") + 1)).join("");
  const written = new Set(spansIn(whole).map(({ spanId }) => spanId));
  expect(acknowledged.filter((spanId) => !written.has(spanId))).toEqual([]);
});
