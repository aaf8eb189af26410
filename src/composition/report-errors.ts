import type { OnInspectorError } from "../adapters/http/inspector-route.js";

export const writeError: OnInspectorError = (error, { method, path }) => {
  write(`agent-inspector: ${method} ${path} failed:`, error);
};

export function writeSourceError(error: unknown, { key }: { readonly key: string }): void {
  write(`agent-inspector: the source "${key}" failed:`, error);
}

export function writeWarning(message: string): void {
  write(message);
}

export function reporterOf(onError: OnInspectorError): OnInspectorError {
  return (error, request) => {
    const { method, path } = request;
    const reported = (async () => onError(error, request))();
    reported
      .catch(() => write(`agent-inspector: ${method} ${path} failed, and to report it failed, too.`))
      .catch(() => undefined);
  };
}

function write(...parts: readonly unknown[]): void {
  // biome-ignore lint/suspicious/noConsole: the host's log is where a failure belongs, and this is the default to reach it
  console.error(...parts);
}
