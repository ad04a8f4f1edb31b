/**
 * The packages as their users install them.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';

interface Manifest {
  readonly name: string;
  readonly private?: boolean;
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
 * Packs what is published, and unpacks it below `folder`, beside the types of Node.js and the
 * frameworks that adapters plug into. Gives what programs can import.
 */
export function unpackInto(folder: string, root: string): Entry[] {
  rmSync(folder, { recursive: true, force: true });
  const installed = join(folder, 'node_modules');
  mkdirSync(join(installed, '@types'), { recursive: true });
  symlinkSync(join(root, 'node_modules/@types/node'), join(installed, '@types/node'), 'dir');
  const packages = readdirSync(join(root, 'packages'))
    .map((each) => join(root, 'packages', each))
    .filter((each) => existsSync(join(each, 'package.json')));
  return packages.flatMap((source) => {
    const text = readFileSync(join(source, 'package.json'), 'utf8');
    const manifest = JSON.parse(text) as Manifest;
    if (manifest.private === true) return [];
    unpack(source, join(installed, manifest.name), folder);
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

function unpack(source: string, target: string, scratch: string): void {
  run('npm', ['pack', '--silent', '--pack-destination', scratch], source);
  const [archive] = readdirSync(scratch).filter((name) => name.endsWith('.tgz'));
  if (archive === undefined) throw new Error(`Nothing was packed of ${source}.`);
  mkdirSync(target, { recursive: true });
  run('tar', ['-xzf', join(scratch, archive), '--strip-components=1', '-C', target], scratch);
  rmSync(join(scratch, archive));
}

function run(command: string, args: readonly string[], cwd: string): void {
  const { status } = spawnSync(command, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed in ${cwd}.`);
}
