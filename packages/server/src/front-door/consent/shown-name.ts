/** The name of a program as people see it, and as it is stored. */

const BYTES_MAX = 256;

/** Returns a name by the text rule; null for one that is empty or too long to be stored. */
export function shownName(name: string | undefined): string | null {
  const text = (name ?? '').replace(/\p{Cc}/gu, ' ').trim();
  return text === '' || Buffer.byteLength(text) > BYTES_MAX ? null : text;
}
