import type { EngineMethod, EngineMethods, EngineUpdate, FromEngine, ToEngine } from "./engine-methods.js";

type Answer<M extends EngineMethod> = Awaited<ReturnType<EngineMethods[M]>>;

/** The page's end of the engine: calls with answers, and news for whoever listens. */
export class EngineClient {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  readonly #listeners = new Set<(news: EngineUpdate) => void>();
  #calls = 0;

  constructor(worker: Worker, base: string) {
    this.#worker = worker;
    worker.addEventListener("message", ({ data }: MessageEvent<FromEngine>) => this.#receive(data));
    this.#send({ type: "start", base });
  }

  call<M extends EngineMethod>(method: M, ...args: Parameters<EngineMethods[M]>): Promise<Answer<M>> {
    const id = ++this.#calls;
    return new Promise<Answer<M>>((resolve, reject) => {
      this.#waiting.set(id, { resolve: resolve as (value: unknown) => void, reject });
      this.#send({ type: "call", id, method, args });
    });
  }

  /** @returns what ends the listening */
  listen(listener: (news: EngineUpdate) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #send(message: ToEngine): void {
    this.#worker.postMessage(message);
  }

  #receive(message: FromEngine): void {
    if (message.type === "news") {
      for (const listener of this.#listeners) listener(message);
      return;
    }
    const call = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if (message.type === "answer") call?.resolve(message.value);
    else call?.reject(new Error(message.message));
  }
}
