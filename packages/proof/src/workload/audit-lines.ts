/**
 * Audit files after a fault: lines of events that the store has too, each once. Only the last line
 * of a file may be torn, unless the power went: nobody waits for the files to be on the disk.
 * @module
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Audit files to look at. */
export interface AuditFilesLeft {
  readonly directory: string;
  /** Whether bytes may be missing anywhere. */
  readonly mayHaveHoles: boolean;
}

/** A sentence for every line that is not what it should be. */
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
        if (!mayHaveHoles) faults.push(`${where} is no event.`);
        continue;
      }
      if (seen.has(id)) faults.push(`${where} repeats the event ${id}.`);
      if (!isStored(id)) faults.push(`${where} tells of ${id}, which the store does not have.`);
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
