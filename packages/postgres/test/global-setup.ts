/**
 * Starts one PostgreSQL server for all tests of a run and passes its URL to the workers in the
 * environment. Without PostgreSQL, prints how to install it.
 */
import { findPostgres, URL_VARIABLE } from '@agentkeep/testkit/find-postgres';
import { PostgresServer } from '@agentkeep/testkit/postgres-server';

const NO_SERVER = `
The tests of the store on PostgreSQL did NOT run: PostgreSQL 15 or later is not installed.
Install it (Debian: apt-get install postgresql; its service need not run), set
AGENTKEEP_TEST_POSTGRES_BIN to the folder of its programs, or set ${URL_VARIABLE}
to a database that tests may fill.
`;

/** Starts the server. The returned function stops it. */
export default async function setup(): Promise<() => Promise<void>> {
  if (process.env[URL_VARIABLE] !== undefined) return () => Promise.resolve();
  const bin = findPostgres();
  if (bin === undefined) return announce();
  const server = await PostgresServer.start(bin);
  process.env[URL_VARIABLE] = server.url;
  return () => server.stop();
}

/** Fails in CI, and prints a warning elsewhere. */
function announce(): () => Promise<void> {
  if (process.env['CI'] !== undefined) throw new Error(NO_SERVER);
  process.stderr.write(NO_SERVER);
  return () => Promise.resolve();
}
