import { createAgentApp } from "agent-inspector";
import { z } from "zod";
import { Conversations } from "./conversations.js";
import { Folder } from "./folder.js";
import type { Model } from "./model.js";
import { messageOf } from "./recording.js";
import { runTurn } from "./turn.js";

export interface AppOptions {
  /** Histories of the agent; the inspector reads them. */
  readonly dataDir: string;
  /** The agent answers questions about this folder. */
  readonly folder: string;
  readonly model: Model;
  /** Tokens of a conversation before its compaction. Default is 50,000. */
  readonly contextTokens?: number;
}

/** The same rule as in the recorder, so that a wrong id is the client's error. */
const id = z
  .string()
  .regex(/^[\p{L}\p{N}@._-]+$/u)
  .regex(/[^.]/);

const ChatRequest = z.object({
  tenantId: id.default("default"),
  sessionId: id.optional(),
  userId: z.string().optional(),
  message: z.string().min(1),
});

/** The agent application: a chat, and the inspector at `/__inspector`. */
export function createApp({ dataDir, folder, model, contextTokens = 50_000 }: AppOptions) {
  const app = createAgentApp({ dataDir, inspector: true });
  const conversations = new Conversations();
  const options = { model, folder: new Folder(folder), contextTokens };

  app.post("/chat", async (c) => {
    const request = ChatRequest.safeParse(await c.req.json().catch(() => undefined));
    if (!request.success) return c.json({ error: z.prettifyError(request.error) }, 400);
    const { tenantId, sessionId, userId, message } = request.data;
    const title = message.slice(0, 60);
    const session = await c.var.sessions.open({ tenantId, sessionId, userId, agentId: "agent-app", title });

    const conversation = conversations.of(tenantId, session.sessionId);
    const turn = conversation.turn.then(() => runTurn(session, conversation, message, options));
    conversation.turn = turn.catch(() => undefined);
    try {
      return c.json({ tenantId, sessionId: session.sessionId, answer: await turn });
    } catch (error) {
      return c.json({ tenantId, sessionId: session.sessionId, error: messageOf(error) }, 502);
    }
  });
  return app;
}
