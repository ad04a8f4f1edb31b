/**
 * Checks audit files after a fault: each line is an event of the store, and none repeats. Only the
 * last line of a file may be torn. After a power loss any bytes may be missing, because the files
 * are not synced.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Audit files to check. */
export interface AuditFilesLeft {
  readonly directory: string;
  /** Whether bytes may be missing anywhere. */
  readonly mayHaveHoles: boolean;
}

/** Returns a sentence for every wrong line. */
export function faultsOfAuditFiles(
  { directory, mayHaveHoles }: AuditFilesLeft,
  isStored: (eventId: string) => boolean,
): string[] {
  if (!existsSync(directory)) return [];
  const faults: string[] = [];
  const seen = new Set<string>();
  for (const name of readdirSync(directory).sort()) {
    const lines = readFileSync(join(directory, name), 'utf8').split('\n').slice(0, -1);
    for (const [at, line] of lines.entries()) {
      const id = idOf(line);
      const where = `Line ${at + 1} of ${name}`;
      if (id === undefined) {
        if (!mayHaveHoles) faults.push(`${where} is not an event.`);
        continue;
      }
      if (seen.has(id)) faults.push(`${where} repeats the event ${id}.`);
      if (!isStored(id))
        faults.push(`${where} has the event ${id}, which the store does not have.`);
      seen.add(id);
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
