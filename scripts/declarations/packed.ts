/**
 * The packages as their users install them.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { packedArchives } from '../packed-archives.mjs';

interface Manifest {
  readonly name: string;
  readonly exports: Record<string, unknown>;
  readonly peerDependencies?: Record<string, string>;
}

/** What programs can import. */
export interface Entry {
  readonly path: string;
  /** Whether its package plugs into a framework, which brings types of its own. */
  readonly isAdapter: boolean;
}

/**
 * Unpacks what npm packs of the published packages below `folder`, beside the types of Node.js and
 * the frameworks that adapters plug into. Gives what programs can import.
 */
export function unpackInto(folder: string, root: string): Entry[] {
  rmSync(folder, { recursive: true, force: true });
  const installed = join(folder, 'node_modules');
  mkdirSync(join(installed, '@types'), { recursive: true });
  symlinkSync(join(root, 'node_modules/@types/node'), join(installed, '@types/node'), 'dir');
  return [...packedArchives()].flatMap(([place, archive]) => {
    const source = join(root, place);
    const text = readFileSync(join(source, 'package.json'), 'utf8');
    const manifest = JSON.parse(text) as Manifest;
    unpack(archive, join(installed, manifest.name));
    linkPeers(source, installed, manifest);
    return entriesOf(manifest);
  });
}

/** Links the frameworks that an adapter leaves to its users. */
function linkPeers(source: string, installed: string, manifest: Manifest): void {
  for (const name of peersOf(manifest)) {
    const target = join(installed, name);
    if (existsSync(target)) continue;
    mkdirSync(dirname(target), { recursive: true });
    symlinkSync(join(source, 'node_modules', name), target, 'dir');
  }
}

function peersOf({ peerDependencies = {} }: Manifest): string[] {
  return Object.keys(peerDependencies).filter((name) => !name.startsWith('@agentkeep/'));
}

function entriesOf(manifest: Manifest): Entry[] {
  const { name, exports } = manifest;
  const paths = Object.keys(exports).filter((path) => typeof exports[path] === 'object');
  const isAdapter = peersOf(manifest).length > 0;
  return paths.map((path) => ({ path: name + path.slice(1), isAdapter }));
}

function unpack(archive: string, target: string): void {
  mkdirSync(target, { recursive: true });
  const words = ['-xzf', archive, '--strip-components=1', '-C', target];
  const { status } = spawnSync('tar', words, { stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) throw new Error(`${archive} can't be unpacked.`);
}
