import { describe, expect, it } from "vitest";
import { redactedTexts } from "../../../../test/support/redacted-records.js";

const PASSWORD = "Tr0ub4dor-3xy";
const CODE = Buffer.from(`ann:${PASSWORD}`).toString("base64");

const ASSIGNED = [
  `DB_PASSWORD = ${PASSWORD}`,
  `export API_TOKEN  =  "${PASSWORD}"`,
  `  SECRET_KEY= '${PASSWORD}abc123'  # comment`,
  "SMTP_PASS=correcthorsebattery",
  `machine api.example.com login ann password ${PASSWORD}`,
  `machine api.example.com\n  login ann\n  account x\n  password ${PASSWORD}\n`,
  `default login ann password ${PASSWORD}`,
  `mysql -u root -p${PASSWORD} shop`,
  `mysqldump -h db --password=${PASSWORD} shop`,
  `mysql -uroot -p'${PASSWORD}'`,
  `psql --password="${PASSWORD}"`,
  `sshpass -p ${PASSWORD} ssh host`,
  `docker login -u ann -p ${PASSWORD} reg.example.com`,
  `curl -u ann:${PASSWORD} https://example.com`,
  `curl -sSu "ann:${PASSWORD}" https://example.com`,
  `curl -uann:${PASSWORD} https://example.com`,
  `curl --user ann:${PASSWORD} https://example.com`,
  `curl --proxy-user ann:${PASSWORD} https://example.com`,
  `{"auths":{"reg.example.com":{"auth": "${CODE}"}}}`,
  `//reg.example.com/:_auth=${CODE}`,
  `Authorization: Basic ${CODE}`,
];

describe("assigned secrets", () => {
  it.each(ASSIGNED)("a secret is removed from %j", async (text) => {
    const [written] = await redactedTexts([text]);
    for (const value of [PASSWORD, CODE, "correcthorsebattery"]) expect(written).not.toContain(value);
    expect(written).toMatch(/\[[a-z ]+ 1, \d+ characters\]/i);
  });

  it("a secret is removed in a colour, with a zero-width space, in entities and in a text in a text", async () => {
    const ways: readonly ((text: string) => string)[] = [
      (text) => text.replace(PASSWORD, `\u001b[1;32m${PASSWORD}\u001b[0m`),
      (text) => text.replaceAll("ub4", "u\u200bb4"),
      (text) => text.replaceAll("=", "&#61;").replaceAll("-", "&#x2d;"),
      (text) => JSON.stringify({ command: text }),
    ];
    for (const way of ways) {
      for (const text of ASSIGNED.filter((text) => text.includes(PASSWORD))) {
        expect(await redactedTexts([way(text)]), way(text)).not.toEqual([way(text)]);
      }
    }
  });

  it.each([
    "mkdir -p src/main/java && cp -p a b",
    "docker run -u 1000:1000 -p 8080:80 image",
    "rsync -u host:/folder . and grep -u foo",
    "DB_PASSWORD=$DB_PASSWORD and PASSWORD=changeme",
    "CACHE_KEY = user_list_v2",
    "const PASSWORD_FIELD = document.getElementById(id)",
    "the machine learning login page has a password field",
    '{"auth": "none", "password": "string"}',
    'auth: "b2F1dGg=" and "auth": "required"',
    "TOKEN_LIMIT = 4096",
    "mysql -p",
    "the password is required",
  ])("nothing is removed from %j", async (text) => {
    expect(await redactedTexts([text])).toEqual([text]);
  });
});
