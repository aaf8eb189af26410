import type { OnInspectorError } from "../adapters/http/inspector-route.js";

/** Writes a failure to the host's log. */
export const writeError: OnInspectorError = (error, { method, path }) => {
  write(`agent-inspector: ${method} ${path} failed:`, error);
};

/** Writes why an answer was made without one of several sources to the host's log. */
export function writeSourceError(error: unknown, { key }: { readonly key: string }): void {
  write(`agent-inspector: the source "${key}" failed:`, error);
}

/** Writes something that its developer should know to the host's log. */
export function writeWarning(message: string): void {
  write(message);
}

/**
 * The host's handler as one that neither throws nor rejects. Where it fails itself, or cannot print the error, a line in the log
 * says that there was something to report.
 */
export function reporterOf(onError: OnInspectorError): OnInspectorError {
  return (error, request) => {
    const { method, path } = request;
    const reported = (async () => onError(error, request))();
    reported
      .catch(() => write(`agent-inspector: ${method} ${path} failed, and to report it failed, too.`))
      .catch(() => undefined); // there is nobody left to tell
  };
}

function write(...parts: readonly unknown[]): void {
  // biome-ignore lint/suspicious/noConsole: the host's log is where a failure belongs, and this is the default to reach it
  console.error(...parts);
}
