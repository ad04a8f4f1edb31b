/** A folder of Markdown files: one file for each exported record. */
import { lstat, mkdir, open, readdir, readFile, rm } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { CommandError } from '../../command/command-error.js';
import { type ExportedScope, foldersOf, recordFile } from './file-names.js';
import { recordMarkdown, type ShownRecord } from './record-markdown.js';

/** Lists the files of the folder, one a line, each before it is written. */
const LIST = '.agentkeep-export';

interface ExportLine {
  readonly line: string;
  readonly record?: Omit<ShownRecord, 'payload'> & {
    /** Null for a deleted record. */
    readonly payload: ShownRecord['payload'] | null;
  };
  readonly scope?: ExportedScope['scope'];
  readonly subject_id?: string | null;
  readonly branch?: string;
}

/**
 * Writes a file for each record that isn't deleted, and returns how many there are. The folder is
 * new, empty, or of an earlier export, whose files go first.
 * @throws {CommandError} for a folder with other files, and for a link.
 */
export async function exportFolder(folder: string, texts: AsyncIterable<string>): Promise<number> {
  await takeFolder(folder);
  const list = await open(join(folder, LIST), 'w', 0o600);
  let files = 0;
  let folders: string[] = [];
  try {
    for await (const line of linesOf(texts)) {
      const { scope, subject_id: subject = null, branch, record } = line;
      if (scope !== undefined) folders = foldersOf({ scope, subject, branch });
      if (record === undefined || record.payload === null) continue;
      const path = [...folders, recordFile(record.name, record.record_id)];
      await list.write(`${JSON.stringify(path)}\n`);
      await writeNew(folder, path, recordMarkdown({ ...record, payload: record.payload }));
      files += 1;
    }
  } finally {
    await list.close();
  }
  return files;
}

/** Yields the lines of scopes and records. */
async function* linesOf(texts: AsyncIterable<string>): AsyncGenerator<ExportLine, void> {
  for await (const text of texts) {
    for (const each of text.split('\n')) {
      const isShown = each.startsWith('{"line":"scope"') || each.startsWith('{"line":"record"');
      if (isShown) yield JSON.parse(each) as ExportLine;
    }
  }
}

/** Makes the folder, or removes what an earlier export wrote into it. */
async function takeFolder(folder: string): Promise<void> {
  const found = await lstat(folder).catch(() => undefined);
  if (found === undefined) {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return;
  }
  if (!found.isDirectory()) throw new CommandError(`${folder} is a link or a file. Name a folder.`);
  const names = await readdir(folder);
  if (names.length === 0) return;
  if (!names.includes(LIST)) {
    throw new CommandError(
      `${folder} has files that no export wrote, and an export may not mix with them or replace ` +
        `them. Name a new folder.`,
    );
  }
  const list = await readFile(join(folder, LIST), 'utf8');
  for (const line of list.split('\n')) {
    if (line === '') continue;
    const path = JSON.parse(line) as string[];
    if (await isOwn(folder, path)) await rm(join(folder, ...path), { force: true });
  }
}

/** Whether a file is in the folder itself, and not behind a link. */
async function isOwn(folder: string, path: readonly string[]): Promise<boolean> {
  if (path.some((part) => part === '..' || part.includes('/') || part.includes(sep))) return false;
  for (let depth = 1; depth < path.length; depth += 1) {
    const found = await lstat(join(folder, ...path.slice(0, depth))).catch(() => undefined);
    if (found?.isDirectory() !== true) return false;
  }
  return true;
}

/**
 * Writes a file that isn't there yet.
 * @throws {CommandError} for one that is, and for a folder that is a link.
 */
async function writeNew(folder: string, path: readonly string[], text: string): Promise<void> {
  for (let depth = 1; depth < path.length; depth += 1) {
    const part = join(folder, ...path.slice(0, depth));
    await mkdir(part, { mode: 0o700 }).catch(async (error: unknown) => {
      if ((await lstat(part).catch(() => undefined))?.isDirectory() !== true) throw error;
    });
  }
  const file = await open(join(folder, ...path), 'wx', 0o600).catch((cause: unknown) => {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CommandError(`${join(folder, ...path)} can't be written: ${reason}.`, { cause });
  });
  try {
    await file.writeFile(text);
  } finally {
    await file.close();
  }
}
