/** Reads JSON that a person pasted. */
import { replaceInexactNumbers } from '@agentkeep/client';

/** Returns the object, or the array, that a text is the JSON of. */
export function objectOf(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(replaceInexactNumbers(text));
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
