import { chmod, mkdir, rm, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { sessionFiles } from "../../src/adapters/data-directory/session-files.js";
import { createFilesystemInspectorDataSource } from "../../src/advanced.js";
import { envelopeText } from "../contract/fixture.js";
import { emptySession, makeFolders, temporaryFolder } from "../support/data-directory.js";
import { pools } from "../support/pools.js";
import { inspect, inspectJson } from "../support/read-list.js";

const MESSAGES = "/sessions/s1/messages?tenantId=acme";
const TRACE = "/sessions/s1/trace?tenantId=acme";

interface Messages {
  readonly messages: readonly { readonly content: unknown }[];
}

const message = (content: unknown) => JSON.stringify({ role: "user", content });
const contents = ({ messages }: Messages) => messages.map(({ content }) => content);

describe.each(pools())("%s", (_, pool) => {
  const open = (dataDir: string) => createFilesystemInspectorDataSource(dataDir, { pool });

  describe("a folder that may not be read", () => {
    const isRoot = process.getuid?.() === 0;
    it.skipIf(isRoot)(
      "is 503 where its files are asked for, by name, and takes nothing else from the list (skipped for root, who may read all)",
      async () => {
        const files = await emptySession();
        await writeFile(files.session, '{"type":"init","userId":"ada"}\n');
        await writeFile(files.trace, `${envelopeText(0, { type: "x" })}\n`);
        await chmod(path.dirname(files.trace), 0o000);
        onTestFinished(() => chmod(path.dirname(files.trace), 0o755));
        const source = open(files.dataDir);
        expect(await source.listSessions()).toMatchObject([{ sessionId: "s1", userId: "ada" }]);
        await expect(source.loadTraceEnvelopes("acme", "s1")).rejects.toThrow(
          "tenants/acme/sessions/s1/trace/events.jsonl cannot be read: permission denied",
        );
      },
    );
  });

  describe("links", () => {
    it("are not followed out of the data directory, at any level", async () => {
      const outside = await temporaryFolder();
      const secret = sessionFiles(outside, "acme", "s1");
      await makeFolders(secret);
      await writeFile(secret.messages, `${message("secret")}\n`);
      await writeFile(secret.trace, `${envelopeText(0, { type: "secret" })}\n`);
      const tenants = path.join("tenants");

      const viaTenant = await temporaryFolder();
      await mkdir(path.join(viaTenant, tenants));
      await symlink(path.join(outside, tenants, "acme"), path.join(viaTenant, tenants, "acme"));
      const viaSession = await temporaryFolder();
      await mkdir(path.join(viaSession, tenants, "acme", "sessions"), { recursive: true });
      await symlink(secret.folder, path.join(viaSession, tenants, "acme", "sessions", "s1"));
      for (const dataDir of [viaTenant, viaSession]) {
        const source = open(dataDir);
        expect(await source.listSessions()).toEqual([]);
        expect((await inspect(source, MESSAGES)).status).toBe(404);
      }

      const viaFile = await emptySession();
      await symlink(secret.messages, viaFile.messages);
      await rm(path.dirname(viaFile.trace), { recursive: true });
      await symlink(path.dirname(secret.trace), path.dirname(viaFile.trace));
      const source = open(viaFile.dataDir);
      expect(await inspectJson(source, MESSAGES)).toEqual({ messages: [] });
      expect(await inspectJson(source, TRACE)).toEqual({ envelopes: [] });
    });

    it("are followed inside it, and the data directory may itself be one", async () => {
      const files = await emptySession();
      await writeFile(path.join(files.dataDir, "elsewhere.jsonl"), `${message("inside")}\n`);
      await symlink(path.join(files.dataDir, "elsewhere.jsonl"), files.messages);
      const link = path.join(await temporaryFolder(), "data");
      await symlink(files.dataDir, link);
      for (const dataDir of [files.dataDir, link]) {
        const source = open(dataDir);
        expect(contents(await inspectJson<Messages>(source, MESSAGES))).toEqual(["inside"]);
      }
    });

    it("that lead in a circle lead nowhere", async () => {
      const files = await emptySession();
      await symlink(files.messages, files.messages);
      const source = open(files.dataDir);
      expect(await inspectJson(source, MESSAGES)).toEqual({ messages: [] });
    });
  });
});
