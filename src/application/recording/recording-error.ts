import { RecordingError, SourceRefusedError } from "../errors.js";

/**
 * Is told of each thing that could not be recorded: `error.message` says what and of which session, `error.cause` why. What it
 * returns is not waited for, and what it throws changes nothing.
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
