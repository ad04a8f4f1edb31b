/**
 * Says what to do where there is no pooler to test the store behind.
 * @module
 */
import { findPgBouncer, PROGRAM_VARIABLE } from '@agentkeep/testkit/find-pg-bouncer';

const NO_POOLER = `
The tests of the store on PostgreSQL behind a pooler did NOT run: there is no PgBouncer here.
Install it (Debian: apt-get install pgbouncer; its service need not run), or name its program in
${PROGRAM_VARIABLE}.
`;

/** Fails where everything has to be tested, and is heard everywhere else. */
export default function setup(): void {
  if (findPgBouncer() !== undefined) return;
  if (process.env['CI'] !== undefined) throw new Error(NO_POOLER);
  process.stderr.write(NO_POOLER);
}
