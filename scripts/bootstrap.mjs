/**
 * Brings a fresh clone to a state in which everything runs: packages installed, bundles built. With
 * `--declarations` also the types of the packages, which only their users need; with the name of a
 * folder in `packages` after it, those of this one.
 *
 * Needs only Node and npm. Does nothing, quickly, when nothing changed since the last run.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { buildFingerprint, installFingerprint } from './fingerprint.mjs';
import { publishedPackages, withParts } from './package-entries.mjs';

/** The package manager that wrote the lockfile. */
const pnpmVersion = '12.21.0';

/**
 * What some packages that tests compare with want is Node.js 22; here they run on 20 too, so the
 * warnings of the installation would only puzzle.
 */
const quiet = Number.parseInt(process.versions.node, 10) < 22 ? ['--loglevel=error'] : [];
const oldestNode = [20, 19];

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const cache = join(root, '.cache');
const stampFile = join(cache, 'bootstrap.json');
const lock = join(cache, 'bootstrap.lock');

function fail(message) {
  console.error(`agentkeep: ${message}`);
  process.exit(1);
}

function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const [oldestMajor, oldestMinor] = oldestNode;
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return;
  fail(
    `Node ${oldestNode.join('.')} or newer is needed, this is ${process.versions.node}.` +
      ' Install a newer Node, then run the same command again.',
  );
}

function npmCommand() {
  const candidates = [
    process.env.npm_execpath,
    join(dirname(process.execPath), '../lib/node_modules/npm/bin/npm-cli.js'),
    join(dirname(process.execPath), 'node_modules/npm/bin/npm-cli.js'),
  ];
  const cli = candidates.find(
    (path) => path && basename(path) === 'npm-cli.js' && existsSync(path),
  );
  return cli ? [process.execPath, cli] : ['npm'];
}

/** The shell is needed on Windows only, where commands on the PATH are scripts. */
const shell = process.platform === 'win32';

function pnpmCommand() {
  const probe = spawnSync('pnpm', ['--version'], { cwd: root, encoding: 'utf8', shell });
  if (probe.status === 0 && probe.stdout.trim() === pnpmVersion) return ['pnpm'];
  return [...npmCommand(), 'exec', '--yes', `--package=pnpm@${pnpmVersion}`, '--', 'pnpm'];
}

function run(what, [command, ...args], env = process.env) {
  const startedMs = Date.now();
  console.error(`agentkeep: ${what} …`);
  const useShell = shell && command !== process.execPath;
  const result = spawnSync(command, args, { cwd: root, stdio: 'inherit', shell: useShell, env });
  if (result.error) fail(`${what} could not start: ${result.error.message}`);
  if (result.status !== 0) fail(`${what} failed; the reason stands above.`);
  console.error(`agentkeep: ${what} took ${((Date.now() - startedMs) / 1000).toFixed(1)} s`);
}

function readStamp() {
  try {
    return JSON.parse(readFileSync(stampFile, 'utf8'));
  } catch {
    return {};
  }
}

function writeStamp(stamp) {
  writeFileSync(stampFile, `${JSON.stringify(stamp)}\n`);
}

function install(stamp) {
  const install = installFingerprint(root);
  if (stamp.install === install && existsSync(join(root, 'node_modules/.modules.yaml'))) return;
  // CI mode asks nothing, not even whether an old node_modules may be replaced.
  const env = { ...process.env, CI: 'true' };
  run('installing packages', [...pnpmCommand(), 'install', '--frozen-lockfile', ...quiet], env);
  writeStamp({ ...readStamp(), install });
}

/** What a build must leave, besides the rest. */
const bundles = [
  'packages/core/dist/index.js',
  'packages/client/dist/index.js',
  'packages/server/dist/cli.js',
  'packages/server/dist/console/index.html',
  'packages/server/dist/reference-page/index.html',
];

/** Bundles everything, unless it was made from what there is now. */
function bundle(fingerprint) {
  const isThere = bundles.every((path) => existsSync(join(root, path)));
  if (readStamp().bundles === fingerprint && isThere) return;
  run('building bundles', [process.execPath, join(root, 'node_modules/tsup/dist/cli-default.js')]);
  // It empties the folders that declarations are in.
  writeStamp({ ...readStamp(), bundles: fingerprint, declarations: [] });
}

/** Builds the declarations of packages and their parts, but for those that are there. */
function declare(folders) {
  const { declarations } = readStamp();
  const missing = withParts(folders).filter((folder) => !declarations.includes(folder));
  if (missing.length === 0) return;
  const script = join(root, 'scripts/declarations/build.ts');
  run('building declarations', [process.execPath, '--import', 'tsx', script, ...missing]);
  writeStamp({ ...readStamp(), declarations: [...declarations, ...missing] });
}

function isAlive(processId) {
  try {
    return process.kill(processId, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** A process number may be taken again after a crash, so an old lock counts for nothing. */
const lockAgeMsMax = 5 * 60_000;

function isLockHeld() {
  try {
    const holder = Number(readFileSync(lock, 'utf8'));
    if (Date.now() - statSync(lock).mtimeMs > lockAgeMsMax) return false;
    return holder === 0 || (holder !== process.pid && isAlive(holder));
  } catch {
    return false;
  }
}

function tryLock() {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

/** Two runs at once would build into the same folder, so the second one waits. */
async function takeLock() {
  mkdirSync(cache, { recursive: true });
  for (let isTold = false; !tryLock(); isTold = true) {
    if (!isLockHeld()) {
      rmSync(lock, { force: true });
      continue;
    }
    if (!isTold) console.error('agentkeep: waiting for another setup to finish …');
    await pause(100);
  }
  process.once('exit', () => rmSync(lock, { force: true }));
  process.once('SIGINT', () => process.exit(130));
}

checkNode();
await takeLock();
install(readStamp());
bundle(buildFingerprint(root));
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { declarations: { type: 'boolean' } },
});
if (values.declarations) {
  const named = positionals.map((name) => `packages/${name}`);
  declare(named.length > 0 ? named : publishedPackages().map(({ folder }) => folder));
}
