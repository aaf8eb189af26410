import { execFileSync } from "node:child_process";

/** Settings of git 2.39 to 2.54 whose value is a program, or a command line. `*` is any name. */
export const PROGRAM_SETTINGS: readonly string[] = [
  ...["alias.blame", "alias.log", "browser.*.cmd", "browser.*.path", "core.alternateRefsCommand"],
  ...["core.askPass", "core.editor", "core.fsmonitor", "core.gitProxy", "core.pager", "core.sshCommand"],
  ...["credential.helper", "credential.*.helper", "diff.external", "diff.*.command", "diff.*.process"],
  ...["diff.*.textconv", "difftool.*.cmd", "difftool.*.path", "filter.*.clean", "filter.*.process"],
  ...["filter.*.smudge", "gc.recentObjectsHook", "gpg.program", "gpg.openpgp.program", "gpg.ssh.program"],
  ...["gpg.ssh.defaultKeyCommand", "gpg.x509.program", "guitool.*.cmd", "help.browser", "hook.*.command"],
  ...[
    "imap.tunnel",
    "instaweb.browser",
    "instaweb.httpd",
    "interactive.diffFilter",
    "man.*.cmd",
    "man.*.path",
  ],
  ...["merge.*.driver", "mergetool.*.cmd", "mergetool.*.path", "pager.blame", "pager.cat-file", "pager.log"],
  ...["pager.rev-parse", "remote.*.receivepack", "remote.*.uploadpack", "remote.*.vcs", "sendemail.ccCmd"],
  ...["sendemail.headerCmd", "sendemail.smtpServer", "sendemail.toCmd", "sequence.editor", "tar.*.command"],
  ...["trailer.*.cmd", "trailer.*.command", "uploadpack.packObjectsHook", "web.browser"],
];

export const READ_SETTINGS: readonly string[] = [
  ...[
    "blame.ignoreRevsFile",
    "commit.template",
    "core.attributesFile",
    "core.excludesFile",
    "core.hooksPath",
  ],
  ...["diff.orderFile", "fetch.fsck.skipList", "format.signatureFile", "fsck.skipList", "gitcvs.dbName"],
  ...["gpg.ssh.allowedSignersFile", "gpg.ssh.revocationFile", "gui.spellingDictionary", "help.htmlPath"],
  ...["http.cookieFile", "http.proxySSLCAInfo", "http.proxySSLCert", "http.proxySSLKey", "http.sslCAInfo"],
  ...["http.sslCAPath", "http.sslCert", "http.sslKey", "include.path", "init.templateDir"],
  ...["instaweb.modulePath", "mailmap.file", "receive.fsck.skipList", "sendemail.aliasesFile"],
  ...["sendemail.smtpSSLCertPath", "submodule.*.gitdir"],
];

export const WRITTEN_SETTINGS: readonly string[] = [
  ...["format.outputDirectory", "fsmonitor.socketDir", "gitcvs.logFile"],
  ...["trace2.eventTarget", "trace2.normalTarget", "trace2.perfTarget"],
];

/** Other settings have an effect only with these. */
export const SWITCHES: Readonly<Record<string, string>> = {
  "core.fsmonitorHookVersion": "2",
  "core.untrackedCache": "true",
  "diff.autoRefreshIndex": "true",
  "extensions.partialClone": "origin",
  "extensions.worktreeConfig": "true",
  "filter.*.required": "true",
  "gc.auto": "1",
  "hook.*.event": "post-index-change",
  "log.mailmap": "true",
  "log.showSignature": "true",
  "mailmap.blob": "HEAD:.mailmap",
  "maintenance.auto": "true",
  "merge.verifySignatures": "true",
  "protocol.allow": "always",
  "protocol.ext.allow": "always",
  "remote.*.promisor": "true",
};

/** From the installed git, with a name for each wildcard. */
export function documentedSettings(): readonly string[] {
  const printed = execFileSync("git", ["help", "--config"]).toString().split("\n");
  return printed
    .map((line) => line.trim().replace(/<[^>]+>/g, "*"))
    .filter((line) => /^[\w.*-]+$/.test(line));
}

/** @param name replaces each `*` */
export function settingsText(settings: Readonly<Record<string, string>>, name: string): string {
  return Object.entries(settings)
    .map(([key, value]) => {
      const [section = "", ...rest] = key.split(".").map((part) => (part === "*" ? name : part));
      const variable = rest.pop() ?? "";
      const subsection = rest.length === 0 ? "" : ` "${rest.join(".")}"`;
      const text = value.replaceAll("\\", "\\\\").replaceAll('"', '\\"');
      return `[${section}${subsection}]\n\t${variable} = "${text}"\n`;
    })
    .join("");
}
