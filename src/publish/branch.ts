/** Names of the branches we make: ids and plain letters only, whatever the issue is called. */

/** Characters of the slug. The whole name stays far below git's and file systems' limits. */
const SLUG_LENGTH = 40;

/**
 * `patchwright/issue-N-slug`, with `-2`, `-3` … where the name is taken.
 * @param attempt 1 for the first try
 */
export function branchName(issue: number, title: string, attempt: number): string {
  const slug = title
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .slice(0, SLUG_LENGTH)
    .replaceAll(/^-+|-+$/g, "");
  const name = slug === "" ? `patchwright/issue-${issue}` : `patchwright/issue-${issue}-${slug}`;
  return attempt === 1 ? name : `${name}-${attempt}`;
}
