import { readdirSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { projectsFolders } from "../claude-code/support/real-histories.js";
import { openHistory } from "../support/call-oracle/histories.js";
import { type Raw, rawLines, textIn } from "../support/call-oracle/oracle-call.js";
import { describeShared } from "../support/shared-suites.js";

describeShared("what the oracle says of Claude Code 2.1.331", () => {
  it.each(projectsFolders().filter(([name]) => name.startsWith("run-2.1.331")))(
    "has as many answers as each request that %s kept",
    (_, folder) => {
      const { calls } = openHistory("claude-code", folder);
      const requests = keptRequests(folder);
      const kept = calls.filter(({ answerId = "" }) => requests.has(answerId));
      const answersIn = ({ messages }: (typeof calls)[number]) =>
        new Set(messages.flatMap(({ answerId }) => answerId ?? [])).size;
      expect(kept.length).toBeGreaterThan(5);
      expect(kept.map((call) => [call.answerId, answersIn(call)])).toEqual(
        kept.map(({ answerId = "" }) => [answerId, requests.get(answerId)]),
      );
    },
  );
});

/**
 * Earlier answers in the request of each answer, from the requests that Claude Code 2.1.331 stores: after the first message, answers and
 * their follow-ups alternate. System messages are in between, and a compaction's new readings follow as another message.
 */
function keptRequests(folder: string): Map<string, number> {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith(".jsonl"),
  );
  const records = files.flatMap((file) => rawLines(path.join(folder, file)).map(({ record }) => record));
  const roles = new Map(
    records.flatMap(({ type, hash, message }) =>
      type === "api-request-blob" ? [[hash, textIn(message as Raw, "role")]] : [],
    ),
  );
  const hashes = new Map<unknown, readonly unknown[]>();
  for (const { type, id, base, keep, tail } of records) {
    if (type !== "api-request") continue;
    hashes.set(id, [...(hashes.get(base) ?? []).slice(0, Number(keep)), ...(tail as readonly unknown[])]);
  }
  const counted = records.flatMap(({ message, requestRef }): [string, number][] => {
    const sent = hashes.get(requestRef)?.map((hash) => roles.get(hash));
    if (sent === undefined) return [];
    const turns = sent.filter((role) => role !== "system");
    const taken = turns.filter((role, at) => role !== "user" || turns[at - 1] !== "user");
    return [[String((message as Raw).id), (taken.length - 1) / 2]];
  });
  return new Map(counted);
}
