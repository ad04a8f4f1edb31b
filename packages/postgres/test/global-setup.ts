/**
 * Starts one PostgreSQL server for all tests of a run and names it in the environment, from which
 * every worker has it; or says what to do where there is none.
 * @module
 */
import { findPostgres, URL_VARIABLE } from '@agentkeep/testkit/find-postgres';
import { PostgresServer } from '@agentkeep/testkit/postgres-server';

const NO_SERVER = `
The tests of the store on PostgreSQL did NOT run: there is no PostgreSQL 15 or later here.
Install it (Debian: apt-get install postgresql; its service need not run), name its programs in
AGENTKEEP_TEST_POSTGRES_BIN, or name a database that tests may fill in ${URL_VARIABLE}.
`;

/** Starts the server; what it returns stops it. */
export default async function setup(): Promise<() => Promise<void>> {
  if (process.env[URL_VARIABLE] !== undefined) return () => Promise.resolve();
  const bin = findPostgres();
  if (bin === undefined) return announce();
  const server = await PostgresServer.start(bin);
  process.env[URL_VARIABLE] = server.url;
  return () => server.stop();
}

/** Fails where everything has to be tested, and is heard everywhere else. */
function announce(): () => Promise<void> {
  if (process.env['CI'] !== undefined) throw new Error(NO_SERVER);
  process.stderr.write(NO_SERVER);
  return () => Promise.resolve();
}
