/**
 * Packs packages into a project, from where npm, pnpm and yarn install them: core, or those that
 * are named. Usage: `npm run pack -- ../your-project server mcp`.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { publishedPackages, root, withParts } from './package-entries.mjs';

const shell = process.platform === 'win32';

function run(command, words, cwd = root) {
  execFileSync(command, words, { cwd, stdio: ['ignore', 'ignore', 'inherit'], shell });
}

function fail(message) {
  console.error(`agentkeep: ${message}`);
  process.exit(1);
}

const packages = publishedPackages();
const [project, ...names] = process.argv.slice(2);
const all = packages.map(({ folder }) => basename(folder));
if (project === undefined) {
  fail(
    `Name the folder of your project, then the packages if core is not enough: ${all.join(', ')}.`,
  );
}
const wanted = (names.length > 0 ? names : ['core']).map((name) => name.replace('@agentkeep/', ''));
const unknown = wanted.find((name) => !all.includes(name));
if (unknown !== undefined) fail(`There is no package ${unknown}. There are: ${all.join(', ')}.`);
const target = resolve(process.env.INIT_CWD ?? '.', project);

run(process.execPath, [join(root, 'scripts/bootstrap.mjs'), '--declarations', ...wanted]);

/** The archive of a package, and what npm calls it. */
const archiveOf = (name) => `${name.slice(1).replace('/', '-')}.tgz`;
const packedAs = ({ name, version }) => archiveOf(name).replace('.tgz', `-${version}.tgz`);

/** Packages that are not published are found by path, also by those that need them. */
function withPaths(dependencies = {}) {
  const entries = Object.entries(dependencies).map(([name, version]) => {
    const isOurs = packages.some(({ manifest }) => manifest.name === name);
    return [name, isOurs ? `file:${join(target, archiveOf(name))}` : version];
  });
  return Object.fromEntries(entries);
}

/** Leaves out what only the workspace needs. */
function withoutWorkspace(member, value) {
  return ['scripts', 'devDependencies', 'agentkeep-source'].includes(member) ? undefined : value;
}

const scratch = mkdtempSync(join(tmpdir(), 'agentkeep-pack-'));
mkdirSync(target, { recursive: true });
for (const folder of withParts(wanted.map((name) => `packages/${name}`))) {
  const quiet = ['--silent', '--ignore-scripts', '--pack-destination'];
  run('npm', ['pack', ...quiet, scratch], join(root, folder));
  const { manifest } = packages.find((each) => each.folder === folder);
  run('tar', ['-xzf', join(scratch, packedAs(manifest)), '-C', scratch]);
  const written = { ...manifest, dependencies: withPaths(manifest.dependencies) };
  const text = JSON.stringify(written, withoutWorkspace, 2);
  writeFileSync(join(scratch, 'package/package.json'), text);
  run('tar', ['-czf', join(target, archiveOf(manifest.name)), '-C', scratch, 'package']);
  rmSync(join(scratch, 'package'), { recursive: true });
}
rmSync(scratch, { recursive: true });

const files = packages
  .filter(({ folder }) => wanted.includes(basename(folder)))
  .map(({ manifest }) => `./${archiveOf(manifest.name)}`)
  .join(' ');
console.log(`\nPacked into ${project}. Install it there with one of these lines:\n`);
// What pnpm would not run without being asked, and nothing needs: the native parts are prebuilt.
for (const command of ['npm install', 'pnpm add --ignore-scripts', 'yarn add']) {
  console.log(`  ${command} ${files}`);
}
