/**
 * Finds the pooler for tests.
 */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Names the program where it lies somewhere else. */
export const PROGRAM_VARIABLE = 'AGENTKEEP_TEST_PGBOUNCER';

/** Where packages of Linux distributions put it, which is on the path of root alone. */
const SBIN = '/usr/sbin';

/** Tells where the program is; `undefined` where it is not installed. */
export function findPgBouncer(): string | undefined {
  const given = process.env[PROGRAM_VARIABLE];
  if (given !== undefined) return given;
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), SBIN];
  return folders.map((folder) => join(folder, 'pgbouncer')).find((path) => existsSync(path));
}
