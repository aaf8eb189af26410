import type { EngineMethod, EngineMethods, EngineUpdate, FromEngine, ToEngine } from "./engine-methods.js";
import { StateReceiver } from "./state-channel.js";

type Answer<M extends EngineMethod> = Awaited<ReturnType<EngineMethods[M]>>;

interface PendingCall {
  readonly call: ToEngine;
  resolve(value: unknown): void;
  reject(error: Error): void;
}

export class EngineClient {
  #worker: Worker | undefined;
  readonly #load: <T>(load: () => Promise<T>) => Promise<T>;
  readonly #pending = new Map<number, PendingCall>();
  readonly #states = new StateReceiver();
  readonly #subscribers = new Set<(update: EngineUpdate) => void>();
  #calls = 0;

  /**
   * @param base without a slash at its end
   * @param start calls `use` with the worker, and with another one if the first one's file was missing
   * @param load repeats a call for which the worker lacked a file
   */
  constructor(
    base: string,
    start: (use: (worker: Worker) => void) => void,
    load: <T>(load: () => Promise<T>) => Promise<T>,
  ) {
    this.#load = load;
    start((worker) => {
      this.#worker = worker;
      worker.addEventListener("message", ({ data }: MessageEvent<FromEngine>) => this.#receive(data));
      this.#send({ type: "start", base });
      for (const { call } of this.#pending.values()) this.#send(call);
    });
  }

  call<M extends EngineMethod>(method: M, ...args: Parameters<EngineMethods[M]>): Promise<Answer<M>> {
    return this.#load(() => this.#ask(method, args));
  }

  #ask<M extends EngineMethod>(method: M, args: Parameters<EngineMethods[M]>): Promise<Answer<M>> {
    const id = ++this.#calls;
    const call = { type: "call", id, method, args } as const;
    return new Promise<Answer<M>>((resolve, reject) => {
      this.#pending.set(id, { call, resolve: resolve as (value: unknown) => void, reject });
      this.#send(call);
    });
  }

  /** @returns a function that ends the subscription */
  subscribe(subscriber: (update: EngineUpdate) => void): () => void {
    this.#subscribers.add(subscriber);
    return () => this.#subscribers.delete(subscriber);
  }

  #send(message: ToEngine): void {
    this.#worker?.postMessage(message);
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
