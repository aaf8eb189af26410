import { inspect } from "node:util";
import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import { SourceUnavailableError } from "../../src/application/errors.js";
import { createInspectorRoute } from "../../src/composition/threaded-inspector.js";
import {
  createPostgresDataSource,
  createPostgresSessionStore,
  type PostgresPool,
} from "../../src/postgres.js";
import { useDatabase } from "../support/postgres-database.js";

const database = useDatabase();

const opened: { close?(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close?.();
});

describe("A database that cannot be reached", () => {
  const broken = (change: (url: URL) => void): string => {
    const url = new URL(database.connectionString);
    change(url);
    return url.href;
  };
  const cases: readonly (readonly [string, (url: URL) => void, code: string, advice: string])[] = [
    [
      "a port where nothing listens",
      (url) => Object.assign(url, { port: "1" }),
      "ECONNREFUSED",
      "whether the server runs",
    ],
    [
      "an unknown host",
      (url) => Object.assign(url, { hostname: "secret-host.invalid" }),
      "ENOTFOUND",
      "host name cannot be looked up",
    ],
    [
      "a wrong password",
      (url) => Object.assign(url, { password: "secret-password" }),
      "28P01",
      "the password is wrong",
    ],
    ["an unknown user", (url) => Object.assign(url, { username: "secret-user" }), "28P01", "no such role"],
    [
      "a database that is not there",
      (url) => Object.assign(url, { pathname: "/secret-database" }),
      "3D000",
      "CREATE DATABASE",
    ],
    [
      "a server without encryption",
      (url) => Object.assign(url, { search: "?sslmode=verify-full" }),
      "no code",
      "Turn ssl on",
    ],
  ];

  it.each(cases)(
    "is 503 for %s, says which it is, and shows neither host nor user nor password",
    async (_, change, code, advice) => {
      const connectionString = broken(change);
      const source = createPostgresDataSource({ connectionString });
      opened.push(source);
      const logged: unknown[] = [];
      const route = createInspectorRoute(source, { onError: (error) => logged.push(error) });
      const response = await route.request("/sessions/s1/trace?tenantId=acme");
      const body = await response.text();
      expect(response.status).toBe(503);
      expect(body).toContain(advice);
      expect(logged).toMatchObject([{ message: expect.stringContaining(advice), cause: { message: code } }]);
      const { hostname, username, password } = new URL(connectionString);
      const shown = body + inspect(logged, { depth: 10 }) + inspect(source, { depth: 10, showHidden: true });
      for (const secret of [password, username, hostname, "secret-"]) expect(shown).not.toContain(secret);
    },
  );

  it("tells a role that may not connect, and one that may not log in", async () => {
    const roles = ["inspector_closed_out", "inspector_no_login"];
    const forget = () => database.run(`DROP ROLE IF EXISTS ${roles.join(", ")}`);
    await forget();
    await database.run(
      `CREATE ROLE ${roles[0]} LOGIN PASSWORD 'p'; CREATE ROLE ${roles[1]} NOLOGIN PASSWORD 'p'`,
    );
    const name = new URL(database.connectionString).pathname.slice(1);
    onTestFinished(async () => {
      await database.run(`GRANT CONNECT ON DATABASE ${name} TO public`);
      await forget();
    });
    await database.run(`REVOKE CONNECT ON DATABASE ${name} FROM public`);
    const failureOf = (username: string) => {
      const source = createPostgresDataSource({
        connectionString: broken((url) => Object.assign(url, { username, password: "p" })),
      });
      opened.push(source);
      return source.listSessions().catch(String);
    };
    expect(await Promise.all(roles.map(failureOf))).toEqual([
      expect.stringContaining("GRANT CONNECT ON DATABASE"),
      expect.stringContaining("pg_hba.conf"),
    ]);
  });

  it.each([
    [0, 1],
    [400, expect.toSatisfy((attempts: number) => attempts > 1)],
  ])(
    "is reported by a writer that may try for %i ms after as many attempts as that allows",
    async (retryForMs, expected) => {
      let attempts = 0;
      const pool: PostgresPool = {
        connect: () => {
          attempts++;
          return Promise.reject(Object.assign(new Error("refused"), { code: "ECONNREFUSED" }));
        },
      };
      const store = createPostgresSessionStore({ pool, retryForMs });
      const writing = store.appendMessages({ tenantId: "acme", sessionId: "s1" }, [{ n: 1 }]);
      await expect(writing).rejects.toThrow(SourceUnavailableError);
      expect(attempts).toEqual(expected);
    },
  );

  it.each(["postgres//user:secret@host/db", "mysql://user:secret@host", "secret"])(
    "is no database at all: %s is refused without being repeated",
    async (connectionString) => {
      const source = createPostgresDataSource({ connectionString });
      const error: unknown = await source.listSessions().catch((caught: unknown) => caught);
      expect(inspect(error)).toContain("is no PostgreSQL URL");
      expect(inspect(error)).not.toContain("secret");
    },
  );
});
