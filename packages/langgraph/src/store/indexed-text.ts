/** The texts of a value that searches use. */

/**
 * Returns the texts at a path such as `title`, `author.name`, `chapters[*].text` or `notes[-1]`; `$`
 * is the whole value. Objects and arrays are given as JSON.
 */
export function textsAt(value: unknown, path: string): string[] {
  if (path === '' || path === '$') return textsOf(value);
  const steps = path.match(/[^.[\]]+|\[[^[\]]*\]/g) ?? [];
  let found: unknown[] = [value];
  for (const step of steps) found = found.flatMap((each) => stepInto(each, step));
  return found.flatMap(textsOf);
}

function stepInto(value: unknown, step: string): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  if (step === '*' || step === '[*]') return Object.values(value);
  if (!step.startsWith('[')) {
    return Object.hasOwn(value, step) ? [(value as Record<string, unknown>)[step]] : [];
  }
  const index = Number(step.slice(1, -1));
  return Array.isArray(value) && Number.isInteger(index) ? value.slice(index).slice(0, 1) : [];
}

function textsOf(value: unknown): string[] {
  if (value === null || value === undefined) return [];
  return [typeof value === 'string' ? value : JSON.stringify(value)];
}
