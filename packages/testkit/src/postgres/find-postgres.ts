/**
 * Finds a database for tests: one that is given, or the programs to start one with.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Names a database that tests may fill. */
export const URL_VARIABLE = 'AGENTKEEP_TEST_POSTGRES_URL';

/** Where packages of Linux distributions put the programs of each version. */
const VERSIONS = '/usr/lib/postgresql';
const VERSION_MIN = 15;

/** Tells where the programs of a server are; `undefined` where there is none. */
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
