/** The pages of docs/jobs that are followed in a shell do what they promise. */
import pg from 'pg';
import { findPostgres } from '@agentkeep/testkit/find-postgres';
import { PostgresServer } from '@agentkeep/testkit/postgres-server';
import { expect, test } from 'vitest';
import { blocksIn, followed } from './followed-page.js';

const FOUND = 'The customer prefers short answers.';

test.concurrent(
  'rotate a leaked credential: the leaked secret is refused from then on',
  async () => {
    const { status, out, error } = await followed('rotate-a-leaked-credential.md', {
      before: 'cp ./helper ./leaked',
      after: `
      echo "leaked: $(agentkeep whoami --secret-file ./leaked --url http://127.0.0.1:7474 2>&1 || :)"
      echo "revoked: $(agentkeep whoami --profile helper 2>&1 || :)"`,
    });
    expect({ status, error }).toEqual({ status: 0, error: expect.any(String) });
    expect(out).toMatch(/leaked: .*\(unauthorized\)/);
    expect(out).toMatch(/revoked: .*\(unauthorized\)/);
    expect(out).toContain('access_granted');
  },
);

test.concurrent('see who did what: a record leads to its writer and to the requests', async () => {
  const { status, out, error } = await followed('see-who-did-what.md', {
    after: 'cat requests.jsonl',
  });
  expect({ status, error }).toEqual({ status: 0, error: expect.any(String) });
  expect(out).toMatch(/^1 +\S+Z +helper +The customer/m);
  expect(out).toContain('"change":"created"');
});

test.concurrent(
  'back up and restore: the copy answers, and takes the place of a lost store',
  async () => {
    const { status, out, error } = await followed('back-up-and-restore.md', {
      after: 'agentkeep memory get style --profile helper',
    });
    expect({ status, error }).toEqual({ status: 0, error: expect.any(String) });
    expect(out.split(FOUND)).toHaveLength(3);
  },
);

test.concurrent('upgrade: the store is served again, also after going back', async () => {
  const { status, out, error } = await followed('upgrade.md', {
    after: 'agentkeep memory get style --profile helper',
  });
  expect({ status, error }).toEqual({ status: 0, error: expect.any(String) });
  expect(out).toContain('"status":"healthy"');
  expect(out).toContain(FOUND);
});

test.concurrent('watch a server: probes answer, and the token opens the metrics', async () => {
  const { status, out, error } = await followed('watch-a-server.md', {
    isServed: false,
    after: 'grep agentkeep_ready metrics.txt',
  });
  expect({ status, error }).toEqual({ status: 0, error: expect.any(String) });
  expect(out).toContain('agentkeep_ready 1');
});

test.concurrent(
  'move to PostgreSQL and back: records, secrets and audit log go along',
  async () => {
    const server = await PostgresServer.start(findPostgres() ?? '');
    try {
      await renameSuperuser(server);
      const { status, out, error } = await followed('move-to-postgresql.md', {
        databasePort: server.port,
        after: 'agentkeep memory get style --profile helper',
      });
      expect({ status, error }).toEqual({ status: 0, error: expect.any(String) });
      expect(out.split(FOUND)).toHaveLength(3);
      const client = await connected(server, 'administrator', 'agentkeep');
      const { rows } = await client
        .query('SELECT count(*) AS entries FROM agentkeep')
        .finally(() => client.end());
      expect(Number((rows as [{ entries: string }])[0].entries)).toBeGreaterThan(10);
    } finally {
      await server.stop();
    }
  },
);

/** Frees the name of the role that the page makes, and runs the SQL of the page. */
async function renameSuperuser(server: PostgresServer): Promise<void> {
  const first = await connected(server, 'agentkeep', 'postgres');
  await first.query('CREATE ROLE administrator SUPERUSER LOGIN');
  await first.end();
  const client = await connected(server, 'administrator', 'postgres');
  await client.query('ALTER ROLE agentkeep RENAME TO first_superuser');
  for (const block of blocksIn('move-to-postgresql.md', 'sql')) {
    for (const statement of block.split(';').filter((each) => each.trim() !== '')) {
      await client.query(statement);
    }
  }
  await client.end();
}

async function connected({ port }: PostgresServer, user: string, database: string) {
  const client = new pg.Client({ host: '127.0.0.1', port, user, database });
  await client.connect();
  return client;
}
