/**
 * Writes the golden tables of a release: `npm run golden:tables -- 1.0.0` in this package. Once for
 * each release, and never again, because later releases have to open what this one wrote.
 */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findPostgres } from '@agentkeep/testkit/find-postgres';
import { PostgresServer } from '@agentkeep/testkit/postgres-server';
import { fill, FOLDER } from './golden-tables.js';

const [name = ''] = process.argv.slice(2);
if (!/^\d+\.\d+\.\d+$/.test(name)) {
  console.error(
    'Name the release, as in: npm run --prefix packages/postgres golden:tables -- 1.0.0',
  );
  process.exit(2);
}
const file = join(FOLDER, `${name}.sql`);
if (existsSync(file)) {
  console.error(`The tables of ${name} are there already, and are not written again.`);
  process.exit(1);
}
const bin = findPostgres();
if (bin === undefined) throw new Error('Install PostgreSQL 15 or later.');

const server = await PostgresServer.start(bin);
try {
  const known = await fill(server.url);
  const flags = ['--inserts', '--no-owner', '--no-comments', server.url];
  const dump = execFileSync(join(bin, 'pg_dump'), flags, { encoding: 'utf8' });
  // Commands of psql, settings of the session, and comments are of no use to a client.
  const lines = dump.split('\n').filter((line) => !/^(?:\\|--|SET |$)/u.test(line));
  await mkdir(FOLDER, { recursive: true });
  await writeFile(file, `-- Known: ${JSON.stringify(known)}\n${lines.join('\n')}\n`);
} finally {
  await server.stop();
}
