/**
 * Prints how to install PgBouncer if it is missing.
 */
import { findPgBouncer, PROGRAM_VARIABLE } from '@agentkeep/testkit/find-pg-bouncer';

const NO_POOLER = `
The tests of the store on PostgreSQL behind a pooler did NOT run: PgBouncer is not installed.
Install it (Debian: apt-get install pgbouncer; its service need not run), or set
${PROGRAM_VARIABLE} to the path of its program.
`;

/** Fails in CI, and prints a warning elsewhere. */
export default function setup(): void {
  if (findPgBouncer() !== undefined) return;
  if (process.env['CI'] !== undefined) throw new Error(NO_POOLER);
  process.stderr.write(NO_POOLER);
}
