/**
 * Finds PgBouncer for tests.
 */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Variable with the path of the program. */
export const PROGRAM_VARIABLE = 'AGENTKEEP_TEST_PGBOUNCER';

/** Where Linux distributions install it, which is only on the path of root. */
const SBIN = '/usr/sbin';

/** Returns the path of the program, or `undefined` if it is not installed. */
export function findPgBouncer(): string | undefined {
  const given = process.env[PROGRAM_VARIABLE];
  if (given !== undefined) return given;
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), SBIN];
  return folders.map((folder) => join(folder, 'pgbouncer')).find((path) => existsSync(path));
}
