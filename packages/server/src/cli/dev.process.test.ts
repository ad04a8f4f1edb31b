/** `agentkeep dev` makes the first commands of the guide work, and starts over when asked to. */
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { once } from 'node:events';
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

const words = (...more: readonly string[]) => [
  ...['dev', '--port', '0', '--data-dir', dataDir],
  ...more,
];

/** Starts `dev`; calls `during` while it serves, then stops it. Returns its output. */
async function whileDev(
  during: (url: string) => Promise<void> | void = () => undefined,
  ...more: readonly string[]
): Promise<Ended> {
  const child = startCommand(words(...more), { HOME: home });
  const ended = endOf(child);
  let said = '';
  child.stdout!.on('data', (chunk: Buffer) => (said += chunk.toString()));
  try {
    while (!said.includes('Stop with Ctrl+C')) {
      const isOver = await Promise.race([once(child.stdout!, 'data').then(() => undefined), ended]);
      if (isOver !== undefined) return isOver;
    }
    await during(/serves (\S+)/.exec(said)?.[1] ?? '');
  } finally {
    child.kill('SIGTERM');
  }
  return ended;
}

const command = (...line: readonly string[]) => runCommand(line, { HOME: home });

interface Profiles {
  readonly default: string;
  readonly profiles: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

const profiles = () => JSON.parse(readFileSync(profilesFile, 'utf8')) as Profiles;

describe('the profiles of dev', () => {
  test.skipIf(process.platform === 'win32')(
    'OPR-106 make the first commands of the guide work as they stand',
    async () => {
      const [, first = ''] = /```sh\n([\s\S]*?)```/.exec(readFileSync(guide, 'utf8')) ?? [];
      expect(first).toMatch(/^agentkeep remember /);
      const bin = join(home, 'bin');
      mkdirSync(bin);
      const program = `#!/bin/sh\nexec '${process.execPath}' '${cli}' "$@"\n`;
      writeFileSync(join(bin, 'agentkeep'), program, { mode: 0o755 });
      const { status } = await whileDev(() => {
        const env = { PATH: `${bin}:${dirname('/bin/sh')}`, HOME: home };
        const run = spawnSync('sh', ['-ec', first], { env, encoding: 'utf8' });
        expect(run).toMatchObject({ status: 0, stderr: '' });
        expect(run.stdout.match(/The customer prefers short answers\./g)).toHaveLength(3);
      });
      expect(status).toBe(0);
    },
  );

  test('OPR-106 name each caller, hold no secret, and are private like the secrets', async () => {
    const { out } = await whileDev(async () => {
      for (const [name, words] of [
        ['demo', ['whoami']],
        ['demo-admin', ['credentials', 'list']],
        ['demo-master', ['tenants', 'list']],
        ['demo-root', ['people', 'list']],
      ] as const) {
        expect(await command(...words, '--profile', name), name).toMatchObject({
          status: 0,
          error: '',
        });
      }
    });
    expect(profiles().default).toBe('demo');
    for (const [, secret = ''] of out.matchAll(/(?:SECRET|PASSWORD)='(.*)'/g)) {
      expect(readFileSync(profilesFile, 'utf8')).not.toContain(secret);
    }
    if (process.platform === 'win32') return;
    expect(statSync(profilesFile).mode & 0o777).toBe(0o600);
    for (const name of readdirSync(join(dataDir, 'demo'))) {
      expect(statSync(join(dataDir, 'demo', name)).mode & 0o777, name).toBe(0o600);
    }
  });

  test('OPR-106 move to the next server, and leave those of others alone', async () => {
    mkdirSync(dirname(profilesFile), { recursive: true });
    const own = { url: 'https://keep.example', secret_file: '/nowhere/secret' };
    const before = { default: 'work', profiles: { work: own, 'demo-admin': own } };
    writeFileSync(profilesFile, JSON.stringify(before), { mode: 0o600 });
    const first = await whileDev();
    expect(first.out).toContain('--profile demo\n');
    const urls: unknown[] = [profiles().profiles['demo']?.['url']];
    await whileDev((url) => {
      urls.push(profiles().profiles['demo']?.['url']);
      expect(urls[1]).toBe(url);
    });
    expect(urls[0]).not.toBe(urls[1]);
    expect(profiles()).toMatchObject({ ...before, default: 'work' });
  });

  test('OPR-106 are left out, with the reason, where they cannot be written', async () => {
    mkdirSync(dirname(profilesFile), { recursive: true });
    writeFileSync(profilesFile, 'not JSON');
    const { status, out } = await whileDev();
    expect(status).toBe(0);
    expect(out).toContain('has no profiles for this server.');
    expect(readFileSync(profilesFile, 'utf8')).toBe('not JSON');
  });
});

describe('dev', () => {
  test('PLT-44 prints the address of the page, which the server answers', async () => {
    const { out } = await whileDev(async (url) => {
      expect((await fetch(`${url}/docs`)).status).toBe(200);
    });
    expect(out).toMatch(/^All operations, to read and to try: http:\S+\/docs /m);
  });

  test('OPR-107 --reset starts from an empty directory, again and again', async () => {
    await whileDev(async () => {
      await command('remember', 'Ann prefers short answers.');
    });
    const again = await whileDev(async () => {
      expect((await command('memory', 'list')).out).toBe('None.\n');
    }, '--reset');
    expect(again).toMatchObject({ status: 0 });
    expect(again.out).toContain('Tenant "demo" is new.');
    const kept = await whileDev();
    expect(kept.out).toContain('already exists and was kept');
  });

  test('OPR-107 --reset refuses a store that dev did not make, and removes nothing', async () => {
    bootstrapTenant(dataDir, 'acme');
    await whileDev();
    const before = readdirSync(dataDir);
    const { status, error } = await whileDev(undefined, '--reset');
    expect(status).toBe(1);
    expect(error).toContain('was not made by `agentkeep dev`');
    expect(readdirSync(dataDir)).toEqual(before);
  });

  test('OPR-107 --reset refuses a restored store and the files of others', async () => {
    await whileDev();
    writeFileSync(join(dataDir, 'notes.txt'), 'mine');
    const refused = await whileDev(undefined, '--reset');
    expect(refused.status).toBe(1);
    expect(refused.error).toContain('did not make: notes.txt');
    expect(existsSync(join(dataDir, 'data.mdb'))).toBe(true);
    rmSync(join(dataDir, 'notes.txt'));
    const manifest = join(dataDir, 'agentkeep.json');
    writeFileSync(manifest, readFileSync(manifest, 'utf8').replace(/"store_id": "./, '$&0'));
    expect((await whileDev(undefined, '--reset')).error).toContain('was not made by');
    expect(existsSync(join(dataDir, 'data.mdb'))).toBe(true);
  });

  test('OPR-107 --reset is refused while a server runs on the directory', async () => {
    await whileDev(async () => {
      await command('remember', 'Ann prefers short answers.');
      const { status, error } = await whileDev(undefined, '--reset');
      expect(status).toBe(1);
      expect(error).toContain('in use by another process');
      expect((await command('memory', 'list')).out).toContain('short answers');
    });
  });
});
