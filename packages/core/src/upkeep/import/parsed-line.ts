/** Reads one line of an export. */
import { InvalidJsonError, parseJson } from '../../contract/schema/json.js';

/** Returns the value of a line, or `undefined` for one that is no JSON or repeats a member. */
export function parsedLine(text: string): unknown {
  try {
    const { value, withDuplicatesMarked } = parseJson(Buffer.from(text, 'utf8'));
    return withDuplicatesMarked === undefined ? value : undefined;
  } catch (error) {
    if (error instanceof InvalidJsonError) return undefined;
    throw error;
  }
}
