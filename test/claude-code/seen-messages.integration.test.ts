import { expect, it } from "vitest";
import { ComparedInspector } from "../support/call-oracle/compared-inspector.js";
import {
  assistantRecord,
  at,
  lines,
  newProjects,
  openHistories,
  userRecord,
  uuid,
} from "./support/projects.js";

const SAID = (text: string) => [{ type: "text", text }];

async function seenBy(...records: readonly object[]): Promise<string[][]> {
  const source = openHistories(await newProjects({ "p/s.jsonl": lines(...records) }));
  const inspector = new ComparedInspector(source);
  const session = { tenantId: "p", sessionId: "s" };
  const { traced } = await inspector.modelCalls(session);
  const seen: string[][] = [];
  for (const call of traced) seen.push((await inspector.seenBy(session, call)).map(({ text }) => text));
  return seen;
}

it("is no message of a request as it was sent: the conversation holds what that was made of", async () => {
  const message = { role: "user", content: "Reminder. Go." };
  const blob = { type: "api-request-blob", sessionId: "s", hash: "h1", message };
  expect(await seenBy(userRecord(1, 1, "Go."), blob, assistantRecord(2, 2, "m1", SAID("Gone.")))).toEqual([
    ["Go."],
  ]);
});

it("is no failure that was written in the place of an answer", async () => {
  const failed = { ...assistantRecord(2, 2, "e1", SAID("API Error: 400")), isApiErrorMessage: true };
  const seen = await seenBy(
    userRecord(1, 1, "Go."),
    failed,
    userRecord(3, 3, "Again."),
    assistantRecord(4, 4, "m1", SAID("Gone.")),
  );
  expect(seen).toEqual([["Go.", "Again."]]);
});

const boundary = (compactMetadata: object) => ({
  ...{ type: "system", subtype: "compact_boundary", uuid: uuid(5), timestamp: at(5) },
  ...{ parentUuid: null, logicalParentUuid: uuid(4), compactMetadata },
});
const COMPACTED = [
  userRecord(1, 1, "Go."),
  assistantRecord(2, 2, "m1", SAID("Gone.")),
  userRecord(3, 3, "Where?"),
  assistantRecord(4, 4, "m2", SAID("Here.")),
];
const GOING_ON = [
  userRecord(6, 6, "All summed up.", { isCompactSummary: true, parentUuid: uuid(5) }),
  userRecord(7, 7, "On.", { parentUuid: uuid(6) }),
  assistantRecord(8, 8, "m3", SAID("Yes.")),
];

it("is what a compaction left, behind the summary that takes the place of all else", async () => {
  const preservedMessages = { anchorUuid: uuid(6), uuids: [uuid(4)], allUuids: [uuid(3), uuid(4)] };
  const seen = await seenBy(...COMPACTED, boundary({ preservedMessages }), ...GOING_ON);
  expect(seen.at(-1)).toEqual(["All summed up.", "Where?", "Here.", "On."]);
});

it("is what a compaction left before the summary, where that is no anchor of it", async () => {
  const preservedMessages = { anchorUuid: uuid(99), uuids: [uuid(4)] };
  const seen = await seenBy(...COMPACTED, boundary({ preservedMessages }), ...GOING_ON);
  expect(seen.at(-1)).toEqual(["Here.", "All summed up.", "On."]);
});
