import { InvalidRequestError } from "../../application/errors.js";
import type { Window } from "../../application/questions/window.js";

/** @throws InvalidRequestError where both places of a beginning are given */
export function withoutBoth(window: Window): Window {
  if (window.cursor === undefined || window.from === undefined) return window;
  throw new InvalidRequestError("from", "cannot be given together with cursor.");
}

/** @throws InvalidRequestError where a part is asked for of a record that is not there */
export function wholeRecord(json: string | undefined): string {
  if (json !== undefined) return json;
  throw new InvalidRequestError("jsonFrom", "needs a record: there is none at that place.");
}
