/** The peers that Agentkeep is compared with, installed from the package registry when needed. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

const folder = fileURLToPath(new URL('./peers/', import.meta.url));
const requirePeer = createRequire(new URL('./peers/package.json', import.meta.url));

/** What an installation has: the package that is built last, and those that were added last. */
const INSTALLED = [
  'better-sqlite3/build/Release/better_sqlite3.node',
  '@orama/orama',
  '@orama/stopwords',
  'minisearch',
];

/**
 * Installs the peers, unless they are installed. One of them is compiled where it has no prebuilt
 * binary, which takes minutes.
 */
export function installPeers(): void {
  if (INSTALLED.every((each) => existsSync(`${folder}node_modules/${each}`))) return;
  console.error('Installing the peers of the comparison. This can take some minutes.');
  const quiet = ['--no-audit', '--no-fund', '--no-package-lock', '--legacy-peer-deps'];
  const { status } = spawnSync('npm', ['install', ...quiet], { cwd: folder, stdio: 'inherit' });
  if (status !== 0) throw new Error('The peers of the comparison could not be installed.');
}

/** Imports a module of a peer. `T` states the part that the comparison uses. */
export async function importPeer<T>(name: string): Promise<T> {
  return (await import(pathToFileURL(requirePeer.resolve(name)).href)) as T;
}

/** Returns the path of the entry of a peer that runs as a program. */
export function peerProgram(name: string, file: string): string {
  return `${folder}node_modules/${name}/${file}`;
}
