import { afterEach, describe, expect, it, vi } from "vitest";
import { findApi } from "./find-api.js";

const PAGE = "https://host.example/x/tools/inspect/?a=1#/s/t/s";

/** Answers as an API at some addresses, and everywhere else as an application of one page. */
function answerAt(...apis: readonly string[]) {
  const requests: string[] = [];
  vi.stubGlobal("fetch", (address: string) => {
    requests.push(address);
    const type = apis.includes(address) ? "application/json" : "text/html";
    return Promise.resolve(new Response("{}", { headers: { "Content-Type": type } }));
  });
  return requests;
}

afterEach(() => vi.unstubAllGlobals());

describe("the address of the API", () => {
  it("is the one that the page was told of, which is not asked", async () => {
    const requests = answerAt();
    expect(await findApi("../__inspector/", PAGE)).toBe("https://host.example/x/tools/__inspector");
    expect(await findApi("/api", PAGE)).toBe("https://host.example/api");
    expect(requests).toEqual([]);
  });

  it("is of several the first that answers as one, else the last", async () => {
    const near = "https://host.example/x/tools/__inspector";
    const far = "https://host.example/x/__inspector";
    answerAt(`${near}/health`, `${far}/health`);
    expect(await findApi("../__inspector ../../__inspector", PAGE)).toBe(near);
    const requests = answerAt(`${far}/health`);
    expect(await findApi("../__inspector ../../__inspector", PAGE)).toBe(far);
    expect(requests).toEqual([`${near}/health`]);
    vi.stubGlobal("fetch", () => Promise.reject(new TypeError("away")));
    expect(await findApi("../__inspector ../../__inspector", PAGE)).toBe(far);
  });
});
