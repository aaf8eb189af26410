export const TRACE_ID_DIGITS = 32;
export const SPAN_ID_DIGITS = 16;

export const INVALID_IDS =
  "A span needs a traceId of 16 bytes and a spanId of 8, neither of them all zeros; in JSON they are hexadecimal.";

export function isValidId(id: string | undefined, digits: number): boolean {
  return id !== undefined && id.length === digits && /^[\da-f]+$/i.test(id) && !/^0+$/.test(id);
}
