/** Digests of texts, in every engine. */

/** Returns the SHA-256 digest of a text, as 64 hexadecimal digits. */
export async function sha256Of(text: string): Promise<string> {
  const bytes = new TextEncoder().encode(text);
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
