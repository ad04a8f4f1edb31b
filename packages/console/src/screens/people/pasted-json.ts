/** Reads JSON that a person pasted. */

/** Returns the object, or the array, that a text is the JSON of. */
export function objectOf(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
