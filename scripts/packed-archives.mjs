/**
 * The archives that npm packs of the published packages, made once for all checks of them.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
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
import { publishedPackages, root } from './package-entries.mjs';

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
  return new Map(publishedPackages().map((each) => [each.folder, archiveOf(each)]));
}

function archiveOf({ name, folder, manifest }) {
  const archive = join(cache, `${name}.tgz`);
  const stamp = join(cache, `${name}.digest`);
  const digest = digestOf(folder, manifest);
  if (existsSync(archive) && existsSync(stamp) && readFileSync(stamp, 'utf8') === digest) {
    return archive;
  }
  const scratch = join(cache, `${name}.new`);
  rmSync(scratch, { recursive: true, force: true });
  mkdirSync(scratch);
  // The script before packing builds, which is done.
  const words = ['pack', '--silent', '--ignore-scripts', '--pack-destination', scratch];
  run('npm', words, join(root, folder));
  const [file] = readdirSync(scratch);
  if (file === undefined) throw new Error(`Nothing was packed of ${folder}.`);
  renameSync(join(scratch, file), archive);
  rmSync(scratch, { recursive: true });
  writeFileSync(stamp, digest);
  return archive;
}

function digestOf(folder, { files = [] }) {
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
