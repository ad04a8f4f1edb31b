/** Differences of two texts, word by word. */

/** A part of two texts: in both, only in the second, or only in the first. */
export interface TextPart {
  readonly kind: 'same' | 'added' | 'removed';
  readonly text: string;
}

/** Words of both texts, multiplied; beyond it the comparison would take too long to wait for. */
const CELLS_MAX = 4_000_000;

/** Returns the parts in order. Those of one kind are never next to each other. */
export function textDifference(before: string, after: string): readonly TextPart[] {
  const one = wordsOf(before);
  const two = wordsOf(after);
  const start = sharedLength(one, two);
  const end = sharedLength(one.slice(start).toReversed(), two.slice(start).toReversed());
  const middle = compared(one.slice(start, one.length - end), two.slice(start, two.length - end));
  const parts: TextPart[] = [
    { kind: 'same', text: one.slice(0, start).join('') },
    ...middle,
    { kind: 'same', text: one.slice(one.length - end).join('') },
  ];
  return joined(parts);
}

/** Splits a text into words and what is between them. */
function wordsOf(text: string): readonly string[] {
  return text.match(/[\p{L}\p{M}\p{N}_]+|\s+|[^\p{L}\p{M}\p{N}_\s]/gu) ?? [];
}

function sharedLength(one: readonly string[], two: readonly string[]): number {
  const at = one.findIndex((word, index) => word !== two[index]);
  return at === -1 ? one.length : at;
}

/** Finds the longest words in common, by the table of their lengths. */
function compared(one: readonly string[], two: readonly string[]): TextPart[] {
  if (one.length * two.length > CELLS_MAX) return replaced(one, two);
  const width = two.length + 1;
  const lengths = new Uint32Array((one.length + 1) * width);
  const at = (row: number, column: number): number => lengths[row * width + column] ?? 0;
  for (let row = one.length - 1; row >= 0; row -= 1) {
    for (let column = two.length - 1; column >= 0; column -= 1) {
      lengths[row * width + column] =
        one[row] === two[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  const parts: TextPart[] = [];
  let [row, column] = [0, 0];
  while (row < one.length && column < two.length) {
    const [removed = '', added = ''] = [one[row], two[column]];
    if (removed === added) parts.push({ kind: 'same', text: added });
    else if (at(row + 1, column) >= at(row, column + 1)) {
      parts.push({ kind: 'removed', text: removed });
      row += 1;
      continue;
    } else {
      parts.push({ kind: 'added', text: added });
      column += 1;
      continue;
    }
    row += 1;
    column += 1;
  }
  return [...parts, ...replaced(one.slice(row), two.slice(column))];
}

function replaced(one: readonly string[], two: readonly string[]): TextPart[] {
  return [
    { kind: 'removed', text: one.join('') },
    { kind: 'added', text: two.join('') },
  ];
}

function joined(parts: readonly TextPart[]): readonly TextPart[] {
  const whole: TextPart[] = [];
  for (const part of parts) {
    if (part.text === '') continue;
    const last = whole.at(-1);
    if (last?.kind === part.kind) {
      whole[whole.length - 1] = { kind: part.kind, text: last.text + part.text };
    } else whole.push(part);
  }
  return whole;
}
