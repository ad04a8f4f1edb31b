/**
 * What the README asks a newcomer to do: pack into a project, run a line that this prints, and then
 * the first program.
 */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { blocksOf } from '../docs/page-blocks.ts';
import type { Installer } from './installers.ts';
import { output } from './packed-packages.ts';

const root = join(import.meta.dirname, '../..');

/** The file that the README tells to save the program as. */
const PROGRAM = 'main.mjs';

/** A folder with our packages in it, and what packing them said. */
export interface PackedProject {
  readonly folder: string;
  readonly printed: string;
}

/** Packs into a new folder, as the README says. */
export function packProject(scratch: string): PackedProject {
  const folder = join(scratch, 'first-screen');
  mkdirSync(folder);
  return { folder, printed: output('npm', ['run', '--silent', 'pack', '--', folder], root) };
}

/**
 * Does the rest in a copy of the folder, with a package manager and a registry that has none of
 * our packages. Returns what is wrong.
 */
export async function firstScreenProblems(
  installer: Installer,
  { folder, printed }: PackedProject,
  { scratch, registry }: { readonly scratch: string; readonly registry: string },
): Promise<string[]> {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const program = blocksOf(readme).find(({ info }) => info === 'ts')?.text ?? '';
  if (!readme.includes(`node ${PROGRAM}`)) return [`README.md does not run ${PROGRAM}.`];
  const home = `${folder}-${installer.name.replaceAll(/\W+/gu, '-')}`;
  cpSync(folder, home, { recursive: true });
  writeFileSync(join(home, PROGRAM), program);
  try {
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
