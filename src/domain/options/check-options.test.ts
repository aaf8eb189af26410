import { describe, expect, it, onTestFinished } from "vitest";
import { checkList, checkOptions, type OptionTable } from "./check-options.js";
import {
  BOOLEAN,
  FOLDER,
  FUNCTION,
  integerFrom,
  isTextsByName,
  kindOf,
  LIST,
  numberFrom,
  required,
  TEXT,
  TIMEOUT_MS,
  withMethods,
} from "./option-kinds.js";

interface Options {
  readonly access?: (() => string) | undefined;
  readonly timeoutMs?: number;
  readonly folder?: string;
  readonly recorder?: { readonly onError?: () => void };
}

const OPTIONS = {
  access: FUNCTION,
  timeoutMs: TIMEOUT_MS,
  folder: FOLDER,
  recorder: { onError: FUNCTION },
} satisfies OptionTable<Options>;

const check = (options: unknown) => () => checkOptions(OPTIONS, options);

describe("The names of options", () => {
  it("are those of the table, each of which may be left out", () => {
    const options = { access: () => "", timeoutMs: 1, folder: "data", recorder: {} };
    for (const good of [{}, options, Object.freeze(options), { access: undefined, recorder: undefined }]) {
      expect(check(good)).not.toThrow();
    }
  });

  it.each([
    [{ acess: () => "" }, "Unknown option 'acess'. Did you mean 'access'?"],
    [{ acess: undefined }, "Unknown option 'acess'. Did you mean 'access'?"],
    [{ guard: 1 }, "Unknown option 'guard'. The options are access, timeoutMs, folder, recorder."],
    [{ onError: 1 }, "Unknown option 'onError'. `onError` belongs into `recorder`."],
    [{ recorder: { onErorr: 1 } }, "`recorder`: Unknown option 'onErorr'. Did you mean 'onError'?"],
    [
      { acess: 1, folder: 2 },
      "Unknown option 'acess'. Did you mean 'access'? `folder` must be the path of a folder, but it is of type number.",
    ],
  ])("are said to be wrong in %j", (options, message) => {
    expect(check(options)).toThrow(new TypeError(message));
  });

  it.each(["constructor", "toString", "__proto__", "hasOwnProperty"])("are not %s", (name) => {
    expect(check(JSON.parse(`{"${name}":1}`))).toThrow(`Unknown option '${name}'.`);
  });

  it("may come from a class, whose methods are none", () => {
    class Settings {
      folder = "data";
      get access() {
        return () => "guarded";
      }
      load() {}
    }
    expect(check(new Settings())).not.toThrow();
    class Wrong extends Settings {
      get timeoutMs() {
        return "60";
      }
    }
    expect(check(new Wrong())).toThrow("`timeoutMs` must be a number");
    class Misspelt extends Settings {
      acess = () => "";
    }
    expect(check(new Misspelt())).toThrow("Did you mean 'access'?");
  });

  it("may be inherited from an object with defaults, and are wrong there, too", () => {
    expect(check(Object.create({ folder: "data" }))).not.toThrow();
    expect(check(Object.create({ acess: 1 }))).toThrow("Did you mean 'access'?");
    expect(check(Object.assign(Object.create(null), { acess: 1 }))).toThrow("Did you mean 'access'?");
  });

  it("are neither symbols nor what a library added to every object", () => {
    Object.defineProperty(Object.prototype, "addedToAll", {
      value: 1,
      enumerable: true,
      configurable: true,
      writable: true,
    });
    onTestFinished(() => {
      Reflect.deleteProperty(Object.prototype, "addedToAll");
    });
    expect(check({ [Symbol("mine")]: 1 })).not.toThrow();
    expect(check({ addedToAll: 1 })).toThrow("Unknown option 'addedToAll'.");
  });

  it("lie in an object", () => {
    for (const [options, kind] of [
      [null, "null"],
      ["postgres://user:secret@host/db", "of type string"],
      [() => "", "of type function"],
      [[], "an array"],
    ]) {
      expect(check(options)).toThrow(new TypeError(`\`options\` must be an object, but it is ${kind}.`));
    }
    expect(check({ recorder: null })).toThrow("`recorder` must be an object, but it is null.");
  });

  it("and their values are checked in each member of a list", () => {
    const list = (members: unknown) => () => checkList(OPTIONS, "sources", members);
    expect(list([{}, { folder: "data" }])).not.toThrow();
    expect(list([{}, { foldr: "data" }])).toThrow(
      "`sources[1]`: Unknown option 'foldr'. Did you mean 'folder'?",
    );
    expect(list([{ folder: "" }])).toThrow(
      "`sources[0].folder` must be the path of a folder, but it is empty.",
    );
    expect(list({ length: 1 })).toThrow("`sources` must be an array, but it is of type object.");
  });

  it("are held to the type by the compiler", () => {
    // @ts-expect-error the table lacks an option
    ({ access: FUNCTION, timeoutMs: TIMEOUT_MS, folder: FOLDER }) satisfies OptionTable<Options>;
    // @ts-expect-error the type lacks an option
    ({ ...OPTIONS, acess: FUNCTION, recorder: OPTIONS.recorder }) satisfies Record<keyof Options, unknown>;
  });
});

describe("What is thrown", () => {
  class ConfigurationError extends Error {}

  it("is a RangeError where numbers out of range are all that is wrong, else what was asked for", () => {
    const refuse = (options: unknown) => () => checkOptions(OPTIONS, options, ConfigurationError);
    expect(refuse({ timeoutMs: 0 })).toThrow(RangeError);
    expect(refuse({ timeoutMs: "60" })).toThrow(ConfigurationError);
    expect(refuse({ timeoutMs: 0, acess: 1 })).toThrow(ConfigurationError);
  });

  it("shows no value but a number that is out of range", () => {
    const secret = "postgres://user:secret@host/db";
    const table = { text: TEXT, number: TIMEOUT_MS, switch: BOOLEAN, function: FUNCTION, list: LIST };
    for (const value of [secret, { secret }, [secret], Symbol(secret), () => secret, 123_456n, 123_456]) {
      for (const name of Object.keys(table)) {
        const thrown = caught(() => checkOptions(table, { [name]: value }));
        if (thrown !== undefined) expect(thrown.message).not.toMatch(/secret|123456/);
      }
    }
    expect(check({ timeoutMs: 2 ** 31 })).toThrow(
      new RangeError("timeoutMs is 2147483648: it has to be a number of milliseconds from 1 to 2147483647."),
    );
  });
});

function caught(work: () => void): Error | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    return error as Error;
  }
}

describe("A kind of value", () => {
  const methods = withMethods<{ run: () => void; close: () => void }>("Pool", ["run", "close"]);
  const texts = kindOf("texts", isTextsByName);
  const withRun = { run() {}, threads: 1 };

  it.each([
    ["a function", FUNCTION, [() => "", class {}], [{}, "f", null]],
    ["true or false", BOOLEAN, [true, false], ["true", 1, 0, null]],
    ["a text", TEXT, ["", "a"], [1, new URL("http://h/"), null]],
    ["the path of a folder", FOLDER, ["data"], ["", 1, null]],
    ["an array", LIST, [[], [1]], [{}, new Set(), "abc", null]],
    ["an integer from 1 up", integerFrom(1), [1, 2 ** 53 - 1], [0, -1, 1.5, Number.NaN, 1 / 0, "1", null]],
    [
      "a number of bytes from 0 up",
      numberFrom(0, "a number of bytes"),
      [0, 0.5, 1 / 0],
      [-1, Number.NaN, "1"],
    ],
    ["from 1 to 2147483647", TIMEOUT_MS, [1, 2 ** 31 - 1], [0.5, 2 ** 31, 1 / 0, Number.NaN, "60"]],
    ["texts", texts, [{}, { a: "b" }], [[], new Headers(), new Map(), { a: 1 }, { a: undefined }, "a", null]],
    ["it has no close.", methods, [{ run() {}, close() {} }], [withRun]],
    [
      "it has no run, no close.",
      methods,
      [Object.assign(() => "", { run() {}, close() {} })],
      [null, {}, "pool"],
    ],
  ])("is %s", (expected, kind, good, wrong) => {
    for (const value of good) expect(kind("it", value)).toBeUndefined();
    for (const value of wrong) expect(kind("it", value)?.message).toContain(expected);
  });

  it("may have to be there", () => {
    const table = { folder: required(FOLDER) };
    expect(() => checkOptions(table, {})).toThrow(
      "`folder` must be the path of a folder, but it is undefined.",
    );
    expect(() => checkOptions(table, { folder: "data" })).not.toThrow();
  });
});
