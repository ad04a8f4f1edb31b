/**
 * What the README asks a newcomer to do: pack into a project, run a line that this prints, and then
 * the first program.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { blocksOf } from '../docs/page-blocks.ts';
import type { Installer } from './installers.ts';
import { output } from './packed-packages.ts';

const root = join(import.meta.dirname, '../..');

/** The file that the README tells to save the program as. */
const PROGRAM = 'main.mjs';

/** Does so with a package manager and a registry without our packages; returns what is wrong. */
export async function firstScreenProblems(
  installer: Installer,
  scratch: string,
  registry: string,
): Promise<string[]> {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const program = blocksOf(readme).find(({ info }) => info === 'ts')?.text ?? '';
  if (!readme.includes(`node ${PROGRAM}`)) return [`README.md does not run ${PROGRAM}.`];
  const home = join(scratch, `first-screen-${installer.name.replaceAll(/\W+/gu, '-')}`);
  mkdirSync(home);
  writeFileSync(join(home, PROGRAM), program);
  try {
    const printed = output('npm', ['run', '--silent', 'pack', '--', home], root);
    const lines = printed.split('\n').map((line) => line.trim().split(' '));
    const [, ...words] = lines.find(([word]) => word === installer.typed) ?? [];
    if (words.length === 0) return [`Nothing is printed for ${installer.name}:\n${printed}`];
    await installer.run(words, { home, scratch, registry });
    // Plug'n'play cannot flush files, as the guide says.
    if (!installer.hasFolders) return [];
    const said = output(process.execPath, [PROGRAM], home);
    return said === 'Ann prefers short answers.\n' ? [] : [`${installer.name}: ${said}`];
  } catch (error) {
    return [`${installer.name}, as the README says: ${(error as Error).message}`];
  }
}
