import { appendFile, writeFile } from "node:fs/promises";
import { expect, it, onTestFinished } from "vitest";
import { sessionFiles } from "../../src/adapters/data-directory/session-files.js";
import { createFilesystemInspectorDataSource } from "../../src/advanced.js";
import { createPostgresDataSource, importIntoPostgres } from "../../src/postgres.js";
import { envelopeText, NOON } from "../contract/fixture.js";
import { temporaryFolder, writeSessions } from "../support/data-directory.js";
import { useDatabase } from "../support/postgres-database.js";

const database = useDatabase();

it("A second import from one source, with the same signal, copies what the directory has got since", async () => {
  const { connectionString } = database;
  const dataDir = await temporaryFolder();
  const key = { tenantId: "acme", sessionId: "s1" };
  const envelopes = [envelopeText(0, { type: "turn.start" })];
  const messages = ['{"n":1}', '{"n":2}'];
  await writeSessions(dataDir, [{ ...key, userId: "ada", createdAt: NOON, envelopes, messages }]);
  const directory = createFilesystemInspectorDataSource(dataDir);
  const copy = createPostgresDataSource({ connectionString });
  onTestFinished(() => copy.close?.());

  const { signal } = new AbortController();
  expect(await importIntoPostgres(directory, { connectionString, signal })).toMatchObject({ records: 3 });
  const files = sessionFiles(dataDir, "acme", "s1");
  await appendFile(files.trace, `${envelopeText(1, { type: "turn.end", outcome: "failed" })}\n`);
  await writeFile(files.messages, '{"summary":true}\n');
  const second = await importIntoPostgres(directory, { connectionString, signal });
  expect(second).toMatchObject({ records: 2, skipped: [] });
  expect(await copy.loadTraceEnvelopes("acme", "s1")).toHaveLength(2);
  expect(await copy.loadMessages("acme", "s1")).toEqual([{ summary: true }]);
  expect(await copy.listSessions()).toMatchObject([{ status: "error" }]);
  await directory.close?.();
});
