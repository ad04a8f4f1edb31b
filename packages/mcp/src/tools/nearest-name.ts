/** Finds the name that a caller probably meant. */

/** Longer names are no typing errors, and would take long to compare. */
const CHARS_MAX = 64;

/** Returns the known name that differs least, if one differs little. */
export function nearestName(sent: string, known: readonly string[]): string | undefined {
  if (sent.length > CHARS_MAX) return undefined;
  const distances = known.map((name) => ({ name, edits: editsBetween(plain(sent), plain(name)) }));
  const [nearest] = distances.sort((one, other) => one.edits - other.edits);
  if (nearest === undefined || nearest.edits > Math.floor(sent.length / 3)) return undefined;
  return nearest.name;
}

/** Letter case and separators are often guessed, as in `recordId`. */
function plain(name: string): string {
  return name.replaceAll(/[_-]/g, '').toLowerCase();
}

/** Returns how many letters must be inserted, removed or replaced (Levenshtein). */
function editsBetween(one: string, other: string): number {
  let above = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let line = 0; line < one.length; line += 1) {
    const row = [line + 1];
    let left = line + 1;
    for (const [at, edits] of above.slice(1).entries()) {
      const replaced = (above[at] ?? 0) + (one[line] === other[at] ? 0 : 1);
      left = Math.min(replaced, edits + 1, left + 1);
      row.push(left);
    }
    above = row;
  }
  return above[other.length] ?? 0;
}
