import { expect, it } from "vitest";
import { errorText, isMissingFile } from "./error-text.js";

it("says what an error says, without addresses and folders", () => {
  expect(errorText(new TypeError("Cannot read properties of undefined (reading 'kind')"))).toBe(
    "TypeError: Cannot read properties of undefined (reading 'kind')",
  );
  expect(
    errorText(new Error("no row in /home/ada/shop/cart.ts:3 of https://ada:pw@shop.example/x?key=1")),
  ).toBe("Error: no row in …:3 of …");
  expect(errorText(new Error("C:\\Users\\ada\\x.ts\nis and/or was"))).toBe("Error: … is and/or was");
  expect(errorText("x".repeat(1_000)).length).toBe(301);
});

it("tells a file that is missing from a fault, in each browser's words", () => {
  const missing = [
    "Failed to fetch dynamically imported module: http://localhost/assets/a.js",
    "error loading dynamically imported module: http://localhost/assets/a.js",
    "Importing a module script failed.",
    "Unable to preload CSS for /assets/a.css",
  ];
  for (const text of missing) expect(isMissingFile(new TypeError(text))).toBe(true);
  expect(isMissingFile(new TypeError("x is not a function"))).toBe(false);
  expect(isMissingFile("Importing a module script failed.")).toBe(false);
});
