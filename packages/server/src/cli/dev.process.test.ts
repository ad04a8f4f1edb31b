/** `agentkeep dev` touches nothing that others made, and the first commands of the guide work. */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  bootstrapTenant,
  type Ended,
  endOf,
  runCommand,
  startCommand,
} from '@agentkeep/testkit/agentkeep-process';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

const cli = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
const guide = fileURLToPath(new URL('../../../../docs/guides/command-line.md', import.meta.url));

let home: string;
let dataDir: string;
let profilesFile: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'agentkeep-dev-'));
  dataDir = join(home, 'data');
  profilesFile = join(home, '.config/agentkeep/profiles.json');
});

afterEach(() => rmSync(home, { recursive: true }));

/** Starts `dev`, calls `during` while it serves, then stops it. Returns what it printed. */
async function whileDev(
  during: (said: string) => Promise<void> | void = () => undefined,
  ...more: readonly string[]
): Promise<Ended> {
  const words = ['dev', '--port', '0', '--data-dir', dataDir, ...more];
  const child = startCommand(words, { HOME: home });
  const ended = endOf(child);
  let said = '';
  child.stdout!.on('data', (chunk: Buffer) => (said += chunk.toString()));
  try {
    while (!said.includes('Stop with Ctrl+C')) {
      const more = once(child.stdout!, 'data').then(() => undefined);
      const isOver = await Promise.race([more, ended]);
      if (isOver !== undefined) return isOver;
    }
    await during(said);
  } finally {
    child.kill('SIGTERM');
  }
  return ended;
}

/** Follows a link that dev printed. Returns the address of the server, and the person's proof. */
async function followLink(said: string, name = 'Console') {
  const form = new RegExp(`^${name}: (http://[\\d.:]+)/console#link=([\\w-]{43})$`, 'm');
  const [, origin = '', link = ''] = form.exec(said) ?? [];
  const answer = await fetch(`${origin}/console/session`, {
    method: 'POST',
    headers: { origin, 'content-type': 'application/json', 'x-agentkeep-console': '1' },
    body: JSON.stringify({ link }),
  });
  const { session } = (await answer.json()) as { session: { access_token: string } };
  return { origin, headers: { authorization: `Bearer ${session.access_token}` } };
}

test('CSL-13, CSL-15 a link signs in the person of the tenant, at each start', async () => {
  const follow = async (said: string): Promise<void> => {
    const { origin, headers } = await followLink(said);
    const asked = await fetch(`${origin}/api/v1/identity`, { headers });
    const { credential } = (await asked.json()) as {
      credential: { tenant_id: string; spec: { subject_id: string; capabilities: string[] } };
    };
    expect([credential.tenant_id, credential.spec.subject_id]).toEqual(['demo', 'owner']);
    expect(credential.spec.capabilities).toContain('memory_review');
    expect((await fetch(`${origin}/api/v1/audit`, { headers })).status).toBe(200);
  };
  await whileDev(follow);
  await whileDev(follow);
  const silent = (said: string) => {
    expect(said).not.toContain('/console');
  };
  await whileDev(silent, '--console', 'false');
});

test('CSL-13, USR-57 the other link signs in the owner, who manages tenants', async () => {
  await whileDev(async (said) => {
    const { origin, headers } = await followLink(said, 'Console with tenants and system');
    const listed = await fetch(`${origin}/api/v1/admin/tenants?contract_version=1`, { headers });
    expect([listed.status, await listed.text()]).toEqual([200, expect.stringContaining('demo')]);
  });
});

test('OPR-44 the first start prints ten lines, and further ones fewer', async () => {
  const linesOf = (said: string) =>
    said.split('\n').filter((line) => line !== '' && !line.startsWith('{'));
  let shown: string[] = [];
  await whileDev((said) => void (shown = linesOf(said)));
  expect(shown).toHaveLength(10);
  expect(shown[0]).toMatch(/^Agentkeep \S+ serves http:\S+ from \//);
  expect(shown.filter((line) => line.startsWith('  '))).toHaveLength(3);
  const folder = dirname(profilesFile);
  const secrets = readdirSync(folder).filter((name) => name.endsWith('.secret'));
  expect(secrets).toHaveLength(4);
  for (const name of secrets) {
    expect(shown.join('\n')).not.toContain(readFileSync(join(folder, name), 'utf8').trim());
  }
  const [named = '', ...others] = shown.filter((line) => line.startsWith('Secrets in '));
  expect(others).toEqual([]);
  expect(Array.from(named.matchAll(/\b[\w-]+\.secret \(the [^)]+\)/g), ([each]) => each)).toEqual([
    'dev.secret (the agent)',
    'dev-admin.secret (the administrator of the tenant)',
  ]);
  expect(named).toMatch(/ profiles list$/);
  const { out } = await runCommand(['profiles', 'list'], { HOME: home });
  for (const name of secrets) expect(out).toContain(join(folder, name));
  await whileDev((said) => void (shown = linesOf(said)));
  expect(shown.length).toBeLessThan(10);
});

test('OPR-44 the console shows the person what the agent remembered', async () => {
  await whileDev(async (said) => {
    const env = { HOME: home };
    expect((await runCommand(['remember', 'Ann prefers short answers.'], env)).status).toBe(0);
    const { origin, headers } = await followLink(said);
    const scope = { project_id: 'demo', agent_id: 'assistant', visibility: 'private' };
    const found = await fetch(`${origin}/api/v1/memory/query`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ contract_version: 1, scope }),
    });
    expect(await found.text()).toContain('Ann prefers short answers.');
    const scopes = await fetch(`${origin}/api/v1/access/scopes?contract_version=1`, { headers });
    expect(await scopes.text()).toContain('"agent_id":"assistant"');
  });
});

test('MCP-11 the secret of the agent works over MCP without a scope', async () => {
  await whileDev(
    async (said) => {
      const [origin = ''] = /http:\/\/[\d.:]+/.exec(said) ?? [];
      const secret = readFileSync(join(home, '.config/agentkeep/dev.secret'), 'utf8').trim();
      const call = async (method: string, params: object): Promise<string> => {
        const answer = await fetch(`${origin}/mcp`, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${secret}`,
            'content-type': 'application/json',
            accept: 'application/json, text/event-stream',
          },
          body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
        });
        return answer.text();
      };
      const text = 'Ann prefers short answers.';
      const stored = await call('tools/call', { name: 'memory_remember', arguments: { text } });
      expect(stored).not.toContain('isError":true');
      const recalled = await runCommand(['recall', 'answers'], { HOME: home });
      expect(recalled.out).toContain(text);
      const [, listed = '{}'] = /^data: (.*)$/m.exec(await call('tools/list', {})) ?? [];
      const { result } = JSON.parse(listed) as {
        result: { tools: { name: string; inputSchema: { required?: string[] } }[] };
      };
      const tool = result.tools.find(({ name }) => name === 'memory_remember');
      expect(tool?.inputSchema).toMatchObject({ properties: { scope: {} }, required: ['text'] });
    },
    '--mcp',
    'true',
  );
});

test('MCP-4 a request to /mcp says how to turn MCP on', async () => {
  await whileDev(async (said) => {
    const [origin = ''] = /http:\/\/[\d.:]+/.exec(said) ?? [];
    const answer = await fetch(`${origin}/mcp`, { method: 'POST' });
    expect([answer.status, await answer.text()]).toEqual([
      404,
      expect.stringContaining('--mcp true'),
    ]);
  });
});

test.each([
  ['/console', []],
  ['/docs', ['--console', 'false']],
])('PLT-43 a browser is led from the root to %s', async (page, words) => {
  await whileDev(
    async (said) => {
      const [origin = ''] = /http:\/\/[\d.:]+/.exec(said) ?? [];
      const led = await fetch(origin, { headers: { accept: 'text/html' }, redirect: 'manual' });
      expect([led.status, led.headers.get('location')]).toEqual([303, page]);
    },
    ...words,
  );
});

describe('the profiles of dev', () => {
  const writeOwn = (text: string) => {
    mkdirSync(dirname(profilesFile), { recursive: true });
    writeFileSync(profilesFile, text, { mode: 0o600 });
  };

  test.skipIf(process.platform === 'win32')(
    'OPR-103 make the first commands of the guide work as they stand',
    async () => {
      const [, first = ''] = /```sh\n([\s\S]*?)```/.exec(readFileSync(guide, 'utf8')) ?? [];
      const bin = join(home, 'bin');
      mkdirSync(bin);
      const program = `#!/bin/sh\nexec '${process.execPath}' '${cli}' "$@"\n`;
      writeFileSync(join(bin, 'agentkeep'), program, { mode: 0o755 });
      await whileDev(() => {
        const env = { PATH: `${bin}:/bin:/usr/bin`, HOME: home };
        const run = spawnSync('sh', ['-ec', first], { cwd: home, env, encoding: 'utf8' });
        expect(run).toMatchObject({ status: 0, stderr: '' });
        expect(run.stdout).toContain('Ann prefers short answers.');
      });
    },
  );

  test('OPR-104 leave profiles alone that somebody else made', async () => {
    const own = { url: 'https://keep.example', secret_file: join(home, 'mine') };
    writeOwn(JSON.stringify({ default: 'dev', profiles: { dev: own } }));
    const { status } = await whileDev(async (said) => {
      const [, name = ''] = / --profile (dev-\d+)$/m.exec(said) ?? [];
      expect((await runCommand(['whoami', '--profile', name], { HOME: home })).status).toBe(0);
    });
    expect(status).toBe(0);
    expect(JSON.parse(readFileSync(profilesFile, 'utf8'))).toMatchObject({
      default: 'dev',
      profiles: { dev: own },
    });
    expect(existsSync(join(home, '.config/agentkeep/dev.secret'))).toBe(false);
  });

  test('OPR-104 are replaced by those of a new tenant', async () => {
    await whileDev();
    dataDir = join(home, 'other');
    await whileDev(async () => {
      const { status, error } = await runCommand(['whoami'], { HOME: home });
      expect({ status, error }).toEqual({ status: 0, error: '' });
    });
  });

  test('OPR-103 of a server beside another one are its own', async () => {
    const secretFile = join(home, '.config/agentkeep/dev.secret');
    await whileDev(async () => {
      const first = readFileSync(secretFile, 'utf8');
      dataDir = join(home, 'other');
      await whileDev(async (said) => {
        const [, name = ''] = / --profile (dev-\d+)$/m.exec(said) ?? [];
        expect(said).toContain(`${name}-admin.secret (`);
        const named = await runCommand(['whoami', '--profile', name], { HOME: home });
        expect({ status: named.status, error: named.error }).toEqual({ status: 0, error: '' });
      });
      expect(readFileSync(secretFile, 'utf8')).toBe(first);
      expect((await runCommand(['whoami'], { HOME: home })).status).toBe(0);
    });
  });

  test('OPR-104 do not cost the secrets where they cannot be written', async () => {
    writeOwn('not JSON');
    const { status, out } = await whileDev();
    expect(status).toBe(0);
    expect(out).toMatch(/^ {2}ADMIN_SECRET='ak1_.*'$/m);
    expect(out).toContain('not JSON: see line 1, column 1.');
    expect(readFileSync(profilesFile, 'utf8')).toBe('not JSON');
    rmSync(dirname(profilesFile), { recursive: true });
    writeFileSync(dirname(profilesFile), 'a file where the folder should be');
    dataDir = join(home, 'other');
    const again = await whileDev();
    expect(again.status).toBe(0);
    expect(again.out).toMatch(/^ {2}ADMIN_SECRET='ak1_.*'$/m);
  });
});

describe('dev --reset', () => {
  const data = () => existsSync(join(dataDir, 'data.mdb'));

  test('OPR-105 removes no file that is not of a store', async () => {
    await whileDev();
    writeFileSync(join(dataDir, 'notes.txt'), 'mine');
    const { status, error } = await whileDev(undefined, '--reset');
    expect(status).toBe(1);
    expect(error).toContain('notes.txt');
    expect(readFileSync(join(dataDir, 'notes.txt'), 'utf8')).toBe('mine');
    expect(data()).toBe(true);
    renameSync(join(dataDir, 'notes.txt'), join(home, 'notes.txt'));
    const again = await whileDev(undefined, '--reset');
    expect(again.out).toContain('dev.secret');
  });

  test('OPR-105 removes no store that was restored into its directory', async () => {
    await whileDev();
    const real = join(home, 'real');
    bootstrapTenant(real, 'acme');
    await runCommand(['snapshot', '--data-dir', real]);
    const snapshot = join(real, 'snapshots/latest');
    const restored = await runCommand(['restore', snapshot, '--data-dir', dataDir, '--force']);
    expect(restored.status).toBe(0);
    const { status, error } = await whileDev(undefined, '--reset');
    expect(status).toBe(1);
    expect(error).toContain('was not made by `agentkeep dev`');
    expect(data()).toBe(true);
    const again = await runCommand(['bootstrap-tenant', 'acme', 'ops', '--data-dir', dataDir]);
    expect(again.error).toContain('already exists');
  });
});
