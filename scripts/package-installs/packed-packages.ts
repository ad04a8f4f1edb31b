/** The published packages as archives, and what is wrong with them. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { archiveName, publishedPackages } from '../package-entries.mjs';
import { packedArchives } from '../packed-archives.mjs';

/** The part of a `package.json` that installing needs. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly [member: string]: unknown;
}

/** A package in an archive. */
export interface PackedPackage {
  /** From the root of the workspace. */
  readonly folder: string;
  readonly archive: string;
  readonly manifest: Manifest;
  /** Paths in the package, sorted. */
  readonly files: readonly string[];
  /** Digest of each file by its path. */
  readonly digests: ReadonlyMap<string, string>;
}

/** A package manager, as a command and its words. */
export type Packer = readonly [command: string, ...words: string[]];

/** Every published package, as npm packs it. */
export function packedByNpm(): PackedPackage[] {
  return [...packedArchives()].map(([folder, archive]) => ({ folder, ...readArchive(archive) }));
}

/** Packs every published package below `target` with pnpm. */
export function packAll(root: string, target: string, packer: Packer): PackedPackage[] {
  const packages = publishedPackages();
  const [command, ...words] = packer;
  const filters = packages.flatMap(({ folder }) => ['--filter', `./${folder}`]);
  output(command, [...words, ...filters, 'pack', '--pack-destination', target], root);
  return packages.map(({ folder, manifest }) => {
    return { folder, ...readArchive(join(target, archiveName(manifest))) };
  });
}

function readArchive(archive: string): Omit<PackedPackage, 'folder'> {
  const scratch = mkdtempSync(join(tmpdir(), 'agentkeep-archive-'));
  try {
    output('tar', ['-xzf', archive, '-C', scratch]);
    const folder = join(scratch, 'package');
    const entries = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    const files = entries.filter((path) => !statSync(join(folder, path)).isDirectory()).sort();
    const digests = new Map(files.map((path) => [path, digestOf(join(folder, path))]));
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
    return { archive, manifest, files, digests };
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

function digestOf(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}

/** What every package has beside its code. */
const PAGES = ['README.md', 'LICENSE', 'CHANGELOG.md'];

/** Sources, tests and maps, which no user of a package needs. */
const OF_NO_USE = /^src\/|\.test\.|\.map$/u;

/** Returns what is wrong with a package in its archive. */
export function packageProblems({ manifest, files }: PackedPackage): string[] {
  const { name } = manifest;
  const missing = [...PAGES, ...targetsOf(manifest)].filter((path) => !files.includes(path));
  const isOpen = JSON.stringify(manifest).includes('"workspace:');
  return [
    ...missing.map((path) => `${name} lacks ${path}.`),
    ...(isOpen ? [`${name} depends on the workspace.`] : []),
    ...(isPublishable(manifest) ? [] : [`${name} is not public with provenance (publishConfig).`]),
    ...files.filter((path) => OF_NO_USE.test(path)).map((path) => `${name} has ${path}.`),
  ];
}

/** A package with a scope is private to its owner unless it says otherwise. */
function isPublishable({ publishConfig }: Manifest): boolean {
  const expected = { access: 'public', provenance: true };
  return JSON.stringify(publishConfig) === JSON.stringify(expected);
}

/** The files that a manifest names as code and declarations. Sources are for the workspace. */
function targetsOf({ exports, bin }: Manifest): string[] {
  const found: string[] = [];
  const visit = (value: unknown): void => {
    if (typeof value === 'string') found.push(value.replace('./', ''));
    else if (typeof value === 'object' && value !== null) {
      for (const [condition, target] of Object.entries(value)) {
        if (condition !== 'agentkeep-source') visit(target);
      }
    }
  };
  visit(exports);
  visit(bin);
  return found;
}

/** Returns how two archives of a package differ. Lifecycle scripts are left out by pnpm. */
export function differences(one: PackedPackage, other: PackedPackage): string[] {
  const { name } = one.manifest;
  const files = [...new Set([...one.files, ...other.files])].filter(
    (path) => !one.files.includes(path) || !other.files.includes(path),
  );
  const changed = one.files.filter(
    (path) => path !== 'package.json' && one.digests.get(path) !== other.digests.get(path),
  );
  const [first, second] = [one, other].map(({ manifest }) =>
    JSON.stringify({ ...manifest, scripts: undefined }),
  );
  return [
    ...files.map((path) => `npm and pnpm differ on ${path} of ${name}.`),
    ...changed
      .filter((path) => !files.includes(path))
      .map((path) => `npm and pnpm pack other text as ${path} of ${name}.`),
    ...(first === second ? [] : [`npm and pnpm write other manifests of ${name}.`]),
  ];
}

/**
 * Runs a command and returns what it prints.
 * @throws {Error} with all that it printed, if it fails.
 */
export function output(
  command: string,
  words: readonly string[],
  cwd?: string,
  env: NodeJS.ProcessEnv = process.env,
): string {
  const ran = spawnSync(command, words, { cwd, env, encoding: 'utf8', maxBuffer: 1e8 });
  if (ran.status === 0) return ran.stdout;
  throw new Error(`${command} ${words.join(' ')} failed:\n${ran.stdout}\n${ran.stderr}`);
}
