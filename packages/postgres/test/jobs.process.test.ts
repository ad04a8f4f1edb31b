/** The page about moving to PostgreSQL, followed word for word beside a database of its own. */
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import pg from 'pg';
import { connect } from '@agentkeep/server/client';
import { findPostgres } from '@agentkeep/testkit/find-postgres';
import { PageShell, SCOPE, TEXT } from '@agentkeep/testkit/page-shell';
import { PostgresServer } from '@agentkeep/testkit/postgres-server';
import { commandsOf, followedPages } from '../../../scripts/docs/followed-pages.js';

/** Who may log in: the superuser without a password, all others with theirs. */
const LOGINS = `host all postgres 127.0.0.1/32 trust
host all all 127.0.0.1/32 scram-sha-256
`;

test.each(followedPages.withDatabase)('%s moves every record there and back', async (page) => {
  const bin = findPostgres();
  if (bin === undefined) throw new Error('Set AGENTKEEP_TEST_POSTGRES_BIN to follow this page.');
  const folder = await mkdtemp(join(tmpdir(), 'agentkeep-logins-'));
  const logins = join(folder, 'pg_hba.conf');
  await writeFile(logins, LOGINS);
  await chmod(folder, 0o755);
  const database = await PostgresServer.start(bin, { hba_file: logins }, 'postgres');
  try {
    await using shell = await PageShell.open();
    const printed = await shell.follow(commandsOf(page), {
      superuserUrl: database.url,
      replaced: { ':5432': `:${String(database.port)}` },
    });
    const [, copied, served, copiedBack] = printed;
    expect(copied).toMatch(/Copied and verified \d+ entries/);
    expect(served).toContain(TEXT);
    expect(copiedBack).toMatch(/Copied and verified \d+ entries/);
    expect(await entriesOf(database)).toBeGreaterThan(20);
    const agent = connect({ url: shell.url, secret: shell.secrets.helper });
    const style = await agent.memory.in(SCOPE).read({ name: 'style' });
    expect(style?.payload.content.primary).toBe(TEXT);
    // The second server has served from the directory that the page copied back.
    expect(await shell.read('server.log')).toContain('/data-after"');
  } finally {
    await database.stop();
    await rm(folder, { recursive: true });
  }
});

async function entriesOf({ url }: PostgresServer): Promise<number> {
  const own = new URL(url);
  own.pathname = 'agentkeep';
  const client = new pg.Client({ connectionString: own.href });
  await client.connect();
  try {
    const { rows } = await client.query<{ count: string }>('SELECT count(*) FROM agentkeep');
    return Number(rows[0]?.count);
  } finally {
    await client.end();
  }
}
