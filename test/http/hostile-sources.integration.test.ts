import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HOSTILE_CASES } from "../support/hostile/cases.js";
import { SECRET } from "../support/hostile/values.js";

const HOST = fileURLToPath(new URL("../support/hostile/host.ts", import.meta.url));

describe("The host lives", () => {
  let host: ChildProcess;
  let origin: string;

  beforeAll(async () => {
    // Its log is of no interest: it has the errors of the hostile source.
    host = spawn(process.execPath, ["--import", "tsx", HOST], { stdio: ["ignore", "pipe", "ignore"] });
    const ended = once(host, "exit").then(() =>
      Promise.reject(new Error("The host ended before it listened.")),
    );
    const [port] = (await Promise.race([once(host.stdout!, "data"), ended])) as [Buffer];
    origin = `http://127.0.0.1:${port.toString().trim()}`;
  });

  afterAll(() => {
    host.kill();
  });

  it.each(HOSTILE_CASES.map(({ name, expected, path }, i) => [name, expected, `${i}${path}`] as const))(
    "where %s: %s",
    async (_, expected, path) => {
      const response = await fetch(`${origin}/${path}`);
      const type = response.headers.get("content-type");
      const text = await response.text().catch(() => undefined);
      expect(text === undefined ? "broken off" : response.status).toBe(expected);
      if (response.status >= 400) {
        expect(type).toBe("application/problem+json; charset=utf-8");
        expect(JSON.parse(text!)).toMatchObject({ status: expected });
        expect(text).not.toContain(SECRET);
      }
      expect(await (await fetch(`${origin}/co-hosted`)).text()).toBe("the host's");
      expect(host.exitCode).toBeNull();
    },
  );
});
