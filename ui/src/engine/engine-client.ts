import type { EngineMethod, EngineMethods, EngineUpdate, FromEngine, ToEngine } from "./engine-methods.js";
import { StateReceiver } from "./state-channel.js";

type Answer<M extends EngineMethod> = Awaited<ReturnType<EngineMethods[M]>>;

/** The page's end of the worker: calls with answers, and updates for subscribers. */
export class EngineClient {
  readonly #worker: Worker;
  readonly #pending = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  readonly #states = new StateReceiver();
  readonly #subscribers = new Set<(update: EngineUpdate) => void>();
  #calls = 0;

  constructor(worker: Worker, base: string) {
    this.#worker = worker;
    worker.addEventListener("message", ({ data }: MessageEvent<FromEngine>) => this.#receive(data));
    this.#send({ type: "start", base });
  }

  call<M extends EngineMethod>(method: M, ...args: Parameters<EngineMethods[M]>): Promise<Answer<M>> {
    const id = ++this.#calls;
    return new Promise<Answer<M>>((resolve, reject) => {
      this.#pending.set(id, { resolve: resolve as (value: unknown) => void, reject });
      this.#send({ type: "call", id, method, args });
    });
  }

  /** @returns a function that ends the subscription */
  subscribe(subscriber: (update: EngineUpdate) => void): () => void {
    this.#subscribers.add(subscriber);
    return () => this.#subscribers.delete(subscriber);
  }

  #send(message: ToEngine): void {
    this.#worker.postMessage(message);
  }

  #receive(message: FromEngine): void {
    if (message.type === "update") {
      const update: EngineUpdate =
        message.topic === "session"
          ? { topic: "session", state: this.#states.unpack(message.state) }
          : message;
      for (const subscriber of this.#subscribers) subscriber(update);
      return;
    }
    const call = this.#pending.get(message.id);
    this.#pending.delete(message.id);
    if (message.type === "answer") call?.resolve(message.value);
    else if (message.type === "failure") call?.reject(new Error(message.message));
  }
}
