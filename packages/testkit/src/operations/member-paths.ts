/** Members of requests and resources by their paths: names joined by dots. */

/** Returns the value at a path, or `undefined`. */
export function valueAt(value: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce((found, name) => (Object(found) as Record<string, unknown>)[name], value);
}

/**
 * Replaces the value at a path if the document has a member there. A path that ends in `!` adds a
 * missing member, and removes the member for `null` and `undefined`.
 */
export function replaceAt(document: unknown, path: string, value: unknown): void {
  const isForced = path.endsWith('!');
  const names = (isForced ? path.slice(0, -1) : path).split('.');
  const last = names.pop() ?? '';
  const parent = names.length === 0 ? document : valueAt(document, names.join('.'));
  if (!hasMembers(parent)) return;
  if (isForced && (value === null || value === undefined)) Reflect.deleteProperty(parent, last);
  else if (value !== undefined && (isForced || Object.hasOwn(parent, last))) {
    // Copied, because later changes of the document must not affect the source of the value.
    parent[last] = structuredClone(value);
  }
}

function hasMembers(value: unknown): value is Record<string, unknown> {
  if (Array.isArray(value)) return true;
  return typeof value === 'object' && value !== null && value.constructor === Object;
}
