import { RecordingError, SourceRefusedError } from "../errors.js";

/**
 * Receives each recording failure: `error.message` states the operation and the session, `error.cause` the reason. It is not awaited, and
 * an error that it throws has no effect.
 */
export type OnRecordingError = (error: RecordingError) => unknown;

/** @param what follows on `could not` */
export function recordingError(what: string, cause: unknown): RecordingError {
  if (cause instanceof RecordingError) return cause;
  const help = cause instanceof SourceRefusedError ? ` ${cause.message}` : "";
  return new RecordingError(`The session store could not ${what}.${help}`, { cause });
}

export function report(onError: OnRecordingError, error: RecordingError): void {
  const reporting = async () => onError(error);
  reporting().catch(ignore);
}

function ignore(): void {}
