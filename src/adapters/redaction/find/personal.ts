import type { FindSecrets, Report, SensitiveValue } from "../findings.js";

/** Home folders and their owners, mail addresses, prompts of shells, authors of commits. */
export const findPersonal: FindSecrets = (text, report) => {
  for (const match of text.matchAll(HOME)) {
    const name = (match[2] ?? match[1])!.replace(/(?<![.~_-])[.~_-]+$/, ""); // the end of a sentence
    if (name === "") continue;
    const folder = match[0].slice(0, match[0].lastIndexOf(name) + name.length);
    const start = match.index;
    report({ rule: "home folder", texts: [folder], isWord: true }, start, start + folder.length);
    reportUser(name, start + folder.length - name.length, report);
  }
  for (const { 0: match, 1: name, index } of text.matchAll(ENCODED_HOME)) {
    reportUser(name!, index + match.length - name!.length, report);
  }
  for (const { 0: address, index } of text.matchAll(MAIL)) {
    if (address.startsWith("git@") || FILE_ENDING.test(address)) continue;
    report({ rule: "e-mail address", texts: [address], anyCase: true }, index, index + address.length);
  }
  for (const { 1: user, 2: host, index } of text.matchAll(PROMPT)) {
    reportUser(user!, index, report);
    reportHost(host!, index + user!.length + 1, report);
  }
  for (const { 0: match, 1: name, index } of text.matchAll(AUTHOR)) {
    if (isNobody(name!)) continue;
    const start = index + match.indexOf(name!);
    report(
      { rule: "name of a person", texts: [name!], isWord: true, anyCase: true },
      start,
      start + name!.length,
    );
  }
};

/** `/home/ann`, `C:\Users\ann`, `/mnt/c/Users/ann`, `\\wsl$\Ubuntu\home\ann`; backslashes may be escaped once more. */
const HOME =
  /(?<![\w.~@-])(?:(?:\/mnt\/[a-z]|\/[a-z])?\/Users\/|\/(?:var\/|export\/)?home\/|[\\/]{2,4}wsl(?:\.localhost|\$)[\\/]{1,2}[^\s\\/]{1,40}[\\/]{1,2}home[\\/]{1,2})([^\s/\\:"'`<>|*?,;()[\]{}$%&#=@!]{1,64})|(?<![A-Za-z])[A-Za-z]:[\\/]{1,4}Users[\\/]{1,4}([^\s/\\:"'`<>|*?,;()[\]{}$%&#=@!]{1,64}(?: [^\s/\\:"'`<>|*?]{1,30}(?=[\\/]))?)/g;
/** As Claude Code names folders by paths. */
const ENCODED_HOME = /(?:^|[/\\\s"'`])(?:-(?:home|Users)-|[A-Z]--Users-)([A-Za-z0-9]{1,64})/g;
const MAIL =
  /(?<![A-Za-z0-9._%+-])[A-Za-z0-9][A-Za-z0-9._%+-]{0,63}@[A-Za-z0-9][A-Za-z0-9-]{0,62}(?:\.[A-Za-z0-9-]{1,63}){0,4}\.[A-Za-z]{2,24}(?![A-Za-z0-9])/g;
/** Excludes `icon@2x.png`. */
const FILE_ENDING =
  /\.(?:png|jpe?g|gif|svg|webp|avif|ico|css|s[ac]ss|[cm]?[jt]sx?|json|html?|md|txt|ya?ml|lock|zip|t?gz)$/i;
/** `ann@laptop:~/project$` */
const PROMPT =
  /(?<![\w.@/-])([a-z_][a-z0-9_-]{1,31})@([A-Za-z][A-Za-z0-9-]{2,62}(?:\.local|\.lan)?):(?=[~/])/g;
const AUTHOR =
  /(?:\b(?:[Aa]uthor|[Cc]ommitter|[A-Z][a-z]{2,12}-[Bb]y): {0,12}|\buser\.name(?:=| )["'])(\p{L}[\p{L}\p{M}'.-]{0,40}(?: \p{L}[\p{L}\p{M}'.-]{0,40}){0,4})(?: <|["'])/gu;
const NOBODY = /^(?:claude|github|dependabot|renovate|codex|copilot|gemini|cursor|bot|your name|name)\b/i;

const isNobody = (name: string) => name.length < 3 || NOBODY.test(name) || isCommonName(name);

function reportUser(name: string, start: number, report: Report): void {
  const user = userNamed(name);
  if (user !== undefined) report(user, start, start + name.length);
}

function reportHost(name: string, start: number, report: Report): void {
  const user = hostNamed(name);
  if (user !== undefined) report(user, start, start + name.length);
}

/** @returns `undefined` for a name that identifies nobody: only its home folder is removed */
export function userNamed(name: string): SensitiveValue | undefined {
  if (name.length < 3 || isCommonName(name)) return undefined;
  // macOS decomposes paths. Folders that stand for paths have hyphens for all but letters and digits.
  const texts = [name, name.normalize("NFC"), name.normalize("NFD"), name.replace(/[^A-Za-z0-9]/g, "-")];
  return {
    rule: "user name",
    texts: [...new Set(texts)].filter((text) => !/^-+$/.test(text)),
    isWord: true,
    anyCase: true,
  };
}

export function hostNamed(name: string): SensitiveValue | undefined {
  if (name.length < 3 || isCommonName(name)) return undefined;
  return { rule: "host name", texts: [name], isWord: true, anyCase: true };
}

/** Common accounts, machines and words: removed everywhere, they would make the text unreadable. */
const COMMON = new Set(
  `root user users username admin administrator guest public shared default owner nobody daemon system service
  ubuntu debian fedora centos arch alpine ec2-user opc azureuser pi vagrant docker node python ruby java deno bun nginx www www-data apache
  postgres mysql redis mongo git github gitlab jenkins circleci travis buildkite runner runneradmin ci build builder deploy deployer
  vscode codespace codespaces gitpod coder devcontainer dev developer devel prod production staging local localhost host hostname server client
  app apps application appuser web api home work workspace workspaces project projects repo repos src code test tests testuser tester demo sample
  example foo bar baz sandbox agent agents assistant claude codex gemini copilot cursor model models tool tools text type message messages session
  sessions event events envelope trace data content input output result results role name title state status source sequence timestamp payload
  error errors warning task tasks turn turns run runs call calls start end line lines file files folder path paths key keys value values id ids
  json html image images person people human you your me linuxbrew homebrew macos windows linux computer laptop desktop macbook`.split(
    /\s+/,
  ),
);

export function isCommonName(name: string): boolean {
  return COMMON.has(name.toLowerCase()) || /^\d+$/.test(name);
}
