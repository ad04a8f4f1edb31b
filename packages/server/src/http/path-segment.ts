/** Reads the one variable segment of a path. */
import { parameterOf } from '../routes.js';

/**
 * The segment of a path that stands where a path template has its parameter, percent-decoded and
 * otherwise exactly as it was sent; `undefined` for a broken escape, or without a parameter.
 */
export function pathSegment(template: string, path: string): string | undefined {
  if (parameterOf(template) === undefined) return undefined;
  const index = template.split('/').findIndex((segment) => segment.startsWith('{'));
  try {
    return decodeURIComponent(path.split('/')[index] ?? '');
  } catch {
    return undefined;
  }
}
