/**
 * Packs every published package with npm and pnpm, installs the archives with npm as a new user
 * would, and tries them in several kinds of projects. No network is needed: a registry on this
 * machine has what the workspace has.
 */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startRegistry } from './local-registry.ts';
import { differences, output, packAll, packageProblems, type Packer } from './packed-packages.ts';
import { type Project, projects } from './projects.ts';

const root = join(import.meta.dirname, '../..');
const scratch = mkdtempSync(join(tmpdir(), 'agentkeep-packages-'));
const home = join(scratch, 'home');

/** The pnpm that the workspace is installed with. */
function pnpm(): Packer {
  const bootstrap = readFileSync(join(root, 'scripts/bootstrap.mjs'), 'utf8');
  const version = /pnpmVersion = '(?<version>[\d.]+)'/u.exec(bootstrap)?.groups?.['version'];
  return ['npm', 'exec', '--yes', `--package=pnpm@${version ?? ''}`, '--', 'pnpm'];
}

/** Installs packages from a registry into the folder that all projects are in. */
async function install(registry: string, names: readonly string[]): Promise<void> {
  mkdirSync(home);
  writeFileSync(join(home, 'package.json'), '{ "private": true }');
  const env = {
    PATH: process.env['PATH'],
    HOME: home,
    npm_config_registry: registry,
    npm_config_cache: join(scratch, 'cache'),
  };
  const words = ['--ignore-scripts', '--no-audit', '--no-fund', '--fetch-retries=0'];
  await promisify(execFile)('npm', ['install', ...words, ...names], { cwd: home, env });
  mkdirSync(join(home, 'node_modules/@types'), { recursive: true });
  symlinkSync(
    join(root, 'node_modules/@types/node'),
    join(home, 'node_modules/@types/node'),
    'dir',
  );
}

/** Tries a project; returns what is wrong. */
function tryProject({ name, files, commands }: Project): string[] {
  const folder = join(home, name);
  mkdirSync(folder);
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
  const tools = {
    node: [],
    tsc: [join(root, 'node_modules/typescript/bin/tsc')],
    esbuild: [join(root, 'node_modules/esbuild/bin/esbuild')],
  };
  try {
    for (const [tool, ...words] of commands) {
      output(process.execPath, [...tools[tool], ...words], folder);
    }
    return [];
  } catch (error) {
    return [`${name}: ${(error as Error).message}`];
  }
}

/** Every package has the licence of the workspace. */
function licenceProblems(folder: string): string[] {
  const [own, ours] = [join(root, folder, 'LICENSE'), join(root, 'LICENSE')];
  const isSame = readFileSync(own, 'utf8') === readFileSync(ours, 'utf8');
  return isSame ? [] : [`${folder}/LICENSE is not the one of the workspace.`];
}

const problems: string[] = [];
try {
  const packed = packAll(root, join(scratch, 'npm'), ['npm', '--silent']);
  const again = packAll(root, join(scratch, 'pnpm'), pnpm());
  problems.push(...packed.flatMap(packageProblems));
  problems.push(...packed.flatMap(({ folder }) => licenceProblems(folder)));
  for (const [index, one] of packed.entries()) {
    const other = again[index];
    if (other !== undefined) problems.push(...differences(one, other));
  }
  await using registry = await startRegistry(root, scratch, packed);
  await install(
    registry.url,
    packed.map(({ manifest }) => manifest.name),
  );
  problems.push(...projects.flatMap(tryProject));
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
for (const problem of problems) console.error(problem);
console.log(`packages: ${projects.length} projects, ${problems.length} problems`);
if (problems.length > 0) process.exitCode = 1;
