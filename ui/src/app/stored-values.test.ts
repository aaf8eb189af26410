import { afterEach, expect, it, vi } from "vitest";
import { keep, storedValue } from "./stored-values.js";

afterEach(() => vi.unstubAllGlobals());

it("What a browser does not let a page keep is kept while the page is open, for itself and for its tab apart", () => {
  const refuse = () => {
    throw new DOMException("The operation is insecure.", "SecurityError");
  };
  for (const name of ["localStorage", "sessionStorage"]) {
    vi.stubGlobal(name, { getItem: refuse, setItem: refuse });
  }
  keep("browser", "theme", "dark");
  expect([storedValue("browser", "theme"), storedValue("tab", "theme")]).toEqual(["dark", ""]);
});
