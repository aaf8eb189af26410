/**
 * Makes the relative links and pictures of README.md absolute, because a package page has no files beside it. The release workflow runs it
 * before it publishes; the repository itself stays unchanged.
 *
 *   node scripts/absolute-links.mjs REPOSITORY REF
 *
 *   REPOSITORY  the address of the repository, such as https://github.com/owner/name
 *   REF         the tag that is published
 */
import { readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";

const CODE = /^(`{3,}|~{3,})[^\n]*\n[\s\S]*?^\1[ \t]*$|(`+)(?!`)(?:(?!\n\n)[\s\S])*?[^`]\2(?!`)/;
const IMAGE = /(?<image>!\[[^\]]*\]\(\s*<?)(?<imageTarget>[^\s)>]+)/;
const LINK = /(?<link>\]\(\s*<?|^\s{0,3}\[[^\]]+\]:\s*<?)(?<linkTarget>[^\s)>]+)/;
const ATTRIBUTE = /(?<attribute>\b(?:src|href)=["'])(?<attributeTarget>[^"']+)/;
const TARGETS = new RegExp([CODE, IMAGE, LINK, ATTRIBUTE].map(({ source }) => source).join("|"), "gm");

/** An address with a scheme or a host, or a heading of the same document. */
const IS_ABSOLUTE = /^(?:[a-z][a-z\d+.-]*:|\/\/|#)/i;

/**
 * @param {string} markdown
 * @param {{ repository: string, ref: string, root: string }} options `root`: the folder that relative targets are in
 * @throws {Error} where a target does not exist
 */
export function absoluteLinks(markdown, { repository, ref, root }) {
  const base = repository.replace(/\/+$/, "");
  /** @param {string} target @param {boolean} isPicture */
  const absolute = (target, isPicture) => {
    if (IS_ABSOLUTE.test(target)) return target;
    const [, file = "", rest = ""] = /^([^?#]*)(.*)$/.exec(target) ?? [];
    const relative = path.posix.normalize(file).replace(/^\/+|\/+$/g, "");
    const entry = statSync(path.join(root, decodeURI(relative)), { throwIfNoEntry: false });
    if (entry === undefined || relative.startsWith("..")) {
      throw new Error(
        `README.md links to "${target}", which does not exist. Correct the link, or add the file.`,
      );
    }
    const kind = isPicture ? "raw" : entry.isDirectory() ? "tree" : "blob";
    return `${base}/${kind}/${encodeURI(ref)}/${relative}${rest}`;
  };
  return markdown.replace(TARGETS, (match, ...args) => {
    const { image, imageTarget, link, linkTarget, attribute, attributeTarget } = args.at(-1);
    if (image !== undefined) return image + absolute(imageTarget, true);
    if (link !== undefined) return link + absolute(linkTarget, false);
    if (attribute !== undefined) return attribute + absolute(attributeTarget, attribute.startsWith("src"));
    return match;
  });
}

if (process.argv[1] === import.meta.filename) {
  const [repository = "", ref = ""] = process.argv.slice(2);
  if (!/^https:\/\/[^/\s]+\/\S+$/.test(repository) || ref === "") {
    throw new Error("Give the address of the repository and a tag: node scripts/absolute-links.mjs URL TAG");
  }
  const readme = path.resolve("README.md");
  const root = path.dirname(readme);
  writeFileSync(readme, absoluteLinks(readFileSync(readme, "utf8"), { repository, ref, root }));
}
