/** Serializes the answers of heavy calls in slices, so that other calls run in between. */
import type { HeavyCall } from '@agentkeep/core/operator';

/** Characters of a slice. */
const SLICE_CHARS = 262_144;
/** Levels of an answer that are split: the answer, its page, and the items of the page. */
const SPLIT_LEVELS = 3;

/** Returns an answer as JSON; `turn` comes before each further slice. */
export async function slicedText(answer: unknown, heavy: Pick<HeavyCall, 'turn'>): Promise<string> {
  let text = '';
  let chars = 0;
  for (const part of partsOf(answer, SPLIT_LEVELS)) {
    if (chars >= SLICE_CHARS) {
      await heavy.turn();
      chars = 0;
    }
    text += part;
    chars += part.length;
  }
  return text;
}

/** Yields the JSON of a value in parts. */
function* partsOf(value: unknown, levels: number): Generator<string, void> {
  if (levels === 0 || typeof value !== 'object' || value === null) {
    yield JSON.stringify(value);
    return;
  }
  const isArray = Array.isArray(value);
  let before = isArray ? '[' : '{';
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue;
    yield isArray ? before : `${before}${JSON.stringify(name)}:`;
    yield* partsOf(member, levels - 1);
    before = ',';
  }
  const isEmpty = before !== ',';
  yield `${isEmpty ? before : ''}${isArray ? ']' : '}'}`;
}
