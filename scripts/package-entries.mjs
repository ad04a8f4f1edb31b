/**
 * The packages that are published and their entries, as their manifests state them: `exports` names
 * a source under the condition of the workspace, and the bundle under `default`.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Folder of the workspace. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** The source of what `bin` names, which is no import of any program. */
const commandSource = './src/cli/main.ts';

/**
 * The packages that are published, each after those that it is made of.
 *
 * @returns {{ name: string, folder: string, manifest: object }[]} folders from the root
 */
export function publishedPackages() {
  const packages = readdirSync(join(root, 'packages'))
    .filter((name) => existsSync(join(root, 'packages', name, 'package.json')))
    .map((name) => {
      const folder = `packages/${name}`;
      const manifest = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
      return { name, folder, manifest };
    })
    .filter(({ manifest }) => manifest.private !== true);
  const ordered = new Set();
  const add = (each) => {
    packages.filter(({ manifest }) => isMadeOf(each.manifest, manifest.name)).forEach(add);
    ordered.add(each);
  };
  packages.forEach(add);
  return [...ordered];
}

/** Returns the name of the archive that package managers make of a package. */
export function archiveName({ name, version }) {
  return `${name.slice(1).replace('/', '-')}-${version}.tgz`;
}

/** Whether a package needs another one, or holds a copy of it. */
function isMadeOf(manifest, name) {
  const { dependencies, devDependencies } = manifest;
  return Object.hasOwn({ ...dependencies, ...(isPortable(manifest) && devDependencies) }, name);
}

/**
 * Whether a package runs on every engine, because it names none. Its bundles hold what they need of
 * other packages, and no module of Node.js.
 *
 * @param {object} manifest content of its package.json
 * @returns {boolean} false for a package that needs Node.js
 */
export function isPortable({ engines }) {
  return engines === undefined;
}

/**
 * Packages and those whose declarations theirs are made of, in this order.
 *
 * @param {string[]} folders of packages that are published, from the root
 * @returns {string[]} folders from the root
 */
export function withParts(folders) {
  const wanted = new Set(folders);
  const backwards = publishedPackages().reverse();
  for (const { folder, manifest } of backwards) {
    if (!wanted.has(folder)) continue;
    const parts = backwards.filter((part) => isMadeOf(manifest, part.manifest.name));
    for (const part of parts) wanted.add(part.folder);
  }
  return backwards
    .map(({ folder }) => folder)
    .filter((folder) => wanted.has(folder))
    .reverse();
}

/**
 * The programs of a package: the source of each, its bundle and its declarations, all from the
 * package's folder. A command has no declarations.
 *
 * @param {object} manifest content of its package.json
 * @returns {{ source: string, bundle: string, types?: string }[]} its entries and its command
 */
export function entriesOf({ exports, bin = {} }) {
  const modules = Object.values(exports)
    .filter((target) => typeof target === 'object')
    .map(({ types, default: bundle, ...of }) => ({
      source: of['agentkeep-source'],
      bundle,
      types,
    }));
  const commands = Object.values(bin).map((bundle) => ({ source: commandSource, bundle }));
  return [...modules, ...commands];
}
