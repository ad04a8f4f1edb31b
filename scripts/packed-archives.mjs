/**
 * The archives that npm packs of the published packages, made once for all checks of them.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { archiveName, publishedPackages, root } from './package-entries.mjs';

const cache = join(root, '.cache/packed');

/** What npm packs of every package, whatever its manifest names. */
const always = ['package.json', 'README.md', 'LICENSE', 'CHANGELOG.md'];

/**
 * Packs each published package unless what it packs is as it was.
 *
 * @returns {Map<string, string>} path of the archive by the folder of the package from the root
 */
export function packedArchives() {
  run(process.execPath, [join(root, 'scripts/bootstrap.mjs'), '--declarations']);
  mkdirSync(cache, { recursive: true });
  const packages = publishedPackages().map((each) => ({ ...each, digest: digestOf(each) }));
  const changed = packages.filter((each) => !isPacked(each));
  if (changed.length > 0) pack(changed);
  return new Map(packages.map(({ name, folder }) => [folder, archiveOf(name)]));
}

function archiveOf(name) {
  return join(cache, `${name}.tgz`);
}

function stampOf(name) {
  return join(cache, `${name}.digest`);
}

function isPacked({ name, digest }) {
  if (!existsSync(archiveOf(name)) || !existsSync(stampOf(name))) return false;
  return readFileSync(stampOf(name), 'utf8') === digest;
}

/**
 * Packs copies without `node_modules`, which npm would read whole for each package. Two checks may
 * do so at once.
 */
function pack(packages) {
  const scratch = join(cache, `new-${process.pid}`);
  rmSync(scratch, { recursive: true, force: true });
  for (const { name, folder } of packages) {
    const place = join(root, folder);
    const isOwn = (path) => path !== join(place, 'node_modules');
    cpSync(place, join(scratch, name), { recursive: true, filter: isOwn });
  }
  // The script before packing builds, which is done.
  const words = ['pack', '--silent', '--ignore-scripts', '--pack-destination', scratch];
  run('npm', [...words, ...packages.map(({ name }) => `./${name}`)], scratch);
  for (const { name, manifest, digest } of packages) {
    renameSync(join(scratch, archiveName(manifest)), archiveOf(name));
    writeFileSync(stampOf(name), digest);
  }
  rmSync(scratch, { recursive: true });
}

function digestOf({ folder, manifest: { files = [] } }) {
  const hash = createHash('sha256');
  const add = (path) => {
    if (!existsSync(path)) return;
    if (statSync(path).isDirectory()) {
      for (const each of readdirSync(path).sort()) add(join(path, each));
      return;
    }
    const content = readFileSync(path);
    hash.update(`${path}\0${content.length}\0`).update(content);
  };
  for (const path of [...always, ...files]) add(join(root, folder, path));
  return hash.digest('hex');
}

function run(command, words, cwd = root) {
  const shell = process.platform === 'win32';
  const { status } = spawnSync(command, words, {
    cwd,
    shell,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) throw new Error(`${command} ${words.join(' ')} failed in ${cwd}.`);
}
