/**
 * Finds a database for tests, or the programs to start one.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Variable with the URL of a database that tests may fill. */
export const URL_VARIABLE = 'AGENTKEEP_TEST_POSTGRES_URL';

/** Where Linux distributions install the programs of each version. */
const VERSIONS = '/usr/lib/postgresql';
const VERSION_MIN = 15;

/** Returns the folder of the server programs, or `undefined` if they are not installed. */
export function findPostgres(): string | undefined {
  const given = process.env['AGENTKEEP_TEST_POSTGRES_BIN'];
  if (given !== undefined) return given;
  if (!existsSync(VERSIONS)) return undefined;
  const newest = readdirSync(VERSIONS)
    .map(Number)
    .filter((version) => version >= VERSION_MIN)
    .sort((a, b) => b - a)
    .find((version) => existsSync(join(VERSIONS, String(version), 'bin', 'postgres')));
  return newest === undefined ? undefined : join(VERSIONS, String(newest), 'bin');
}

/** Whether tests that need a database can run. */
export function hasDatabase(): boolean {
  return process.env[URL_VARIABLE] !== undefined || findPostgres() !== undefined;
}
