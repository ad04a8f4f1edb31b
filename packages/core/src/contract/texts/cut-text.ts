/** Cuts texts where a reader would. */

const characters = new Intl.Segmenter();

/**
 * Characters before the cut that are looked at: more than any character has in a text of people.
 */
const LOOKED_AT_UNITS = 64;

/**
 * Returns a text of at most `unitsMax` UTF-16 units: the text, or its start up to the end of a
 * whole character as people see it, such as an emoji of several code points. A character that is
 * longer than {@link LOOKED_AT_UNITS} is cut between two code points.
 */
export function cutText(text: string, unitsMax: number): string {
  if (text.length <= unitsMax) return text;
  const from = Math.max(0, wholeUnits(text, unitsMax - LOOKED_AT_UNITS));
  const near = text.slice(from, unitsMax + LOOKED_AT_UNITS);
  const begin = characters.segment(near).containing(unitsMax - from)?.index ?? 0;
  return text.slice(0, begin === 0 ? wholeUnits(text, unitsMax) : from + begin);
}

/** Returns an end that doesn't divide a surrogate pair. */
function wholeUnits(text: string, end: number): number {
  const isDivided = /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(end - 1, end + 1));
  return end > 0 && isDivided ? end - 1 : end;
}
