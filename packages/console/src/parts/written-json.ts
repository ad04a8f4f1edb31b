/** Reads JSON that a person wrote or pasted. A number that a double can't hold becomes infinity. */
import { replaceInexactNumbers } from '@agentkeep/client';

/** Returns the value that a text is the JSON of; `undefined` for any other text. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(replaceInexactNumbers(text));
  } catch {
    return undefined;
  }
}

/** Returns the object, or the array, that a text is the JSON of. */
export function objectOf(text: string): object | undefined {
  const value = jsonOf(text);
  return typeof value === 'object' && value !== null ? value : undefined;
}
