/**
 * A package registry on this machine: our packages as they are packed, and what they depend on as
 * it is installed in the workspace. So package managers install from it without a network.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Manifest } from './packed-packages.ts';

/** One version of a package. */
interface Held {
  readonly manifest: Manifest;
  /** Returns the path of its archive. */
  readonly archive: () => string;
}

/** More than any package unpacked. */
const ARCHIVE_BYTES_MAX = 1e9;

/** A registry that listens. */
export interface LocalRegistry extends AsyncDisposable {
  readonly url: string;
}

/** Starts a registry. Archives are made in `scratch` when they are asked for. */
export async function startRegistry(
  root: string,
  scratch: string,
  ours: readonly { readonly manifest: Manifest; readonly archive: string }[],
): Promise<LocalRegistry> {
  const own = new Map(ours.map((each) => [each.manifest.name, each]));
  const held = (name: string): Held[] => {
    const packed = own.get(name);
    if (name === 'node-gyp') return [emptyPackage(scratch, name)];
    if (packed === undefined) return installedVersions(root, scratch, name);
    return [{ manifest: packed.manifest, archive: () => packed.archive }];
  };
  // Archives are made while other connections wait, for longer than a server usually lets them.
  const patience = { keepAliveTimeout: 0, headersTimeout: 0, requestTimeout: 0 };
  const server = createServer(patience, (request, response) => {
    answer(request, response, held);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    [Symbol.asyncDispose]: () => closed(server),
  };
}

/** Answers `/name` with what there is of a package, and `/name/-/version.tgz` with an archive. */
function answer(
  { url = '/', headers }: IncomingMessage,
  response: ServerResponse,
  held: (name: string) => Held[],
): void {
  const [name = '', version] = decodeURIComponent(url.slice(1)).split('/-/');
  const versions = held(name);
  const wanted = versions.find(({ manifest }) => `${manifest.version}.tgz` === version);
  if (wanted !== undefined) {
    response.end(readFileSync(wanted.archive()));
    return;
  }
  if (versions.length === 0 || version !== undefined) {
    response.writeHead(404).end('{}');
    return;
  }
  const base = `http://${headers.host ?? ''}/${encodeURIComponent(name)}/-/`;
  const entries = versions.map(({ manifest, archive }) => {
    // Yarn 1 installs nothing without a digest.
    const shasum = createHash('sha1').update(readFileSync(archive())).digest('hex');
    const dist = { tarball: `${base}${manifest.version}.tgz`, shasum };
    const optionalDependencies = optional(manifest).filter(([each]) => held(each).length > 0);
    return [
      manifest.version,
      { ...manifest, optionalDependencies: Object.fromEntries(optionalDependencies), dist },
    ] as const;
  });
  const latest = entries.at(-1)?.[0];
  const body = { name, versions: Object.fromEntries(entries), 'dist-tags': { latest } };
  response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}

/** Parts for other platforms are optional, and not in the store; yarn insists that they exist. */
function optional({ optionalDependencies }: Manifest): [name: string, range: unknown][] {
  return Object.entries(optionalDependencies ?? {});
}

/** The versions of a package in the store of the workspace. */
function installedVersions(root: string, scratch: string, name: string): Held[] {
  const store = join(root, 'node_modules/.pnpm');
  const start = `${name.replace('/', '+')}@`;
  const byVersion = new Map<string, Held>();
  for (const entry of readdirSync(store).filter((each) => each.startsWith(start))) {
    const folder = join(store, entry, 'node_modules', name);
    if (!existsSync(join(folder, 'package.json'))) continue;
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
    byVersion.set(manifest.version, { manifest, archive: () => archived(folder, scratch, entry) });
  }
  return [...byVersion.values()];
}

/** Yarn 4 wants node-gyp beside packages whose scripts name it, though it runs no scripts here. */
function emptyPackage(scratch: string, name: string): Held {
  const folder = join(scratch, 'empty', name);
  const manifest = { name, version: '1.0.0' };
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  return { manifest, archive: () => archived(folder, scratch, `${name}@empty`) };
}

function archived(folder: string, scratch: string, entry: string): string {
  const archive = join(scratch, `${entry}.tgz`);
  if (existsSync(archive)) return archive;
  const name = basename(folder);
  // Files may be links here, and the commands in the store lead to other folders of the store.
  const follow = process.platform === 'linux' ? ['-h', '--hard-dereference'] : ['-h'];
  const words = [
    '-c',
    ...follow,
    `--exclude=${name}/node_modules/.bin`,
    '-C',
    dirname(folder),
    name,
  ];
  const { status, stdout } = spawnSync('tar', words, { maxBuffer: ARCHIVE_BYTES_MAX });
  if (status !== 0) throw new Error(`${entry} could not be packed.`);
  writeFileSync(archive, gzipSync(stdout, { level: 1 }));
  return archive;
}

async function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise<void>((resolve) => {
    server.close(() => {
      resolve();
    });
  });
}
