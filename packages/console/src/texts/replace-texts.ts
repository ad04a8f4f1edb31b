/** Replaces the texts of the page in place: components keep parts of the tree in constants. */

/** Replaces each text in a tree. Parts of the tree stay, as components hold on to them. */
export function replaceTexts(target: object, source: object): void {
  for (const [name, value] of Object.entries(source) as [string, unknown][]) {
    const present: unknown = Reflect.get(target, name);
    if (isPart(present) && isPart(value)) replaceTexts(present, value);
    else Reflect.set(target, name, value);
  }
}

/** Returns a copy of a tree of texts. */
export function copyOf(part: object): object {
  const copy = Array.isArray(part) ? [] : {};
  for (const [name, value] of Object.entries(part) as [string, unknown][]) {
    Reflect.set(copy, name, isPart(value) ? copyOf(value) : value);
  }
  return copy;
}

function isPart(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
