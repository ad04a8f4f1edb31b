/** Runs the built `agentkeep` command as users do: real processes, sockets and signals. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '@agentkeep/testkit/eventually';
import { HALF_LOGIN, request } from '../../test/shell-request.js';

const cli = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
const SECRET = /akg?1_[0-9a-f]{32}_[\w-]{43}/g;

let dataDir: string;
let home: string;
const started: Agentkeep[] = [];

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'agentkeep-cli-'));
  dataDir = join(home, 'data');
});

afterEach(async () => {
  for (const { child, ended } of started.splice(0)) {
    child.kill('SIGKILL');
    await ended;
  }
  rmSync(home, { recursive: true });
});

/** A running command with its output so far. */
class Agentkeep {
  readonly child: ChildProcess;
  readonly ended: Promise<number | null>;
  out = '';
  error = '';

  constructor(words: string[], environment: Record<string, string>) {
    const env = { PATH: process.env['PATH'] ?? '', HOME: home, ...environment };
    this.child = spawn(process.execPath, [cli, ...words], { cwd: home, env });
    this.child.stdout!.on('data', (chunk: Buffer) => (this.out += chunk.toString()));
    this.child.stderr!.on('data', (chunk: Buffer) => (this.error += chunk.toString()));
    this.ended = once(this.child, 'close').then(() => this.child.exitCode);
  }

  /** Resolves with the first match in one of its output streams. */
  async until(stream: 'out' | 'error', pattern: RegExp): Promise<RegExpExecArray> {
    const source = stream === 'out' ? this.child.stdout! : this.child.stderr!;
    for (;;) {
      const match = pattern.exec(this[stream]);
      if (match !== null) return match;
      const isOver = await Promise.race([once(source, 'data').then(() => false), this.ended]);
      if (isOver !== false) throw new Error(`It ended early: ${this.out}${this.error}`);
    }
  }
}

function start(words: string[], environment: Record<string, string> = {}): Agentkeep {
  const made = new Agentkeep(words, environment);
  started.push(made);
  return made;
}

async function run(
  ...words: string[]
): Promise<{ status: number | null; out: string; error: string }> {
  const command = start(words);
  const status = await command.ended;
  return { status, out: command.out, error: command.error };
}

async function serve(): Promise<{ server: Agentkeep; port: number; url: string }> {
  const server = start(['serve', '--port', '0', '--data-dir', dataDir]);
  const [, url = ''] = await server.until('out', /"listening","url":"([^"]+)"/);
  return { server, url, port: Number(new URL(url).port) };
}

function isRefused(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  return new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(false));
    socket.once('error', () => resolve(true));
  }).finally(() => socket.destroy());
}

/** Makes a tenant with an agent that may write; returns the agent's secret. */
async function agentSecret(): Promise<string> {
  const bootstrapped = await run('bootstrap-tenant', 'acme', 'ops', '--data-dir', dataDir);
  const { secret } = JSON.parse(bootstrapped.out) as { secret: string };
  const { server, url } = await serve();
  const scope = { project_id: 'p', agent_id: 'a', visibility: 'private' };
  const spec = { subject_id: 's', capabilities: ['memory_write'], grants: [scope] };
  const response = await fetch(`${url}/api/v1/credentials`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ contract_version: 1, spec }),
  });
  const issued = (await response.json()) as { secret: string };
  server.child.kill('SIGTERM');
  expect(await server.ended).toBe(0);
  return issued.secret;
}

const COMMAND = JSON.stringify({
  contract_version: 1,
  idempotency_key: 'slow',
  scope: { project_id: 'p', agent_id: 'a', visibility: 'private' },
  operation: {
    type: 'create',
    record: { episode_type: 'Observation', content: { primary: 'x' }, event_time_millis: 0 },
  },
});

describe('dev', () => {
  // OPR-1, OPR-44, OPR-47, OPR-103
  it('leaves each secret in a file, says what to try, and keeps the tenant on the next start', async () => {
    const first = start(['dev', '--port', '0']);
    await first.until('out', /Stop with Ctrl\+C/);
    expect(first.out).not.toMatch(SECRET);
    expect(first.out.trim().split('\n').length).toBeLessThanOrEqual(12);
    expect(existsSync(dataDir)).toBe(true);
    expect(statSync(dataDir).mode & 0o777).toBe(0o700);
    const folder = join(home, '.config/agentkeep');
    const secretIn = (name: string) => readFileSync(join(folder, `${name}.secret`), 'utf8');
    const named = ['dev', 'dev-admin', 'dev-master', 'dev-account'];
    for (const name of named.slice(0, 2)) expect(first.out).toContain(`${name}.secret (the `);
    expect(new Set(named.map(secretIn)).size).toBe(4);
    for (const file of ['profiles.json', ...named.map((name) => `${name}.secret`)]) {
      expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
    }

    const [curl = ''] = /^ {2}curl .*$/m.exec(first.out) ?? [];
    expect(await request(curl, `HOME='${home}'`)).toMatchObject({
      credential: { tenant_id: 'demo', spec: { subject_id: 'owner' } },
    });
    const said = /^ {2}node \S*cli\.js (\w+) '(.*)'$/gm;
    const trials = Array.from(first.out.matchAll(said), ([, verb = '', text = '']) => [verb, text]);
    expect(trials.map(([verb]) => verb)).toEqual(['remember', 'recall']);
    for (const trial of trials) {
      expect((await run(...trial)).out).toContain(trial === trials[0] ? '' : 'prefers short');
    }
    const { out: listed } = await run('credentials', 'list', '--profile', 'dev-admin');
    expect(listed).toContain('owner');
    expect((await run('tenants', 'list', '--profile', 'dev-master')).out).toContain('demo');
    expect((await run('people', 'list', '--profile', 'dev-account')).out).toContain('admin');

    expect((await run('dev', '--port', '0', '--reset')).error).toContain('in use by another');
    first.child.kill('SIGINT');
    expect(await first.ended).toBe(0);
    expect(first.error).toMatch(/"message":"stopped"\}\n$/);
    expect(first.error).not.toMatch(SECRET);

    const earlier = secretIn('dev');
    const second = start(['dev', '--port', '0']);
    await second.until('out', /existing tenant[\s\S]*start over[\s\S]*--data-dir/);
    expect(second.out).toMatch(/Documentation: http:\S+\/docs$/m);
    second.child.kill('SIGTERM');
    expect(await second.ended).toBe(0);
    expect(secretIn('dev')).toBe(earlier);

    const third = start(['dev', '--port', '0', '--reset']);
    await third.until('out', /dev\.secret[\s\S]*Stop with Ctrl\+C/);
    expect(secretIn('dev')).not.toBe(earlier);
    third.child.kill('SIGTERM');
    expect(await third.ended).toBe(0);
    const other = join(home, 'other');
    expect((await run('bootstrap-tenant', 'acme', 'ops', '--data-dir', other)).status).toBe(0);
    const refused = await run('dev', '--port', '0', '--reset', '--data-dir', other);
    expect(refused.error).toContain('was not made by `agentkeep dev`');
    expect(existsSync(other)).toBe(true);
  });
});

describe('serve', () => {
  // OPR-C59
  it('finishes a slow write after SIGTERM and returns the same receipt after a restart', async () => {
    const secret = await agentSecret();
    const { server, port } = await serve();
    const head = [
      'POST /api/v1/memory/commands HTTP/1.1',
      'Host: x',
      `Authorization: Bearer ${secret}`,
      'Content-Type: application/json',
      `Content-Length: ${COMMAND.length}`,
      'Expect: 100-continue',
    ];
    const socket = connect(port, '127.0.0.1');
    let heard = '';
    socket.on('data', (chunk) => (heard += chunk.toString()));
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
    await once(socket, 'data');
    expect(heard).toContain('100 Continue');

    server.child.kill('SIGTERM');
    server.child.kill('SIGINT');
    await server.until('out', /"draining"/);
    expect(await isRefused(port)).toBe(true);
    socket.end(COMMAND);
    await once(socket, 'close');
    expect(await server.ended).toBe(0);
    expect(heard).toMatch(/HTTP\/1\.1 200 [\s\S]*connection: close/i);
    expect(server.out).toMatch(/"message":"stopped"\}\n$/);
    expect(server.out).not.toMatch(SECRET);

    const again = await serve();
    const replay = await fetch(`${again.url}/api/v1/memory/commands`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' },
      body: COMMAND,
    });
    expect(heard).toContain(await replay.text());
  });

  it('OPR-87 ends at once at a second signal, with exit status 1', async () => {
    const grace = ['--stop-grace-seconds', '3600'];
    const server = start(['serve', '--port', '0', '--data-dir', dataDir, ...grace]);
    const [, url = ''] = await server.until('out', /"listening","url":"([^"]+)"/);
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(`${HALF_LOGIN}Expect: 100-continue\r\n\r\n{"user`);
    await once(socket, 'data');
    server.child.kill('SIGTERM');
    await server.until('out', /"draining"/);
    // Signals in quick succession count as one, so repeat it until it is a second one.
    await eventually(() => {
      if (server.child.exitCode === null) server.child.kill('SIGTERM');
      expect(server.child.exitCode).toBe(1);
    });
    expect(server.error).toMatch(/^agentkeep: A second signal \(SIGTERM\) ended the server/);
    expect(server.out).not.toContain('"stopped"');
    const again = start(['serve', '--port', '0', '--data-dir', dataDir]);
    await again.until('out', /"listening"/);
  });

  it('OPR-70 stops within its grace while a client sends half a body', async () => {
    const grace = ['--stop-grace-seconds', '1'];
    const server = start(['serve', '--port', '0', '--data-dir', dataDir, ...grace]);
    const [, url = ''] = await server.until('out', /"listening","url":"([^"]+)"/);
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(`${HALF_LOGIN}Expect: 100-continue\r\n\r\n{"user`);
    await once(socket, 'data');
    server.child.kill('SIGTERM');
    expect(await server.ended).toBe(0);
    expect(server.out).toMatch(/"closing connections"[\s\S]*"message":"stopped"\}\n$/);
  });

  // OPR-48, OPR-68
  it('OPR-2 refuses a directory that another process serves, and so does bootstrap-tenant', async () => {
    await serve();
    const words = ['--data-dir', dataDir];
    for (const refused of [
      await run('serve', '--port', '0', ...words),
      await run('bootstrap-tenant', 'other', 'ops', ...words),
    ]) {
      expect(refused).toMatchObject({ status: 1, out: '' });
      expect(refused.error).toMatch(/in use by another process\. Stop that process/);
    }
  });

  it('does not copy a directory that a server has open, and names it', async () => {
    await serve();
    const { error } = await run('copy-store', '--from', dataDir, '--to', join(home, 'copy'));
    expect(error).toMatch(/^agentkeep: Another process has .*data open\. Stop all servers/);
  });

  // OPR-47, CMD-11
  it('writes the secret of a bootstrap to a new file that only the user may read', async () => {
    const file = join(home, 'acme-ops');
    const words = ['--data-dir', dataDir, '--write-secret', file];
    const { out } = await run('bootstrap-tenant', 'acme', 'ops', ...words);
    expect(JSON.parse(out)).toMatchObject({ secret_file: file });
    expect(out).not.toMatch(SECRET);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const again = await run('bootstrap-master', 'root', ...words);
    expect(again.status).toBe(1);
    expect(again.error).toContain(`--write-secret: ${file} cannot be made`);
    const { server, url } = await serve();
    const told = await run('whoami', '--url', url, '--secret-file', file);
    expect(told.out).toContain('ops');
    server.child.kill('SIGTERM');
    expect(await server.ended).toBe(0);
    const { out: master } = await run('bootstrap-master', 'root', '--data-dir', dataDir);
    writeFileSync(file, master);
    const refused = await run('whoami', '--url', url, '--secret-file', file);
    expect(refused.error).toMatch(/holds JSON.*Write the text of its member "secret" alone/);
    expect(refused.error).not.toMatch(SECRET);
  });

  it('names the durability of a directory', async () => {
    expect((await run('bootstrap-tenant', 'acme', 'ops', '--data-dir', dataDir)).status).toBe(0);
    const words = ['serve', '--port', '0', '--durability', 'relaxed', '--data-dir', dataDir];
    const { error } = await run(...words);
    expect(error).toContain('The durability of a data directory is fixed.');
    expect(error).toContain('has the durability "strict"');
    expect(error).not.toContain('snapshot');
  });

  it('lists only what a directory holds', async () => {
    expect((await run('bootstrap-tenant', 'acme', 'ops', '--data-dir', dataDir)).status).toBe(0);
    const { out } = await run('verify-store', '--data-dir', dataDir);
    expect(out).toMatch(/tenants: 1 records/);
    expect(out).not.toMatch(/: 0 records, 0 derived/);
    expect(out).toMatch(/ \d+ other families are empty\n$/);
  });

  it('says what to do when the port is taken, and makes no directory', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const { status, error } = await run('serve', '--port', String(port), '--data-dir', dataDir);
    taken.close();
    expect(status).toBe(1);
    expect(error).toMatch(/port is taken\. Stop the process that uses it, or choose another port/);
    expect(existsSync(dataDir)).toBe(false);
    const next = await run('bootstrap-tenant', 'acme', 'ops', '--data-dir', dataDir);
    expect(next.status).toBe(0);
  });

  it('OPR-2, OPR-C58 refuses a bad option from any source', async () => {
    const file = join(home, 'agentkeep.json');
    writeFileSync(file, '{"port":"80"}');
    for (const command of [
      start(['serve', '--port', 'abc']),
      start(['serve'], { AGENTKEEP_PORT: 'abc' }),
      start(['serve'], { AGENTKEEP_UNHEARD_OF: '1' }),
      start(['serve', '--config', file]),
      start(['serve', '--admin-origin', 'https://x.test/']),
    ]) {
      expect(await command.ended).toBe(1);
      expect(command.out).toBe('');
      expect(command.error).toMatch(/^agentkeep: [\s\S]*Usage: agentkeep serve/);
    }
    expect(existsSync(dataDir)).toBe(false);
  });
});

describe('bootstrap-tenant', () => {
  it('OPR-5, OPR-51 prints the secret in one JSON line, once', async () => {
    const words = ['bootstrap-tenant', 'acme', 'ops', '--data-dir', dataDir];
    const first = await run(...words);
    expect(first).toMatchObject({ status: 0, error: '' });
    expect(first.out).toMatch(/^[^\n]+\n$/);
    const issued = JSON.parse(first.out) as { credential: { id: string }; secret: string };
    expect(issued).toMatchObject({
      contract_version: 1,
      credential: {
        tenant_id: 'acme',
        spec: {
          subject_id: 'ops',
          capabilities: ['policy_admin', 'credential_admin'],
          grants: [],
          expires_at_millis: null,
        },
        history: [{ action: 'bootstrapped', actor_id: issued.credential.id }],
      },
    });
    expect(issued.secret).toMatch(SECRET);

    const second = await run(...words);
    expect(second).toMatchObject({ status: 1, out: '' });
    expect(second.error).toMatch(/^agentkeep: Tenant "acme" already exists[^\n]*\n$/);
  });

  it('refuses ids that break the text rule', async () => {
    const { status, error } = await run('bootstrap-tenant', ' ', 'ops', '--data-dir', dataDir);
    expect(status).toBe(1);
    expect(error).toContain('Refused: tenantId.');
  });
});

describe('health-check', () => {
  it('OPR-12 succeeds for a running server and fails without one', async () => {
    const { server, port } = await serve();
    const words = ['health-check', '--port', String(port)];
    expect(await run(...words)).toEqual({ status: 0, out: '', error: '' });
    server.child.kill('SIGTERM');
    await server.ended;
    const { status, out, error } = await run(...words);
    expect({ status, out }).toEqual({ status: 1, out: '' });
    expect(error).toMatch(/is not healthy: .*ECONNREFUSED/);
  });

  it('OPR-54 waits at most two seconds', async () => {
    const silent = createServer(() => undefined).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const { status, error } = await run('health-check', '--port', String(port));
    silent.closeAllConnections();
    silent.close();
    expect(status).toBe(1);
    expect(error).toContain('no complete reply within 2 seconds');
  });
});
