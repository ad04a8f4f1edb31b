/**
 * Revoked tokens stay refused after a kill, and others stay valid: the revocation list and the
 * signing key survive the process.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openKeep } from '@agentkeep/core';
import { createAdmin } from '@agentkeep/core/operator';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { connect, logIn } from '@agentkeep/server/client';
import { ServerProcess } from '@agentkeep/testkit/server-process';

const login = { username: 'root', password: 'Correct-horse-1' };
const ROUNDS = 3;

let home: string;
let dataDir: string;
let server: ServerProcess | undefined;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'agentkeep-revoked-'));
  dataDir = join(home, 'data');
  await using keep = await openKeep({ dataDir });
  await createAdmin(keep, login);
});

afterEach(async () => {
  await server?.kill();
  await rm(home, { recursive: true, force: true });
});

async function startServer(): Promise<string> {
  server = new ServerProcess(dataDir);
  return server.listens();
}

test('a revoked token is refused after each kill, and others are accepted', async () => {
  const revoked: string[] = [];
  let url = await startServer();
  const kept = await logIn({ url, ...login });
  for (let round = 0; round < ROUNDS; round += 1) {
    const { agent, tokens } = await logIn({ url, ...login });
    await agent.session.revoke(tokens.access_token);
    const ended = await logIn({ url, ...login });
    await ended.agent.session.logOut();
    revoked.push(tokens.access_token, ended.tokens.access_token);
    // The kill follows the answers immediately.
    expect(await server?.kill()).toBe('SIGKILL');
    url = await startServer();
    for (const secret of revoked) {
      const refused = connect({ url, secret }).audit.queryPage();
      await expect(refused).rejects.toMatchObject({ code: 'unauthorized' });
    }
    await connect({ url, secret: kept.tokens.access_token }).audit.queryPage();
    const again = connect({ url, secret: '' }).session;
    await again.refresh({ refreshToken: kept.tokens.refresh_token });
    await again.refresh({ refreshToken: tokens.refresh_token });
  }
});
