import { onTestFinished } from "vitest";
import type { SpanStore } from "../../../src/application/ports/span-store.js";
import { createOtlpReceiver, type OtlpReceiverOptions } from "../../../src/otlp-receiver.js";
import { JSON_TYPE, spansIn } from "./requests.js";

type Body = NonNullable<RequestInit["body"]>;

export function receive(options: OtlpReceiverOptions = {}) {
  const parts: Buffer[] = [];
  const store: SpanStore = {
    append: async (lines) => void parts.push(Buffer.from(lines)),
    close: async () => undefined,
  };
  const errors: unknown[] = [];
  const receiver = createOtlpReceiver({
    store,
    threads: false,
    access: () => ({ tenants: "all" }),
    onError: (error) => errors.push(error),
    ...options,
  });
  onTestFinished(() => receiver.close());
  const post = (body: Body, headers: Record<string, string> = {}) =>
    receiver.app.request("/v1/traces", {
      method: "POST",
      body,
      headers: { "Content-Type": JSON_TYPE, ...headers },
      ...{ duplex: "half" },
    });
  const text = () => Buffer.concat(parts).toString();
  return { receiver, post, errors, text, spans: () => spansIn(text()) };
}
