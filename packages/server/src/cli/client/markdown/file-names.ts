/** Names of files and folders for any texts: two texts never share one, on any file system. */
import { sha256 } from '@agentkeep/core/store';

/** Kept as they are: what every file system keeps, in one letter case, and never as a device. */
const PLAIN = /^(?!(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$))[\da-z](?:[\d a-z._-]{0,98}[\da-z_-])?$/;

/** Characters of a text that the name of its file shows. */
const SHOWN_CHARS_MAX = 40;
const DIGEST_CHARS = 16;

/**
 * Returns the name of a text. A text that some file system would change is shown in part and has
 * its digest behind `~`, which no plain name has: letters of another case, separators, devices,
 * names that are too long or that begin with a dot.
 */
export function pathPart(text: string): string {
  if (PLAIN.test(text)) return text;
  const words =
    text
      .normalize('NFC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  const shown = Array.from(words.join('-')).slice(0, SHOWN_CHARS_MAX).join('');
  const digest = Buffer.from(sha256(text)).toString('hex').slice(0, DIGEST_CHARS);
  return `${shown}~${digest}`;
}

/** Stands for a part that a scope doesn't have; no text has this name. */
const NONE = '_';

/** The scope of exported records, as lines of an export name it. */
export interface ExportedScope {
  readonly scope: Readonly<Record<string, string | null | undefined>>;
  readonly subject: string | null;
  readonly branch: string | undefined;
}

/** Returns the folders of a scope, the outermost first. */
export function foldersOf({ scope, subject, branch }: ExportedScope): string[] {
  const { project_id, mission_id, agent_id, visibility } = scope;
  const parts = [project_id, mission_id, agent_id, visibility].map((each) =>
    each === null || each === undefined ? NONE : pathPart(each),
  );
  return [
    ...(branch === undefined ? [] : ['_branches', pathPart(branch)]),
    ...parts,
    ...(subject === null ? [] : [pathPart(subject)]),
  ];
}

/** Returns the name of the file of a record: of its name, or of its id behind `_`. */
export function recordFile(name: string | undefined, recordId: string): string {
  return `${name === undefined ? `_${recordId}` : pathPart(name)}.md`;
}
