import { encodeCursor } from "../../src/application/listing/window.js";
import { keyText } from "../../src/domain/session/session-key.js";

/** A raw request, without its credentials. */
export interface Way {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
}

/** From answers to tenant b's own requests. */
export interface Loot {
  readonly etags: readonly string[];
  readonly cursors: readonly string[];
}

/** Tenant b's session. */
const SESSION = "sb";
const LISTS = ["messages", "trace", "orchestration"];

const NAMES = [
  ...["tenantId", "tenant%49d", "%74enantId", "tenantI%64", "%74%65%6e%61%6e%74%49%64", "t%65nantId"],
];
const OTHER_NAMES = [
  ...["TENANTID", "tenantid", "tenant_id", "tenantId[]", "tenantId[0]", "tenantId%5B%5D", "tenantId%00"],
  ...[
    "+tenantId",
    "%20tenantId",
    "tenantId+",
    "tenantId%20",
    "%EF%BB%BFtenantId",
    "x;tenantId",
    "tenant%2549d",
  ],
];
const VALUES = [
  ...[
    "b",
    "%62",
    "%2562",
    "B",
    "b%20",
    "%20b",
    "+b",
    "b+",
    "b%00",
    "%00b",
    "b%0a",
    "b;",
    "b%3b",
    "b%23",
    "b#",
    "b#a",
  ],
  ...[
    "a,b",
    "a%2cb",
    "a|b",
    "a%00b",
    "a%0ab",
    "*",
    "%",
    "b%",
    "all",
    "",
    ".",
    "..%2fb",
    "a%2f..%2fb",
    "a%5c..%5cb",
  ],
  ...[
    "%EF%BB%BFb",
    "%EF%BD%82",
    "%C1%A2",
    "%u0062",
    "b%ff",
    "{b}",
    "[b]",
    "%22b%22",
    "__proto__",
    "a&tenantId",
    "b&a",
  ],
];
const METHODS = [
  ...[
    "HEAD",
    "POST",
    "PUT",
    "PATCH",
    "DELETE",
    "OPTIONS",
    "TRACE",
    "PROPFIND",
    "SEARCH",
    "REPORT",
    "COPY",
    "LINK",
  ],
  ...["MKCOL", "PURGE", "get"],
];
const HEADERS: readonly (readonly [string, string])[] = [
  ["X-HTTP-Method-Override", "GET"],
  ["X-Original-URL", `/__inspector/sessions/${SESSION}/messages?tenantId=b`],
  ["X-Rewrite-URL", `/__inspector/sessions/${SESSION}/messages?tenantId=b`],
  ["X-Forwarded-For", "127.0.0.1"],
  ["X-Forwarded-Host", "localhost"],
  ["X-Forwarded-Prefix", "/__inspector"],
  ["X-Tenant-Id", "b"],
  ["Tenant-Id", "b"],
  ["Cookie", "tenantId=b; Authorization=Bearer b"],
  ["Authorization", "bearer b"],
  ["Proxy-Authorization", "Bearer b"],
  ["Range", "bytes=0-"],
  ["Accept", "text/event-stream"],
  ["Upgrade-Insecure-Requests", "1"],
  ["Content-Type", "application/x-www-form-urlencoded"],
];

/** A caller without access to tenant b could try these to see it. */
export function waysRound(base: string, { etags, cursors }: Loot): Way[] {
  const of = (target: string, method = "GET", headers: Way["headers"] = []) => ({ method, target, headers });
  const session = (list: string, query: string) => `${base}/sessions/${SESSION}/${list}${query}`;
  const plain = [`${base}/sessions`, ...LISTS.map((list) => session(list, "?tenantId=b"))];
  return [
    ...plain.map((target) => of(target)),
    ...NAMES.flatMap((name) => LISTS.map((list) => of(session(list, `?${name}=b`)))),
    ...doubled().flatMap((query) => [of(session("messages", query)), of(`${base}/sessions${query}`)]),
    ...OTHER_NAMES.map((name) => of(session("messages", `?tenantId=a&${name}=b`))),
    ...OTHER_NAMES.map((name) => of(session("trace", `?${name}=b`))),
    ...VALUES.map((value) => of(session("messages", `?tenantId=${value}`))),
    ...VALUES.map((value) => of(`${base}/sessions?tenantId=${value}`)),
    ...searches().map((query) => of(`${base}/sessions${query}`)),
    ...METHODS.flatMap((method) => plain.slice(0, 2).map((target) => of(target, method))),
    ...HEADERS.flatMap((header) => plain.slice(0, 2).map((target) => of(target, "GET", [header]))),
    ...etags.flatMap((etag) => plain.map((target) => of(target, "GET", [["If-None-Match", etag]]))),
    ...["*", 'W/"*"', ...etags.map((etag) => etag.replace("W/", ""))].flatMap((etag) =>
      plain.map((target) => of(target, "HEAD", [["If-None-Match", etag]])),
    ),
    ...[...cursors, ...forgedCursors()].flatMap((cursor) => [
      of(`${base}/sessions?limit=1&cursor=${cursor}`),
      of(`${base}/sessions?cursor=${cursor}`),
      of(session("messages", `?tenantId=a&cursor=${cursor}`)),
      of(session("messages", `?tenantId=b&limit=1&cursor=${cursor}`)),
      of(session("trace", `?tenantId=b&limit=1&cursor=${cursor}`)),
    ]),
    ...targets(base).map((target) => of(target)),
  ];
}

/** The caller's own tenant and the other one, in every spelling and both orders. */
function doubled(): string[] {
  return NAMES.flatMap((one) =>
    NAMES.slice(0, 2).flatMap((other) => [
      `?${one}=b&${other}=a`,
      `?${one}=a&${other}=b`,
      `?${one}=b&x=%25&${other}=a`,
    ]),
  ).concat(["?tenantId=a#&tenantId=b", "?tenantId=a&#tenantId=b", "?#tenantId=b", "?x=1#&tenantId=b"]);
}

function searches(): string[] {
  return [
    ...[
      "?q=",
      "?q=BELONGS",
      "?q=s",
      "?q=%",
      "?userId=BELONGS-TO-B",
      "?userId=",
      "?status=idle",
      "?limit=1000",
    ],
    ...[
      "?tenantId=b&q=BELONGS",
      "?tenantId=b&limit=1",
      "?tenants=b",
      "?tenants[]=b",
      "?tenants=all",
      "?tenant=b",
    ],
    ...["?access=all", "?scope=b", "?q=BELONGS&limit=1", "?q=belongs&tenantId=b&status=idle", "??tenantId=b"],
  ];
}

function forgedCursors(): string[] {
  return [
    encodeCursor("sessions", '["9999","",""]'),
    encodeCursor("sessions", `["9999","b","${SESSION}"]`),
    encodeCursor("sessions", '["a""b""c"]'),
    encodeCursor("sessions", '["\\u0000","b","\\ud800"]'),
    encodeCursor(keyText({ tenantId: "b", sessionId: SESSION }, "messages", undefined), "0"),
    encodeCursor(keyText({ tenantId: "a", sessionId: SESSION }, "messages", undefined), "0"),
    encodeCursor(keyText({ tenantId: "b", sessionId: SESSION }, "trace"), "r0"),
    encodeCursor(keyText({ tenantId: "b", sessionId: SESSION }, "trace"), "o0"),
    encodeCursor(`messages\0b\0${SESSION}\0`, "0"),
  ];
}

function targets(base: string): string[] {
  const messages = `sessions/${SESSION}/messages?tenantId=b`;
  const inOtherCase = base.replace("__inspector", "__INSPECTOR");
  const encoded = base.replace("__inspector", "%5f%5finspector");
  return [base, inOtherCase, encoded]
    .flatMap((at) => [
      `${at}/${messages}`,
      `${at}/${messages.replace("/messages", "/messages/")}`,
      `${at}//${messages}`,
      `/${at}/${messages}`,
      `${at}/./${messages}`,
      `${at}/x/../${messages}`,
      `/x/..${at}/${messages}`,
      `${at}/%2e/${messages}`,
      `${at}/x/%2e%2e/${messages}`,
      `${at}/x%2f..%2f${messages}`,
      `${at}%2f${messages}`,
      `${at}/${messages.replace("/", "%2f")}`,
      `${at}/${messages.replace("/", "%252f")}`,
      `${at}/${messages.replaceAll("/", "\\")}`,
      `${at}/${messages.replace("messages", "Messages")}`,
      `${at}/${messages.replace("messages", "message%73")}`,
      `${at}/${messages.replace("sessions", "Sessions")}`,
      `${at}/${messages.replace("sessions", "%73essions")}`,
      `${at}/${messages.replace(SESSION, "%73%62")}`,
      `${at}/${messages.replace(SESSION, "..%2f..%2fb%2fsessions%2fsb")}`,
      `${at}/${messages.replace(SESSION, "%00")}`,
      `${at}/%00${messages}`,
      `${at};x=1/${messages}`,
      `${at}/${messages.replace("?", ";tenantId=b?")}`,
      `${at}/${messages.replace("?", "%3f")}`,
      `${at}/${messages}#`,
      `${at}#/${messages}`,
      `http://localhost${at}/${messages}`,
      `http://evil.example${at}/${messages}`,
      `https://localhost:443${at}/${messages}`,
      `http://user:pass@localhost${at}/${messages}`,
      `HTTP://LOCALHOST${at}/${messages}`,
      `//localhost${at}/${messages}`,
    ])
    .concat(["*", "/", "/__inspector", "/__inspector/health", "localhost:80"]);
}
