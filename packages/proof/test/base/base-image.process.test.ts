/** The base of an image that is made from Debian's packages: what it holds, and that it runs. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { CannotRunHereError } from '../../src/proof.js';
import { wherePossible } from '../where-possible.js';

const run = promisify(execFile);
const script = join(import.meta.dirname, '../../../server/deploy/debian/make-base.sh');

/** With the app, which has a bound of its own in image.process.test.ts, an image has 150 MB. */
const BASE_BYTES_MAX = 117_000_000;

/** What a program in the base says about itself. */
const PROGRAM = `
  const { rootCertificates } = require('node:tls');
  const zone = new Intl.DateTimeFormat('de', { timeZone: 'Asia/Tokyo', timeStyle: 'short' });
  console.log(JSON.stringify({
    major: process.versions.node.split('.')[0],
    certificates: rootCertificates.length > 100,
    tokyo: zone.format(0),
  }));
`;

/** A line of `tar`. */
interface Entry {
  readonly mode: string;
  readonly owner: string;
  readonly bytes: number;
  readonly path: string;
}

async function makeRuntime(file: string): Promise<void> {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  for (const program of ['mmdebstrap', 'strip', 'npm']) {
    if (folders.some((folder) => existsSync(join(folder, program)))) continue;
    const install = 'apt-get install mmdebstrap binutils npm';
    throw new CannotRunHereError(`${program} not found; on Debian: ${install}.`);
  }
  await run('sh', [script, 'runtime', file]);
}

async function entriesOf(file: string): Promise<readonly Entry[]> {
  const { stdout } = await run('tar', ['--numeric-owner', '-tvf', file], { maxBuffer: 10_000_000 });
  return stdout
    .trim()
    .split('\n')
    .map((line) => {
      const [mode = '', owner = '', bytes = '', , , path = ''] = line.split(/ +/u);
      // Devices have two numbers there.
      return { mode, owner, bytes: mode.startsWith('-') ? Number(bytes) : 0, path };
    });
}

test('a base from Debian has Node.js, its libraries and licences, and no shell', async (context) => {
  const home = await mkdtemp(join(tmpdir(), 'agentkeep-base-'));
  try {
    const file = join(home, 'runtime.tar');
    await wherePossible(context, () => makeRuntime(file));
    const entries = await entriesOf(file);
    const bytes = entries.reduce((sum, each) => sum + each.bytes, 0);
    expect(bytes).toBeGreaterThan(100_000_000);
    expect(bytes).toBeLessThan(BASE_BYTES_MAX);
    const programs = entries.filter(
      ({ mode, path }) => !mode.startsWith('d') && /\bs?bin\//u.test(path),
    );
    expect(programs.map(({ mode, path }) => `${mode} ${path}`)).toEqual([
      '-rwxr-xr-x ./usr/bin/node',
    ]);
    expect(entries.find(({ path }) => path === './home/node/')?.owner).toBe('1000/1000');

    const root = join(home, 'root');
    await mkdir(root);
    await run('tar', ['-xf', file, '--exclude', './dev/*', '-C', root]);
    const packages = entries.flatMap(({ path }) => /status\.d\/(.+)$/u.exec(path)?.[1] ?? []);
    expect(packages).toEqual(
      expect.arrayContaining(['base-files', 'libc6', 'libgcc-s1', 'libstdc++6']),
    );
    for (const name of [...packages, 'node']) {
      expect(existsSync(join(root, 'usr/share/doc', name, 'copyright')), name).toBe(true);
    }

    const isRoot = process.getuid?.() === 0;
    const words = isRoot ? ['--userspec=1000:1000'] : ['--map-root-user', 'chroot'];
    const started = [...words, root, '/usr/bin/node', '--eval', PROGRAM];
    const { stdout } = await run(isRoot ? 'chroot' : 'unshare', started, {
      env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' },
    });
    expect(JSON.parse(stdout)).toEqual({ major: '24', certificates: true, tokyo: '09:00' });
  } finally {
    await rm(home, { recursive: true });
  }
});
