/**
 * Texts that mean the same are made equal by the conversions of the runtime, character by character
 * (docs/contract/memory.md#mem-65).
 */

const NOT_SHOWN = /\p{Default_Ignorable_Code_Point}/gu;

/** Returns a text that all texts with its meaning have in common. */
export function equated(text: string): string {
  const shown = text.normalize('NFKC').replaceAll(NOT_SHOWN, '').normalize('NFD');
  return Array.from(shown, caseless).join('').normalize('NFKC');
}

/** The dotless i is the one letter whose capital is that of another one. */
function caseless(letter: string): string {
  return letter === 'ı' ? letter : letter.toLowerCase().toUpperCase().toLowerCase();
}

/** An equated text, and where its characters are in the text that it was. */
export interface Equated {
  readonly text: string;
  /** Returns the range of the original text that a range came from. */
  readonly original: (from: number, to: number) => readonly [from: number, to: number];
}

/** Equates a text. Characters belong together that are equated otherwise than each alone. */
export function equatedWithPlaces(text: string): Equated {
  const units: string[] = [];
  for (const char of text) {
    const last = units.at(-1);
    const alone = equated(char);
    const isApart =
      last === undefined ||
      (alone !== '' && !/\p{M}/u.test(char) && equated(last + char) === equated(last) + alone);
    units.push(isApart ? char : `${units.pop() ?? ''}${char}`);
  }
  const froms: number[] = [];
  const tos: number[] = [];
  let at = 0;
  for (const unit of units) {
    for (let index = 0; index < equated(unit).length; index += 1) {
      froms.push(at);
      tos.push(at + unit.length);
    }
    at += unit.length;
  }
  return {
    text: units.map(equated).join(''),
    original: (from, to) => [froms[from] ?? at, tos[to - 1] ?? at],
  };
}
