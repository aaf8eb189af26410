import path from "node:path";
import { messageLines, sessionFolder, traceLines, writeLinesAndBody, writeManySessions } from "./data.js";
import type { Sizes } from "./sizes.js";

/** What was generated, and where: paths below the inspector's mount, and ready bodies of the same answers. */
export interface BenchData {
  readonly dataDir: string;
  readonly listDir: string;
  readonly bigTrace: string;
  readonly bigTraceBody: string;
  readonly bigMessages: string;
  readonly bigMessagesBody: string;
  readonly hugeTrace: string;
  readonly smallTrace: string;
  readonly smallBody: string;
}

export async function generate(folder: string, sizes: Sizes): Promise<BenchData> {
  const dataDir = path.join(folder, "data");
  const listDir = path.join(folder, "list");
  const trace = async (sessionId: string, envelopes: number) => {
    const session = { tenantId: "acme", sessionId };
    const body = path.join(folder, `${sessionId}-trace.json`);
    const file = path.join(sessionFolder(dataDir, session), "trace", "events.jsonl");
    await writeLinesAndBody(file, body, "envelopes", traceLines(session, envelopes, sizes.envelopeBytes));
    return { at: `/sessions/${sessionId}/trace?tenantId=acme`, body };
  };
  const big = await trace("big", sizes.bigEnvelopes);
  const huge = await trace("huge", sizes.hugeEnvelopes);
  const small = await trace("small", sizes.sessionEnvelopes);
  const bigMessagesBody = path.join(folder, "big-messages.json");
  const messages = path.join(
    sessionFolder(dataDir, { tenantId: "acme", sessionId: "big" }),
    "messages.jsonl",
  );
  await writeLinesAndBody(
    messages,
    bigMessagesBody,
    "messages",
    messageLines(sizes.bigMessages, sizes.messageBytes),
  );
  await writeManySessions(listDir, sizes.sessions, sizes.sessionEnvelopes, sizes.envelopeBytes);
  return {
    dataDir,
    listDir,
    bigTrace: big.at,
    bigTraceBody: big.body,
    bigMessages: "/sessions/big/messages?tenantId=acme",
    bigMessagesBody,
    hugeTrace: huge.at,
    smallTrace: small.at,
    smallBody: small.body,
  };
}
