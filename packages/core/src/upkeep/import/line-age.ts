/** How old a line of an export is, by the times that a server noted in it. */

/** Members with the time at which a server made what they are in. */
const MADE = new Set(['created_at_millis', 'recorded_at_millis', 'since_millis']);

/** Members with documents of callers, who may state any time in them. */
const STATED = new Set(['payload', 'request', 'submission', 'proposal', 'command', 'profile']);

/** Returns the oldest time in a line, or `undefined` for one that states none. */
export function oldestTimeIn(line: unknown): number | undefined {
  if (typeof line !== 'object' || line === null) return undefined;
  let oldest: number | undefined;
  for (const [name, value] of Object.entries(line) as [string, unknown][]) {
    if (STATED.has(name)) continue;
    const time = MADE.has(name) && typeof value === 'number' ? value : oldestTimeIn(value);
    if (time !== undefined) oldest = Math.min(oldest ?? time, time);
  }
  return oldest;
}
