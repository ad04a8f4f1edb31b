/**
 * Audit files after a fault: whole lines of events that the store has too, in its order, and at most
 * the last line of a file torn.
 * @module
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A sentence for every line that is not what it should be. */
export function faultsOfAuditFiles(
  directory: string,
  isStored: (eventId: string) => boolean,
): string[] {
  if (!existsSync(directory)) return [];
  const faults: string[] = [];
  const seen = new Set<string>();
  for (const name of readdirSync(directory).sort()) {
    const lines = readFileSync(join(directory, name), 'utf8').split('\n');
    const torn = lines.pop();
    for (const [at, line] of lines.entries()) {
      const id = idOf(line);
      const where = `Line ${at + 1} of ${name}`;
      if (id === undefined)
        faults.push(`${where} is no event${torn === '' ? '' : ', and the last one is torn'}.`);
      else if (seen.has(id)) faults.push(`${where} repeats the event ${id}.`);
      else if (!isStored(id))
        faults.push(`${where} tells of ${id}, which the store does not have.`);
      if (id !== undefined) seen.add(id);
    }
  }
  return faults;
}

function idOf(line: string): string | undefined {
  try {
    const { event_id: id } = JSON.parse(line) as { event_id?: unknown };
    return typeof id === 'string' ? id : undefined;
  } catch {
    return undefined;
  }
}
