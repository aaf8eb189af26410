import { describe, expect, it } from "vitest";
import {
  decide,
  exceptionNames,
  findingsByRule,
  hiddenValues,
  imageIn,
  maskedValue,
  withoutValues,
} from "./reviewed-findings.js";

const finding = (id: string, rule = "key") => ({ id, rule });

describe("findings that are reviewed", () => {
  it("are by their rules, in the order in which they were found", () => {
    const findings = [finding("key-1"), finding("home-1", "home"), finding("key-2")];
    expect(findingsByRule(findings)).toEqual([
      { rule: "key", findings: [findings[0], findings[2]] },
      { rule: "home", findings: [findings[1]] },
    ]);
  });

  it("are decided about one by one and by their rules, with one range for those that follow each other", () => {
    const keys = Array.from({ length: 2_000 }, (_, i) => finding(`key-${i + 1}`));
    const all = decide(new Set(["own"]), keys, true);
    expect(exceptionNames(all)).toEqual(["own", "key-1..2000"]);
    expect(exceptionNames(decide(all, [keys[2]!, keys[4]!], false))).toEqual([
      "own",
      "key-1..2",
      "key-4",
      "key-6..2000",
    ]);
    expect(exceptionNames(decide(all, [finding("own"), ...keys], false))).toBeUndefined();
  });

  it("show no more of a value than its beginning", () => {
    expect(maskedValue("sk-ant-0123456789")).toBe("sk-a••••••••");
    expect(maskedValue("hunter2")).toBe("••••••••");
  });

  it("hide each other where they stand side by side, also where they are cut off", () => {
    const values = hiddenValues([{ value: "secret12345" }, { value: "hunter2" }, { value: "ada" }]);
    expect(withoutValues("et12345 of ada is not hunter2, nor secr", values)).toBe(
      "•••••••• of ada is not ••••••••, nor ••••••••",
    );
    expect(withoutValues("nothing is in it", values)).toBe("nothing is in it");
    expect(withoutValues("", values)).toBe("");
  });

  it("are images only where nothing in them can run or be loaded", () => {
    expect(imageIn("data:image/png;base64,iVBORw0=")).toBe("data:image/png;base64,iVBORw0=");
    for (const value of [
      "https://evil.example/a.png",
      "data:image/svg+xml;base64,PHN2Zz4=",
      "data:text/html,x",
    ])
      expect(imageIn(value)).toBeUndefined();
  });
});
