import type { SessionStore } from "../application/ports/session-store.js";
import { SessionRecorder } from "../application/recording/session-recorder.js";
import { type LiveSession, startLiveSession } from "./live-session.js";
import { writeDemo } from "./write-demo.js";

/** Writes the demo into a store; one of its sessions goes on until it is stopped. */
export async function startDemo(store: SessionStore): Promise<LiveSession> {
  await writeDemo((clock) => new SessionRecorder(store, { clock }), Date.now());
  return startLiveSession(new SessionRecorder(store));
}
