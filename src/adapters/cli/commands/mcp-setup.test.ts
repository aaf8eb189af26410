import fc from "fast-check";
import { parse as parseJsonc } from "jsonc-parser";
import { describe, expect, it } from "vitest";
import { runs } from "../../../../test/support/soak.js";
import { readJsonEntry, withJsonEntry, withoutJsonEntry } from "./mcp-setup-json.js";
import { type SetupLocation, type SetupPlace, setupPlace } from "./mcp-setup-places.js";
import { tomlEntry, withoutTomlEntry, withTomlEntry } from "./mcp-setup-toml.js";
import { tomlStatements } from "./toml-statements.js";

const MACHINE = { home: "/home/ada", cwd: "/srv/shop", env: {}, platform: "linux" } as const;
const COMMAND = ["agent-inspector", "mcp", 'C:\\a "b"'] as const;
const placeOf = (client: Parameters<typeof setupPlace>[0]): SetupPlace =>
  setupPlace(client, "user", COMMAND, MACHINE);
const jsonLocation = placeOf("claude-code").locations[0];
const tomlLocation = placeOf("codex").locations[0];

/** Settings in every way that JSON with comments can be written. */
const space = fc.constantFrom("", " ", "  ", "\n", "\r\n", "\n  ", "\t", "\n\t", "\n\n");
const comment = fc.oneof(
  { weight: 4, arbitrary: space },
  fc.constantFrom("// one, {two}\n", "/* three, ] */", " // four\r\n  ", "\n/* five\n six */\n"),
);
const name = fc.constantFrom("a", "b", "c", "type", "é", "//", '","', "mcp", "servers");
const scalar = fc.constantFrom(
  "1",
  "-2.5e3",
  "true",
  "null",
  '"x"',
  '"// no comment"',
  '"}, {"',
  '"\\u00e9"',
);

function jsonText(withComments: boolean): fc.Arbitrary<string> {
  const gap = withComments ? comment : space;
  const { value } = fc.letrec<{ value: string; object: string; array: string }>((tie) => ({
    value: fc.oneof({ depthSize: "small" }, scalar, tie("object"), tie("array")),
    object: objectText(fc.uniqueArray(name, { maxLength: 3 }), tie("value"), gap, withComments),
    array: fc.array(tie("value"), { maxLength: 2 }).map((values) => `[${values.join(",")}]`),
  }));
  const servers = objectText(fc.uniqueArray(name, { maxLength: 3 }), value, gap, withComments);
  const names = fc.uniqueArray(fc.oneof(name, fc.constant("mcpServers")), { maxLength: 4 });
  const member = fc.oneof(value, servers);
  return fc
    .tuple(gap, objectText(names, member, gap, withComments, servers), gap)
    .map((parts) => parts.join(""));
}

function objectText(
  names: fc.Arbitrary<string[]>,
  value: fc.Arbitrary<string>,
  gap: fc.Arbitrary<string>,
  withComma: boolean,
  servers = value,
): fc.Arbitrary<string> {
  const member = (key: string) =>
    fc
      .tuple(gap, gap, gap, key === "mcpServers" ? servers : value, gap)
      .map(([a, b, c, text, d]) => `${a}${JSON.stringify(key)}${b}:${c}${text}${d}`);
  return names.chain((keys) =>
    fc
      .tuple(fc.tuple(...keys.map(member)), gap, fc.boolean())
      .map(
        ([members, end, hasComma]) =>
          `{${members.join(",")}${hasComma && withComma && keys.length > 0 ? "," : ""}${end}}`,
      ),
  );
}

/** The values of a text, by the parser that the code under test does not use for them. */
const valuesOf = (text: string) =>
  parseJsonc(text, [], { allowTrailingComma: true }) as Record<string, object>;

function expectRestored(before: string, location: SetupLocation): void {
  const written = withJsonEntry(before, location);
  const values = structuredClone(valuesOf(before));
  let holder: Record<string, unknown> = values;
  for (const one of location.within) {
    holder[one] ??= {};
    holder = holder[one] as Record<string, unknown>;
  }
  holder["agent-inspector"] = location.entry;
  expect(valuesOf(written)).toEqual(values);
  expect(withoutJsonEntry(written, location)).toBe(before);
}

describe("The settings in JSON", () => {
  it.each([
    ["JSON", false],
    ["JSON with comments", true],
  ] as const)("have the same bytes after the entry is written and removed: %s", (_, withComments) => {
    fc.assert(
      fc.property(jsonText(withComments), (before) => expectRestored(before, jsonLocation)),
      {
        numRuns: runs(2_000),
      },
    );
  });

  it("have the same bytes after the entry replaced another one in its place and was written back", () => {
    const other = { ...jsonLocation, entry: { command: "other", args: ["x"] } };
    const before = withJsonEntry('{\n\t"mcpServers": {\n\t\t"b": {}\n\t}\n}\n', other);
    expect(withJsonEntry(withJsonEntry(before, jsonLocation), other)).toBe(before);
  });

  it("keep what was written around the entry since", () => {
    const written = withJsonEntry('{\n  "mcpServers": {\n    "a": {}\n  }\n}\n', jsonLocation);
    const changed = written
      .replace('"a": {},', '"a": {}, // first')
      .replace(/\n {4}\}\n {2}\}/, '\n    },\n    // mine\n    "b": {} // last\n  }');
    expect(withoutJsonEntry(changed, jsonLocation)).toBe(
      '{\n  "mcpServers": {\n    "a": {}, // first\n    // mine\n    "b": {} // last\n  }\n}\n',
    );
  });

  it("keep a comment beside the member that it belongs to", () => {
    const written = withJsonEntry('{\n  "mcpServers": {\n    "a": {} // first\n  }\n}\n', jsonLocation);
    expect(written).toContain('    "a": {} // first\n  }');
  });
});

describe("The settings of OpenCode", () => {
  const place = placeOf("opencode");
  const [old, current] = place.locations;

  it.each([
    ["{}", old],
    ['{"mcp":{}}', old],
    ['{"mcp":{"a":{"type":"local","command":["a"]}}}', old],
    ['{"mcp":{"servers":{"type":"local","command":["a"]}}}', old],
    ['{"mcp":{"servers":{}}}', current],
    ['{"mcp":{"timeout":{"startup":1},"servers":{"a":{"type":"local","command":["a"]}}}}', current],
  ])("get the entry beside the other servers of %s", (text, location) => {
    expect(readJsonEntry(text, place)).toEqual({ value: undefined, location });
    expectRestored(text, location!);
  });

  it("have the entry where it is already", () => {
    const text = '{"mcp":{"agent-inspector":{"type":"local"},"servers":{}}}';
    expect(readJsonEntry(text, place)).toEqual({ value: { type: "local" }, location: old });
  });
});

const tomlLine = fc.constantFrom(
  'model = "o3"',
  "# agent-inspector",
  "[tui]",
  "[mcp_servers.b]",
  "[mcp_servers]",
  '[ "quoted" . key ]',
  "[[list.of.tables]]",
  "[[mcp_servers.b.env_vars]]",
  'text = """\n[mcp_servers.agent-inspector]\n# agent-inspector end\n"""',
  "raw = '''\n\"\"\" '''",
  'six = """"six"""""',
  'list = [ 1, [ "]", \'[\' ], # [\n  { a = "}" , b.c = 2 } ,\n]',
  "at = 1979-05-27 07:32:00Z",
  "mcp_servers.c.command = 'c'",
  'escaped = "a\\"#b\\\\"',
  "  indented = true  # yes",
  "",
  "   ",
);
const tomlText = fc
  .tuple(
    fc.array(tomlLine, { maxLength: 6 }),
    fc.constantFrom("\n", "\r\n"),
    fc.constantFrom("", "\n", "\n\n"),
  )
  .map(([lines, ending, end]) => (lines.join("\n") + end).replaceAll("\n", ending));

describe("The settings in TOML", () => {
  it("have the same bytes after the table is written and removed", () => {
    fc.assert(
      fc.property(tomlText, (before) => {
        const written = withTomlEntry(before, tomlLocation);
        expect(written.startsWith(before)).toBe(true);
        const added = tomlStatements(written).slice(tomlStatements(before).length);
        expect(added.map(({ path }) => path.slice(0, 2).join("."))).toEqual([
          "",
          ...Array(4).fill("mcp_servers.agent-inspector"),
          "",
        ]);
        expect(withTomlEntry(written, tomlLocation)).toBe(written);
        expect(withoutTomlEntry(written, tomlLocation)).toBe(before);
      }),
      { numRuns: runs(2_000) },
    );
  });

  it("keep a table that another program put before the last line of the entry", () => {
    const written = withTomlEntry("a = 1\n", tomlLocation);
    const changed = written.replace("# agent-inspector end", '\n# trusted\n[projects."/x"]\nb = 2\n$&');
    expect(tomlEntry(changed, tomlLocation)).toBe(tomlEntry(written, tomlLocation));
    expect(withoutTomlEntry(changed, tomlLocation)).toBe('a = 1\n\n# trusted\n[projects."/x"]\nb = 2\n');
  });

  it("lose what was added to the table", () => {
    const written = withTomlEntry("a = 1\n", tomlLocation);
    const added = "enabled = false # for now\n[mcp_servers.agent-inspector.env]\nA = '1'\n$&";
    expect(withoutTomlEntry(written.replace("# agent-inspector end", added), tomlLocation)).toBe("a = 1\n");
  });

  it("stay as they are where somebody added to the entry after its last line", () => {
    const added = `${withTomlEntry("a = 1\n", tomlLocation)}\n[mcp_servers.agent-inspector.env]\nA = '1'\n`;
    expect(() => withoutTomlEntry(added, tomlLocation)).toThrow("that this command did not write");
  });

  it.each([
    ["[mcp_servers.agent-inspector]\ncommand = 'x'\n", "has a table mcp_servers.agent-inspector"],
    ["[ mcp_servers . 'agent-inspector' ]\n", "has a table mcp_servers.agent-inspector"],
    ['[mcp_servers."agent-\\u0069nspector".env]\n', "has a table mcp_servers.agent-inspector"],
    ["[mcp_servers]\nagent-inspector = { command = 'x' }\n", "has a table mcp_servers.agent-inspector"],
    ["mcp_servers.agent-inspector.command = 'x'\n", "has a table mcp_servers.agent-inspector"],
    ["mcp_servers = { a = { command = 'x' } }\n", '"mcp_servers" takes no further tables'],
    ["[[mcp_servers]]\n", '"mcp_servers" takes no further tables'],
    ["a = 1\nb =\n", "line 2 is not TOML: a value is missing"],
    ["a = 1 b = 2\n", "line 1 is not TOML: the rest of the line is not a comment"],
    ["[a\n", 'line 1 is not TOML: "]" is missing'],
    ["a\n", 'line 1 is not TOML: "=" is missing'],
    ["= 1\n", "line 1 is not TOML: a name is missing"],
    ['\n"""a""" = 1\n', "line 2 is not TOML"],
    ['a = """\n', "line 1 is not TOML: a string is not closed"],
    ["a = 'b\n'\n", "line 1 is not TOML: a string is not closed"],
    ["a = [1, { b = 2 ]\n", "line 1 is not TOML"],
    ["a = [\n", "line 1 is not TOML: a value is not complete"],
    ["a = 1\r# mac", "line 1 is not TOML"],
    ["{}", "line 1 is not TOML: a name is missing"],
    ["# agent-inspector end\n", "do not surround one table"],
  ])("are refused where they are %j", (text, problem) => {
    expect(() => withTomlEntry(text, tomlLocation)).toThrow(problem);
  });

  it("are read with any depth of arrays", () => {
    const text = `a = ${"[".repeat(20_000)}${"]".repeat(20_000)}\n`;
    expect(withoutTomlEntry(withTomlEntry(text, tomlLocation), tomlLocation)).toBe(text);
  });
});
