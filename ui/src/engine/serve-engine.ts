import {
  type EngineMethods,
  engineMethods,
  type FromEngine,
  NoSessionError,
  type ToEngine,
} from "./engine-methods.js";
import { StateSender } from "./state-channel.js";

/** TypeScript's `dom` library types a worker's global scope as a window. */
const scope = globalThis as unknown as {
  postMessage(message: FromEngine): void;
  addEventListener(type: "message", listener: (event: MessageEvent<ToEngine>) => void): void;
};

/** The worker's side of `EngineClient`. */
export function serveEngine(): void {
  let methods: EngineMethods | undefined;
  scope.addEventListener("message", async ({ data }) => {
    if (data.type === "start") {
      const states = new StateSender();
      methods = engineMethods(data.base, (update) => {
        const sent = update.topic === "session" ? { ...update, state: states.pack(update.state) } : update;
        scope.postMessage({ type: "update", ...sent });
      });
      return;
    }
    const { id, method, args } = data;
    try {
      const call = methods![method] as (...args: readonly unknown[]) => unknown;
      scope.postMessage({ type: "answer", id, value: await call(...args) });
    } catch (error) {
      if (error instanceof NoSessionError) scope.postMessage({ type: "outdated", id });
      else scope.postMessage({ type: "failure", id, message: String(error) });
    }
  });
}
