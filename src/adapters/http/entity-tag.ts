/** The weak entity tag (RFC 9110 section 8.8.3) of a revision. */
export function entityTag(revision: string): string {
  return `W/"${encodeURIComponent(revision)}"`;
}

/** Whether an `If-None-Match` header (RFC 9110 section 13.1.2) names the revision. */
export function isNamedBy(ifNoneMatch: string | undefined, revision: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const wanted = entityTag(revision).slice(2);
  return ifNoneMatch.split(",").some((tag) => {
    const opaque = tag.trim().replace(/^W\//, "");
    return opaque === "*" || opaque === wanted;
  });
}
