import { type AuthoredLine, type AuthorsInput, lineAuthors } from "../../domain/changes/line-authors.js";
import { ownModule } from "../ports/reading-pool.js";
import { textAligner } from "./align-texts.js";

/** Finds out which edit wrote each line of a file. */
export const LINE_AUTHORS = {
  module: ownModule(import.meta.url, "line-author-task"),
  name: "findLineAuthors",
  steps: findLineAuthors,
};

export function findLineAuthors(input: AuthorsInput): Generator<void, AuthoredLine[]> {
  return lineAuthors(input, textAligner());
}
