/**
 * Digests of what an installation and a build depend on, to tell whether either is stale.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const testFile = /\.test(?:-d)?\.ts$/;

function filesUnder(root, folder) {
  const found = [];
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    if (entry.name === 'node_modules') continue;
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) found.push(...filesUnder(root, path));
    else if (!testFile.test(entry.name)) found.push(path);
  }
  return found;
}

function foldersIn(root, folder) {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => `${folder}/${entry.name}`);
}

function digest(root, paths) {
  const hash = createHash('sha256');
  for (const path of paths.sort()) {
    const full = join(root, path);
    if (!existsSync(full)) continue;
    const content = readFileSync(full);
    hash.update(`${path}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

const installInputs = ['package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml'];

/**
 * Digest of everything that decides what is installed.
 *
 * @param {string} root folder of the workspace
 * @returns {string} hexadecimal digest
 */
export function installFingerprint(root) {
  const members = ['packages', 'examples'].flatMap((folder) => foldersIn(root, folder));
  const manifests = [...members, 'bench'].map((member) => `${member}/package.json`);
  const platform = `${process.platform}-${process.arch}`;
  return `${platform}-${digest(root, [...installInputs, ...manifests])}`;
}

/**
 * Digest of everything that decides what is built.
 *
 * @param {string} root folder of the workspace
 * @returns {string} hexadecimal digest
 */
export function buildFingerprint(root) {
  const paths = ['pnpm-lock.yaml', 'tsconfig.base.json', 'tsup.config.ts'];
  paths.push('scripts/package-entries.mjs');
  paths.push(...filesUnder(root, 'scripts/declarations'));
  for (const member of foldersIn(root, 'packages')) {
    if (!existsSync(join(root, member, 'package.json'))) continue;
    paths.push(`${member}/package.json`, `${member}/tsconfig.json`);
    paths.push(`${member}/openapi.json`);
    for (const folder of ['reference-page', 'page', 'src']) {
      if (!existsSync(join(root, member, folder))) continue;
      paths.push(...filesUnder(root, `${member}/${folder}`));
    }
  }
  return digest(root, paths);
}
