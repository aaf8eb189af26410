import { expect, it } from "vitest";
import { descriptorOf } from "../../../scripts/otlp-descriptor.mjs";
import { DESCRIPTOR } from "./descriptor.js";

it("The descriptor holds what the .proto files say", () => {
  expect(DESCRIPTOR).toEqual(descriptorOf());
});
