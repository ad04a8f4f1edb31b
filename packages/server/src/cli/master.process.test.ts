/** Runs the built commands that make and recover the master. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { IssuedGlobalCredential } from '@agentkeep/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const cli = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

let home: string;
let dataDir: string;
/** Keeps environment variables of the test run out of the processes. */
const env = { PATH: process.env['PATH'] ?? '' };
let server: ChildProcess | undefined;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'agentkeep-master-'));
  dataDir = join(home, 'data');
});

afterEach(async () => {
  if (server !== undefined) {
    const ended = once(server, 'close');
    server.kill('SIGKILL');
    await ended;
    server = undefined;
  }
  rmSync(home, { recursive: true });
});

function run(words: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [cli, ...words, '--data-dir', dataDir],
    { cwd: home, env, encoding: 'utf8' },
  );
  return { status, out: stdout, error: stderr };
}

function made(words: readonly string[]): IssuedGlobalCredential {
  const { status, out, error } = run(words);
  expect({ status, error }).toEqual({ status: 0, error: '' });
  expect(out).toMatch(/^[^\n]+\n$/);
  return JSON.parse(out) as IssuedGlobalCredential;
}

async function serve(): Promise<string> {
  const words = [cli, 'serve', '--port', '0', '--data-dir', dataDir];
  server = spawn(process.execPath, words, { env, stdio: ['ignore', 'pipe', 'ignore'] });
  let text = '';
  for await (const chunk of server.stdout!) {
    text += String(chunk);
    const url = /"listening","url":"([^"]+)"/.exec(text)?.[1];
    if (url !== undefined) return url;
  }
  throw new Error(`It ended early: ${text}`);
}

async function identity(url: string, secret: string): Promise<number> {
  const headers = { Authorization: `Bearer ${secret}` };
  return (await fetch(`${url}/api/v1/admin/identity`, { headers })).status;
}

describe('bootstrap-master', () => {
  it('prints the secret in one JSON line, once per installation', () => {
    const { credential, secret, contract_version } = made(['bootstrap-master', 'root']);
    expect(contract_version).toBe(1);
    expect(secret).toMatch(/^akg1_[0-9a-f]{32}_[\w-]{43}$/);
    expect(credential).toMatchObject({
      is_master: true,
      spec: { subject_id: 'root', expires_at_millis: null },
      history: [{ action: 'bootstrapped', actor_id: credential.id }],
    });
    const again = run(['bootstrap-master', 'other']);
    expect(again).toMatchObject({ status: 1, out: '' });
    expect(again.error).toMatch(
      /^agentkeep: This installation already has its one master\..*recover-master`\.\n$/,
    );
  });

  it('says what to do when the secret cannot be written', async () => {
    const words = [cli, 'bootstrap-master', 'root', '--data-dir', dataDir];
    const child = spawn(process.execPath, words, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.destroy();
    let error = '';
    child.stderr.on('data', (chunk: Buffer) => (error += chunk.toString()));
    await once(child, 'close');
    expect(child.exitCode).toBe(1);
    expect(error).toContain('Make a new secret with `agentkeep recover-master 1`.');
    expect(made(['recover-master', '1']).credential.revision).toBe(2);
  });

  it('says what to do when the directory is a file', () => {
    writeFileSync(dataDir, '');
    const { status, error } = run(['bootstrap-master', 'root']);
    expect(status).toBe(1);
    expect(error).toContain('A file of that name exists. Name a directory with --data-dir.');
  });
});

describe('recover-master', () => {
  it('OPR-50, INS-65 prints a new secret and disables the old one', async () => {
    const first = made(['bootstrap-master', 'root']);
    const { credential, secret } = made(['recover-master', '1']);
    expect(credential).toMatchObject({ id: first.credential.id, revision: 2, is_master: true });
    expect(credential.history.at(-1)).toMatchObject({ action: 'recovered_by_local_operator' });
    const url = await serve();
    expect(await identity(url, first.secret)).toBe(401);
    expect(await identity(url, secret)).toBe(200);
  });

  it('changes nothing at another revision and reports the current one', () => {
    const { secret } = made(['bootstrap-master', 'root']);
    for (const revision of ['2', 'one', '1.5', '']) {
      const refused = run(['recover-master', revision]);
      expect(refused).toMatchObject({ status: 1, out: '' });
      expect(refused.error).not.toContain(secret);
    }
    expect(run(['recover-master', '0']).error).toContain('The master is at revision 1.');
    expect(made(['recover-master', '1']).credential.revision).toBe(2);
  });

  it('refuses an installation without a master', () => {
    expect(run(['recover-master', '1'])).toMatchObject({ status: 1, out: '' });
    expect(existsSync(dataDir)).toBe(false);
    run(['bootstrap-tenant', 'acme', 'ops']);
    const { status, error } = run(['recover-master', '1']);
    expect(status).toBe(1);
    expect(error).toContain('no master yet');
  });
});

describe('beside a server', () => {
  it('OPR-48 refuses both commands, and the server keeps running', async () => {
    const { secret } = made(['bootstrap-master', 'root']);
    const url = await serve();
    for (const words of [
      ['bootstrap-master', 'other'],
      ['recover-master', '1'],
    ]) {
      const refused = run(words);
      expect(refused).toMatchObject({ status: 1, out: '' });
      expect(refused.error).toMatch(/in use by another process\. Stop that process/);
    }
    expect(await identity(url, secret)).toBe(200);
  });
});
