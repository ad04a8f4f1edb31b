/**
 * The image of a server, as far as it can be tried without a container engine: the steps of its
 * Dockerfile run in plain directories, and the server runs in the result as the user of the image.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@agentkeep/testkit/free-port';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildImage, type Image } from './dockerfile.js';

const repository = join(import.meta.dirname, '../../../..');
const dockerfile = join(repository, 'packages/server/deploy/Dockerfile');

/** With Node.js and Debian's C libraries, which take 117 MB at most, an image has 150 MB. */
const APP_BYTES_MAX = 33_000_000;

/** What the test reads of a bill of materials in CycloneDX. */
interface Bill {
  readonly bomFormat: string;
  readonly components: readonly {
    readonly group?: string;
    readonly name: string;
    readonly version: string;
    readonly licenses?: readonly unknown[];
  }[];
}

let into: string;
let image: Image;
beforeAll(() => {
  into = mkdtempSync(join(tmpdir(), 'agentkeep-image-'));
  // The user of the image has to reach it.
  chmodSync(into, 0o755);
  image = buildImage({ dockerfile, context: repository, into });
});
afterAll(() => {
  rmSync(into, { recursive: true, force: true });
});

/** Paths of the image instead of absolute ones, and the Node.js of the test. */
function located(text: string): string {
  if (text === 'node') return process.execPath;
  return text.startsWith('/') ? join(image.root, text) : text;
}

const setting = (word: string): string => image.settings.get(word) ?? '';
const words = (text: string): string[] => JSON.parse(text.slice(text.indexOf('['))) as string[];

/** What a container of the image runs with; nothing else of the environment is there. */
function runtimeOf(port: number) {
  const own = Object.entries(image.environment).map(([name, value]) => [name, located(value)]);
  const [uid, gid] = setting('USER').split(':').map(Number);
  const isRoot = process.getuid?.() === 0;
  return {
    cwd: located(setting('WORKDIR') || '/'),
    env: {
      ...(Object.fromEntries(own) as Record<string, string>),
      // A read-only root has no writable home and no writable folder for temporary files.
      ...{ HOME: '/nonexistent', TMPDIR: '/nonexistent', AGENTKEEP_PORT: String(port) },
      // Loads an optional package of the image.
      AGENTKEEP_MCP: 'true',
    },
    ...(isRoot ? { uid: uid!, gid: gid! } : {}),
  };
}

/** Starts the command of the image. */
function start(port: number): ChildProcess {
  const [command = '', ...rest] = [...words(setting('ENTRYPOINT')), ...words(setting('CMD'))];
  const runtime = runtimeOf(port);
  return spawn(located(command), rest.map(located), { ...runtime, stdio: 'pipe' });
}

async function listening(child: ChildProcess): Promise<string> {
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  child.stdout?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  while (!said.includes('"listening"')) {
    await Promise.race([once(child.stdout!, 'data'), once(child, 'exit')]);
    if (child.exitCode !== null) throw new Error(`It ended: ${said}`);
  }
  return said;
}

function healthStatus(port: number): number | null {
  const [command = '', ...rest] = words(setting('HEALTHCHECK'));
  return spawnSync(located(command), rest.map(located), runtimeOf(port)).status;
}

async function stopped(child: ChildProcess): Promise<number | null> {
  const ended = once(child, 'exit');
  child.kill(setting('STOPSIGNAL') as NodeJS.Signals);
  await ended;
  return child.exitCode;
}

/** Every file outside the volume, with what a write would change. */
function filesOutsideTheVolume(folder = image.root): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (path === located(volume())) return [];
    if (entry.isDirectory()) return filesOutsideTheVolume(path);
    if (!entry.isFile()) return [path];
    const { size, mtimeMs } = statSync(path);
    return [`${path} ${size} ${mtimeMs}`];
  });
}

function filesBelow(folder: string): { readonly path: string; readonly size: number }[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true }).flatMap((entry) => {
    const path = join(entry.parentPath, entry.name);
    return entry.isFile() ? [{ path, size: statSync(path).size }] : [];
  });
}

const volume = (): string => words(setting('VOLUME'))[0] ?? '';

describe('the image', () => {
  test('is not root, has one volume, a health check and a signal to stop', () => {
    expect(setting('USER')).toMatch(/^[1-9]\d*:[1-9]\d*$/);
    expect(words(setting('VOLUME'))).toEqual(['/var/lib/agentkeep']);
    expect(image.environment['AGENTKEEP_DATA_DIR']).toBe(volume());
    expect(setting('STOPSIGNAL')).toBe('SIGTERM');
    expect(image.words.filter((word) => word === 'HEALTHCHECK')).toHaveLength(1);
  });

  test('holds what running needs, and neither tools nor sources', () => {
    const app = located('/app');
    for (const name of ['core', 'postgres', 'server']) {
      expect(readdirSync(join(app, 'packages', name)).sort()).toEqual(
        expect.arrayContaining(['dist', 'package.json']),
      );
      expect(existsSync(join(app, 'packages', name, 'src'))).toBe(false);
    }
    const installed = readdirSync(join(app, 'node_modules/.pnpm'));
    const has = (name: string): boolean => installed.some((each) => each.startsWith(`${name}@`));
    for (const name of ['lmdb', 'jose', 'hono', 'pg', 'prom-client']) {
      expect(has(name), name).toBe(true);
    }
    for (const name of ['typescript', 'vitest', 'oxlint', 'fast-check', 'esbuild']) {
      expect(has(name), name).toBe(false);
    }
  });

  test('holds nothing that Node.js never loads, and takes little room', () => {
    const files = filesBelow(located('/app'));
    const unused = files.filter(({ path }) => /\.(?:map|[cm]?ts|c|cpp|h|musl\.node)$/u.test(path));
    expect(unused.map(({ path }) => path)).toEqual([]);
    const bytes = files.reduce((sum, { size }) => sum + size, 0);
    expect(bytes).toBeLessThan(APP_BYTES_MAX);
  });

  test('names its packages in a bill of materials, each with its licence', () => {
    const text = readFileSync(located('/app/sbom.cdx.json'), 'utf8');
    const { bomFormat, components } = JSON.parse(text) as Bill;
    expect(bomFormat).toBe('CycloneDX');
    const named = components.map(({ group, name, version }) => {
      const scope = group === undefined ? '' : `${group}+`;
      return `${scope}${name}@${version}`;
    });
    const folders = readdirSync(located('/app/node_modules/.pnpm'));
    const installed = folders
      .filter((each) => each.includes('@'))
      .map((each) => each.split('_')[0]!);
    expect(installed.length).toBeGreaterThan(50);
    expect(named).toEqual(expect.arrayContaining(installed));
    const unlicensed = components.filter(({ licenses = [] }) => licenses.length === 0);
    expect(unlicensed.map(({ name }) => name)).toEqual([]);
  });

  test('uses the package manager that wrote the lockfile', () => {
    const pinned = /pnpmVersion = '([^']+)'/.exec(
      readFileSync(join(repository, 'scripts/bootstrap.mjs'), 'utf8'),
    );
    expect(readFileSync(dockerfile, 'utf8')).toContain(`pnpm@${pinned?.[1] ?? '?'} `);
  });

  test('serves, is healthy, stops, and writes to its volume only', async () => {
    const before = filesOutsideTheVolume();
    const port = await freePort();
    const server = start(port);
    await listening(server);
    const health = await fetch(`http://127.0.0.1:${port}/readyz`);
    expect(health.status).toBe(200);
    expect(healthStatus(port)).toBe(0);
    expect(await stopped(server)).toBe(0);
    expect(healthStatus(port)).toBe(1);
    expect(filesOutsideTheVolume()).toEqual(before);
    expect(readdirSync(located(volume()))).toEqual(expect.arrayContaining(['data.mdb', 'audit']));
  });

  test('keeps its volume over a start, and finds the package for a database', async () => {
    const port = await freePort();
    const server = start(port);
    await listening(server);
    expect(await stopped(server)).toBe(0);
    const command = words(setting('ENTRYPOINT')).map(located);
    const { env, ...runtime } = runtimeOf(port);
    const { stderr } = spawnSync(command[0]!, [...command.slice(1), 'serve'], {
      ...runtime,
      env: { ...env, AGENTKEEP_STORE_URL: 'postgres://keep@127.0.0.1:1/keep' },
      encoding: 'utf8',
    });
    expect(stderr).not.toContain('npm install');
    expect(stderr).toContain('The database is unreachable');
  });
});
