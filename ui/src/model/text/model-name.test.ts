import { expect, it } from "vitest";
import { shortModel } from "./model-name.js";

it.each([
  ["claude-sonnet-4-5-20250929", "Sonnet 4.5"],
  ["claude-opus-4-20250514", "Opus 4"],
  ["claude-haiku-4-5", "Haiku 4.5"],
  ["claude-3-5-sonnet-20241022", "Sonnet 3.5"],
  ["claude-3-7-sonnet-latest", "Sonnet 3.7"],
  ["claude-3-haiku-20240307", "Haiku 3"],
  ["us.anthropic.claude-sonnet-4-20250514-v1:0", "Sonnet 4"],
  ["claude-sonnet-4@20250514", "Sonnet 4"],
  ["openai/gpt-5-codex", "gpt-5-codex"],
  ["gpt-4o-2024-08-06", "gpt-4o"],
  ["gemini-2.5-pro", "gemini-2.5-pro"],
  ["<synthetic>", "<synthetic>"],
  ["models/", "models/"],
])("calls the model %s %s", (model, short) => expect(shortModel(model)).toBe(short));
