/**
 * Installs into the files of a host and takes out again. What was inserted is kept beside a digest
 * of
 * the file: while nothing else changed there, taking it out gives back the bytes that were there.
 */
import {
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { digestOf } from '../state/digest.js';
import { asObject, readObject, replaceFile } from '../state/private-json.js';
import type { HostFile } from './host-files.js';
import {
  insertions,
  type JsonEdit,
  type Splice,
  spliced,
  unspliced,
  withoutEdits,
} from './json-edits.js';

/** What was done to a file. */
export interface FileChange {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** What is kept of a file that was written. */
interface Installed {
  readonly digest: string;
  /** Whether the file was not there before. */
  readonly isNew: boolean;
  /** Folders that were made for it, the outer one first. */
  readonly folders: readonly string[];
  readonly splices: readonly Splice[];
  readonly file: HostFile;
}

const BEGIN = '# agentkeep: begin';
const END = '# agentkeep: end';

/** Returns what an installation would change, and with `write` changes it. */
export function install(record: string, files: readonly HostFile[], write: boolean): FileChange[] {
  return files.map((file) => {
    const current = textOf(file.path);
    const known = installedAt(record, file.path);
    // Run again, it begins from the file as it was, so that nothing is added twice.
    const base = known === undefined ? current : removedFrom(current, known);
    const splices = splicesOf(file, base);
    const after = splices.reduce((text, splice) => spliced(text, splice), base ?? '');
    if (write && after !== current) {
      const folders = known?.folders ?? missingFolders(dirname(file.path));
      writeText(file.path, after);
      const isNew = base === undefined;
      keep(record, file.path, { digest: digestOf(after), isNew, folders, splices, file });
    }
    return { path: file.path, before: current, after };
  });
}

/** Returns what taking out would change, and with `write` changes it. */
export function uninstall(record: string, paths: readonly string[], write: boolean): FileChange[] {
  // A folder was made for the first of its files, so that one goes last.
  return paths.toReversed().flatMap((path) => {
    const known = installedAt(record, path);
    if (known === undefined) return [];
    const before = textOf(path);
    const after = removedFrom(before, known);
    if (write) {
      if (after === undefined) rmSync(path, { force: true });
      else writeText(path, after);
      if (after === undefined) removeEmpty(known.folders);
      keep(record, path, undefined);
    }
    return [{ path, before, after }];
  });
}

/** Returns the paths that were written for a host. */
export function installedPaths(record: string): readonly string[] {
  return Object.keys(readObject(record) ?? {});
}

/** Returns the insertions that bring a file into its form. */
function splicesOf(file: HostFile, base: string | undefined): readonly Splice[] {
  const text = base ?? '';
  if (file.kind === 'whole') {
    if (base !== undefined && base !== file.text) throw new Error(`${file.path} is there already`);
    return base === undefined ? [{ at: 0, text: file.text }] : [];
  }
  if (file.kind === 'lines') {
    if (new RegExp(file.taken, 'm').test(text)) {
      throw new Error(`${file.path} has an entry of that name. Remove it, then run this again`);
    }
    const gap = text === '' || text.endsWith('\n') ? '' : '\n';
    return [{ at: text.length, text: `${gap}${BEGIN}\n${file.lines}${END}\n` }];
  }
  const empty = text.trim() === '' ? [{ at: text.length, text: '{}\n' }] : [];
  const whole = empty.reduce((current, splice) => spliced(current, splice), text);
  try {
    return [...empty, ...insertions(whole, file.edits)];
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`${file.path}: ${reason}.`, { cause });
  }
}

/** Returns a text without what was installed; `undefined` for a file that is then none. */
function removedFrom(text: string | undefined, known: Installed): string | undefined {
  if (text === undefined) return undefined;
  if (digestOf(text) === known.digest) {
    const before = unspliced(text, known.splices);
    return known.isNew ? undefined : before;
  }
  const { file } = known;
  if (file.kind === 'whole') return undefined;
  const rest =
    file.kind === 'json'
      ? withoutEdits(text, file.edits)
      : text.replace(new RegExp(`${BEGIN}\n[\\s\\S]*?${END}\n?`), '');
  const isEmpty = ['', '{}'].includes(rest.trim());
  return known.isNew && isEmpty ? undefined : rest;
}

function installedAt(record: string, path: string): Installed | undefined {
  const { digest, isNew, folders, splices, file } = asObject(readObject(record)?.[path]) ?? {};
  const found = fileIn(path, file);
  if (typeof digest !== 'string' || found === undefined) return undefined;
  return {
    digest,
    isNew: isNew === true,
    folders: texts(folders),
    splices: (Array.isArray(splices) ? splices : []).map((splice: unknown) => {
      const { at, text } = asObject(splice) ?? {};
      return { at: Number(at), text: String(text) };
    }),
    file: found,
  };
}

function fileIn(path: string, value: unknown): HostFile | undefined {
  const { kind, edits, lines, taken, text } = asObject(value) ?? {};
  if (kind === 'whole') return { path, kind, text: String(text) };
  if (kind === 'lines') return { path, kind, lines: String(lines), taken: String(taken) };
  if (kind !== 'json' || !Array.isArray(edits)) return undefined;
  const all = edits.map((edit: unknown): JsonEdit => {
    const { path: at, value: added, isItem, isOptional } = asObject(edit) ?? {};
    return {
      path: texts(at),
      value: added,
      isItem: isItem === true,
      isOptional: isOptional === true,
    };
  });
  return { path, kind, edits: all };
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

function keep(record: string, path: string, installed: Installed | undefined): void {
  const others = Object.entries(readObject(record) ?? {}).filter(([name]) => name !== path);
  const own = installed === undefined ? [] : [[path, installed] as const];
  const all = Object.fromEntries([...others, ...own]);
  replaceFile(record, `${JSON.stringify(all, undefined, 2)}\n`);
}

/** Replaces a file in one step, with the rights that it had. */
function writeText(named: string, text: string): void {
  mkdirSync(dirname(named), { recursive: true });
  // A file that a person links to from elsewhere stays a link.
  const path = existsSync(named) ? realpathSync(named) : named;
  const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0o644;
  const draft = `${path}.${process.pid}.tmp`;
  writeFileSync(draft, text, { mode });
  renameSync(draft, path);
}

function missingFolders(folder: string): readonly string[] {
  return existsSync(folder) ? [] : [...missingFolders(dirname(folder)), folder];
}

function removeEmpty(folders: readonly string[]): void {
  for (const folder of folders.toReversed()) {
    try {
      rmdirSync(folder);
    } catch {
      return;
    }
  }
}

function textOf(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}
