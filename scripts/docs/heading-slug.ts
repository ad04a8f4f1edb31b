/** Names the anchor of a heading, as GitHub does. */

/** Returns the anchor of a heading without links: lower case, hyphens for spaces. */
export function headingSlug(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/gu, '-');
}
