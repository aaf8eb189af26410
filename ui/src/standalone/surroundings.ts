import { stopClock } from "../model/live/live-now.js";
import { type FirstMessage, HANDED, type Opened, type Unpacked } from "./protocol.js";

const unpacked = (globalThis as unknown as { readonly [HANDED]: Unpacked })[HANDED];

/** Never requested: the engine's worker answers instead. */
const BASE = "http://inspector.invalid";

const engine = started({ serve: "engine", archive: unpacked.archive });
const { head, sessions } = await opened(engine);
stopClock(Date.parse(head.exportedAt));

/** Replaces `app/surroundings.ts` for a page that is a file. */
export const exported = { head, sessions };

export async function findBase(): Promise<string> {
  return BASE;
}

export const signInDocument: string | undefined = undefined;

export function startEngine(): Worker {
  return engine;
}

export function startLayout(): Worker {
  return started({ serve: "layout" });
}

function started(first: FirstMessage): Worker {
  const worker = new Worker(unpacked.worker);
  worker.postMessage(first, first.serve === "engine" ? [first.archive.buffer] : []);
  return worker;
}

/** Never resolves on failure: the page displays the reason. */
function opened(worker: Worker): Promise<Extract<Opened, { head: unknown }>> {
  return new Promise((resolve) => {
    worker.addEventListener("error", ({ message }) => unpacked.fail(message), { once: true });
    const receive = ({ data }: MessageEvent<Opened>) => {
      if ("failure" in data) unpacked.fail(data.failure);
      else resolve(data);
    };
    worker.addEventListener("message", receive, { once: true });
  });
}
