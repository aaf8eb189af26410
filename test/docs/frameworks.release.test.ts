import { it } from "vitest";
import { expectRecorded, FRAMEWORKS } from "../support/recorded-frameworks.js";

it.for(FRAMEWORKS)(
  "docs/frameworks.md records the turns, calls, tokens, agents and errors of a real agent: %s",
  { timeout: 300_000 },
  (name, { skip }) => expectRecorded(name, skip),
);
