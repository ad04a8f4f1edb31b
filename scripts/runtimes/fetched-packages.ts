/**
 * Programs that come as npm packages: versions of Node.js and other runtimes. They are large, so
 * they are fetched into `.cache/runtimes` when they are asked for, and stay there.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { output } from '../package-installs/packed-packages.ts';

const root = join(import.meta.dirname, '../..');

/** A package that is there. */
export interface FetchedPackage {
  readonly folder: string;
  readonly version: string;
}

/** Refuses a machine that these packages are not made for. */
export function requireLinux(): void {
  if (process.platform === 'linux' && process.arch === 'x64') return;
  const here = `${process.platform} on ${process.arch}`;
  throw new Error(`Runtimes are fetched for Linux on x64 only; this is ${here}.`);
}

/**
 * Returns a package of the registry, from the cache if it is there.
 * @throws {Error} with what npm says, if the registry has no such version.
 */
export function fetchPackage(name: string, wanted: string): FetchedPackage {
  const home = join(root, '.cache/runtimes', `${name.replaceAll('/', '+')}@${wanted}`);
  const folder = join(home, 'node_modules', name);
  const done = join(home, 'done');
  if (!existsSync(done)) {
    rmSync(home, { recursive: true, force: true });
    mkdirSync(home, { recursive: true });
    writeFileSync(join(home, 'package.json'), '{ "private": true }');
    const words = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    output('npm', ['install', ...words, `${name}@${wanted}`], home);
    writeFileSync(done, '');
  }
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    version: string;
  };
  return { folder, version: manifest.version };
}
