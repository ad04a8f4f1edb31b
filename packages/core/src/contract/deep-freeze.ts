/** Freezes tables that everything in a process shares. */

/** Freezes a value with all plain objects and arrays in it, and returns it. */
export function deepFreeze<const T>(value: T): T {
  freeze(value, new Set());
  return value;
}

function freeze(value: unknown, seen: Set<unknown>): void {
  if (!isPlain(value) || seen.has(value)) return;
  seen.add(value);
  Object.freeze(value);
  for (const each of Object.values(value)) freeze(each, seen);
}

/** Other objects, such as regular expressions, have state of their own to change. */
function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === Array.prototype || prototype === null;
}
