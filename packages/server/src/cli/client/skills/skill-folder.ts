/** A folder of skills: those that we wrote are renewed and removed, all others are left. */
import { lstat, mkdir, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256 } from '@agentkeep/core/store';
import { CommandError } from '../../command/command-error.js';

/** Lists the skills that we wrote, each with the digests that its file may have. */
const LIST = '.agentkeep-skills.json';
const FILE = 'SKILL.md';
const NAME = /^[a-z0-9-]{1,64}$/;

/** A skill as a file. */
export interface SkillFile {
  readonly name: string;
  readonly text: string;
}

/** What was done with a folder, by the names of skills. */
export interface FolderChanges {
  readonly written: string[];
  readonly unchanged: string[];
  readonly removed: string[];
  /** Those whose file somebody else made or changed. */
  readonly left: string[];
}

type Digests = Readonly<Record<string, readonly string[]>>;

/**
 * Makes our part of a folder equal to `skills`: writes new ones, replaces those that differ, and
 * removes those that are gone. A file that is not as we wrote it stays. Run again after an
 * interruption, it ends in the same state.
 * @throws {CommandError} for a folder that is a link or a file, and for a list that cannot be read.
 */
export async function renewSkills(
  folder: string,
  skills: readonly SkillFile[],
): Promise<FolderChanges> {
  await mkdir(folder, { recursive: true });
  if (!(await lstat(folder)).isDirectory()) {
    throw new CommandError(`${folder} is a link or a file. Name a folder.`);
  }
  const before = await readList(folder);
  const texts = new Map(skills.map(({ name, text }) => [name, text]));
  const changes: FolderChanges = { written: [], unchanged: [], removed: [], left: [] };
  const after = new Map(Object.entries(before));
  for (const name of new Set([...Object.keys(before), ...texts.keys()])) {
    const text = texts.get(name);
    const found = await foundIn(folder, name);
    const isOurs = typeof found === 'string' && (before[name]?.includes(digestOf(found)) ?? false);
    if (found !== undefined && !isOurs && found !== text) {
      changes.left.push(name);
      continue;
    }
    // An interruption may have left a part of the file.
    if (before[name] !== undefined) await rm(partOf(join(folder, name, FILE)), { force: true });
    if (text === undefined) {
      await removeSkill(folder, name);
      after.delete(name);
      if (found !== undefined) changes.removed.push(name);
    } else if (found === text) {
      after.set(name, [digestOf(text)]);
      changes.unchanged.push(name);
    } else {
      // The list comes first, so that the file is known as ours wherever an interruption falls.
      await writeList(folder, after.set(name, [...(before[name] ?? []), digestOf(text)]));
      await writeSkill(folder, { name, text });
      after.set(name, [digestOf(text)]);
      changes.written.push(name);
    }
  }
  await writeList(folder, after);
  return changes;
}

/** Returns the text of the file of a skill; `null` for what is no such file, such as a link. */
async function foundIn(folder: string, name: string): Promise<string | null | undefined> {
  const own = await lstat(join(folder, name)).catch(() => undefined);
  if (own === undefined) return undefined;
  if (!own.isDirectory()) return null;
  const file = await lstat(join(folder, name, FILE)).catch(() => undefined);
  if (file === undefined) return undefined;
  return file.isFile() ? readFile(join(folder, name, FILE), 'utf8') : null;
}

async function writeSkill(folder: string, { name, text }: SkillFile): Promise<void> {
  await mkdir(join(folder, name), { recursive: true });
  await replaceFile(join(folder, name, FILE), text);
}

/** Removes the file, and its folder where nothing else is in it. */
async function removeSkill(folder: string, name: string): Promise<void> {
  await rm(join(folder, name, FILE), { force: true });
  await rmdir(join(folder, name)).catch(() => undefined);
}

async function readList(folder: string): Promise<Digests> {
  const path = join(folder, LIST);
  const text = await readFile(path, 'utf8').catch(() => undefined);
  if (text === undefined) return {};
  try {
    const list = JSON.parse(text) as Digests;
    if (!Object.entries(list).every(isListed)) throw new TypeError('It is no list of skills.');
    return list;
  } catch (cause) {
    throw new CommandError(
      `${path} is no list that "agentkeep skills export" wrote. Remove it, and the skills that it ` +
        'wrote, then run the command again.',
      { cause },
    );
  }
}

function isListed([name, digests]: [string, unknown]): boolean {
  return NAME.test(name) && Array.isArray(digests) && digests.every((d) => typeof d === 'string');
}

function writeList(folder: string, list: ReadonlyMap<string, readonly string[]>): Promise<void> {
  const text = JSON.stringify(Object.fromEntries(list), undefined, 2);
  return replaceFile(join(folder, LIST), `${text}\n`);
}

/** Writes a file under another name and renames it, so that no reader sees a part of it. */
async function replaceFile(path: string, text: string): Promise<void> {
  const partial = partOf(path);
  await rm(partial, { force: true });
  await writeFile(partial, text, { flag: 'wx' });
  await rename(partial, path);
}

function partOf(path: string): string {
  return `${path}.part`;
}

function digestOf(text: string): string {
  return `sha256:${Buffer.from(sha256(text)).toString('hex')}`;
}
