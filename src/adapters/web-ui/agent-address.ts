export interface AgentAddress {
  /** Without credentials and trailing slash. */
  readonly base: string;
  /** Sent with every request. They may be secrets: no text names a value. */
  readonly headers: Headers;
}

/** Host, port and path, which cannot contain a secret. An error does not repeat any other text. */
const PLAIN = /^[\w.-]+(:\d{1,5})?(\/[\w./~-]*)?$/;

/** Hop-by-hop headers: the client sets them itself, and `fetch` fails with them. */
const OF_THE_CONNECTION = new Set([
  "connection",
  "content-length",
  "expect",
  "host",
  "keep-alive",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/**
 * Credentials in the URL become a `Basic` authorization; an `Authorization` header has precedence.
 * @throws TypeError if the URL or a header cannot be used; its message holds no credentials and no header
 */
export function parseAgentAddress(
  text: string,
  headers: Iterable<readonly [name: string, value: string]>,
): AgentAddress {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== "http:" && url.protocol !== "https:")) {
    const named = PLAIN.test(text) ? `"${text}"` : "The address";
    throw new TypeError(
      `${named} is no http or https URL; use the base URL of the agent application, such as http://localhost:3000.`,
    );
  }
  if (/[@?#]/.test(url.pathname + url.search + url.hash)) {
    // Such a character in a password could make part of it look like displayable text.
    throw new TypeError(
      "The URL of the agent application has no query. In credentials and in its path, write /, ?, # and @ as %2F, %3F, %23 and %40.",
    );
  }
  const sent = new Headers();
  if (url.username !== "" || url.password !== "") sent.set("Authorization", basicAuthorization(url));
  let place = 0;
  for (const [name, value] of headers) setHeader(sent, name, value, ++place);
  return { base: `${url.origin}${url.pathname.replace(/\/+$/, "")}`, headers: sent };
}

/** RFC 7617, in UTF-8. */
function basicAuthorization({ username, password }: URL): string {
  try {
    const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
    return `Basic ${Buffer.from(credentials).toString("base64")}`;
  } catch {
    // A cause would contain the credentials.
    throw new TypeError(
      "The user name or password in the URL has a % that encodes nothing; write it as %25.",
    );
  }
}

function setHeader(headers: Headers, name: string, value: string, place: number): void {
  try {
    if (value.trim() === "" || OF_THE_CONNECTION.has(name.toLowerCase())) throw new TypeError("unusable");
    headers.set(name, value);
  } catch {
    // A cause would contain the value.
    throw new TypeError(
      `Header ${place} cannot be sent. Write "Name: value", with a value of plain characters, and no header of the connection ` +
        "itself, such as Host. This message omits the header, because it may hold a secret.",
    );
  }
}
