/**
 * A made-up next version: a copy of the built packages whose stores may have one level more, and
 * whose tables in PostgreSQL have one column more, for tests that exchange servers of two versions.
 */
import { cp, mkdir, readdir, readFile, realpath, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const packages = fileURLToPath(new URL('../../..', import.meta.url));

/** The packages that a server consists of. */
const COPIED = ['client', 'core', 'postgres', 'server'];

/** The list of levels in a bundle, and the text that has one more. */
const LEVELS = /levelContents = \["([^"]+)"\]/gu;
/** The list of migrations in the bundle for PostgreSQL, and the end that has one more. */
const MIGRATIONS = /(worksWith: 1, statements: firstVersion\([^)]*\) \})\]/gu;
const EXPANSION =
  '$1, { version: 2, worksWith: 1, statements: [`ALTER TABLE ${table} ADD COLUMN note text`] }]';
const VERSION = /CONTRACT_DOCUMENT_VERSION = "[^"]+"/gu;

/** The version that the copy states. */
export const NEXT_VERSION = '99.0.0';

/** Writes the version to an empty folder; returns the path of its `agentkeep` program. */
export async function writeNextVersion(folder: string): Promise<string> {
  for (const name of COPIED) await copyPackage(name, folder);
  const bundles = join(folder, 'core/dist');
  let changed = 0;
  for (const name of await readdir(bundles)) {
    if (!name.endsWith('.js')) continue;
    const text = await readFile(join(bundles, name), 'utf8');
    const next = text
      .replaceAll(LEVELS, 'levelContents = ["$1", "what only the next version reads"]')
      .replaceAll(VERSION, `CONTRACT_DOCUMENT_VERSION = "${NEXT_VERSION}"`);
    if (next === text) continue;
    changed += 1;
    await writeFile(join(bundles, name), next);
  }
  if (changed !== 2) throw new Error(`${changed} bundles state levels or a version, not 2.`);
  const tables = join(folder, 'postgres/dist/index.js');
  const text = await readFile(tables, 'utf8');
  const next = text.replace(MIGRATIONS, EXPANSION);
  if (next === text) throw new Error('The bundle for PostgreSQL states no migrations.');
  await writeFile(tables, next);
  return join(folder, 'server/dist/cli.js');
}

/** Copies a package. It finds the other copies, and everything else where the original does. */
async function copyPackage(name: string, folder: string): Promise<void> {
  const [from, to] = [join(packages, name), join(folder, name)];
  await mkdir(join(to, 'node_modules/@agentkeep'), { recursive: true });
  for (const part of ['dist', 'package.json', 'openapi.json']) {
    await cp(join(from, part), join(to, part), { recursive: true }).catch(() => undefined);
  }
  for (const each of await readdir(join(from, 'node_modules'))) {
    if (each.startsWith('.')) continue;
    const inner = each.startsWith('@') ? await readdir(join(from, 'node_modules', each)) : [''];
    if (each.startsWith('@')) await mkdir(join(to, 'node_modules', each), { recursive: true });
    for (const part of inner) {
      const found = await realpath(join(from, 'node_modules', each, part));
      const isCopied = each === '@agentkeep' && COPIED.includes(part);
      await symlink(isCopied ? join(folder, part) : found, join(to, 'node_modules', each, part));
    }
  }
}
