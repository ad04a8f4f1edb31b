/** Reads the one variable segment of a path. */
import { parameterOf } from '../routes.js';

/**
 * Returns the segment of a path at the parameter of the template, percent-decoded and otherwise
 * unchanged; `undefined` for a broken escape, or if the template has no parameter.
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
