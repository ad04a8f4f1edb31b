/** Reads the one variable segment of a path. */

/**
 * Returns the segment of a path with this index, percent-decoded and otherwise unchanged;
 * `undefined` for a broken escape, or without an index. Segment 0 is before the first slash.
 */
export function pathSegment(index: number | undefined, path: string): string | undefined {
  if (index === undefined) return undefined;
  let start = 0;
  for (let passed = 0; passed < index; passed += 1) {
    const slash = path.indexOf('/', start);
    if (slash === -1) return '';
    start = slash + 1;
  }
  const end = path.indexOf('/', start);
  const segment = path.slice(start, end === -1 ? undefined : end);
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
