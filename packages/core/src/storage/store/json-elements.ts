/** Splits the JSON of an array into that of its elements, without parsing them. */

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;

/** Whether a character opens (1) or closes (-1) an array or object; 0 for any other. */
const DEPTHS = new Int8Array(128);
for (const opening of '[{') DEPTHS[opening.charCodeAt(0)] = 1;
for (const closing of ']}') DEPTHS[closing.charCodeAt(0)] = -1;

/** Returns the JSON of each element of an array that `JSON.stringify` has serialized. */
export function jsonElements(text: string): string[] {
  const elements: string[] = [];
  const end = text.length - 1;
  let start = 1;
  let depth = 0;
  for (let at = start; at < end; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = closingQuote(text, at);
    } else if (code === COMMA && depth === 0) {
      elements.push(text.slice(start, at));
      start = at + 1;
    } else {
      depth += DEPTHS[code] ?? 0;
    }
  }
  if (start < end) elements.push(text.slice(start, end));
  return elements;
}

/** Returns the end of the string that begins at an index. */
function closingQuote(text: string, opening: number): number {
  let at = text.indexOf('"', opening + 1);
  while (at !== -1 && isEscaped(text, at)) at = text.indexOf('"', at + 1);
  return at === -1 ? text.length : at;
}

/** A character is escaped after an odd number of backslashes. */
function isEscaped(text: string, at: number): boolean {
  let before = at - 1;
  while (text.charCodeAt(before) === BACKSLASH) before -= 1;
  return (at - before) % 2 === 0;
}
