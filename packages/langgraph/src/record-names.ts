/** Names of records, built so that no part of one name can reach into another part. */

/** Longest name of a record, in UTF-8 bytes. */
const NAME_BYTES_MAX = 512;

/**
 * Joins parts by slashes. Separators are escaped within each part, so different parts never give
 * the same path, and a path is a prefix of another one only if its parts are.
 */
export function pathOf(parts: readonly string[]): string {
  return parts.map(segmentOf).join('/');
}

/** Returns the name of a record of a kind. A name that is too long is replaced by a digest. */
export async function recordName(kind: string, ...parts: readonly string[]): Promise<string> {
  const name = `langgraph/${kind}/${pathOf(parts)}`;
  // Escaped text is ASCII.
  return name.length <= NAME_BYTES_MAX ? name : `langgraph/sha256/${await digestOf(name)}`;
}

function segmentOf(part: string): string {
  if (part.isWellFormed()) return encodeURIComponent(part);
  throw new TypeError('Namespaces, keys and ids must be well-formed Unicode text.');
}

async function digestOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
