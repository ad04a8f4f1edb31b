/**
 * The title of a session without a model: the first words of its first prompt, and the files that
 * the prompt names after them.
 */
import { existsSync, readFileSync } from 'node:fs';
import { basename, extname, join, resolve, sep } from 'node:path';
import { digestOf } from './digest.js';
import { replaceFile } from './private-json.js';

/** UTF-16 units of the words of a title. */
const WORDS_UNITS_MAX = 60;
/** Files behind the words, and UTF-16 units of the name of one. */
const FILES_MAX = 3;
const FILE_UNITS_MAX = 60;

/** UTF-16 units of a prompt in which files are looked for, since a person waits. */
const LOOKED_UNITS_MAX = 2_000;

/**
 * Returns the title of a session in its project's folder: that of its first prompt, whatever was
 * said since. `prompt` must be storable; an empty one starts no title.
 */
export function titleOfSession(
  sessions: string,
  session: string,
  { prompt, folder }: { readonly prompt: string; readonly folder: string },
): string | undefined {
  const file = join(sessions, `${digestOf(session)}.title`);
  try {
    return readFileSync(file, 'utf8');
  } catch {
    if (prompt === '') return undefined;
  }
  const title = titleOf(prompt, folder);
  replaceFile(file, title);
  return title;
}

/** Returns the title that a prompt gives: files are those in the folder only. */
export function titleOf(prompt: string, folder: string): string {
  const line = prompt.replaceAll(/\s+/g, ' ').trim();
  const words = line.length <= WORDS_UNITS_MAX ? line : `${wholeWords(line)}…`;
  const names = filesIn(line.slice(0, LOOKED_UNITS_MAX), folder).filter(
    (name) => name.length <= FILE_UNITS_MAX && !words.includes(name),
  );
  return [words, ...names.slice(0, FILES_MAX)].join(' · ');
}

/** Returns the names of the files of a folder that a text has paths of. */
function filesIn(text: string, folder: string): readonly string[] {
  const paths = text
    .split(/[\s"'`()<>,;:@]+/)
    .map((word) => resolve(folder, word.replace(/[.?!]$/, '')))
    .filter((path) => extname(path) !== '' && path.startsWith(folder + sep))
    .filter((path) => existsSync(path));
  return [...new Set(paths.map((path) => basename(path)))];
}

function wholeWords(line: string): string {
  const begin = line.slice(0, WORDS_UNITS_MAX);
  const end = begin.lastIndexOf(' ');
  return (end > 0 ? begin.slice(0, end) : begin).toWellFormed();
}
