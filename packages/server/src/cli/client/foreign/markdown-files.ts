/** Markdown files with front matter: our own, those of Letta, and folders of Obsidian. */
import type { Dirent } from 'node:fs';
import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { basename, join, relative, sep } from 'node:path';
import { readFrontMatter } from '../markdown/front-matter.js';
import { isRecordMarkdown, recordOfMarkdown } from '../markdown/record-markdown.js';
import {
  type ForeignItem,
  type ForeignPart,
  nameFrom,
  partAt,
  shownText,
  tagsIn,
  textOf,
} from './foreign-item.js';
import { atTime } from './foreign-time.js';

const MARKDOWN = /\.(?:md|markdown)$/iu;

/**
 * Yields the item of a file, or of each Markdown file in a folder, in the order of their paths.
 * Hidden files and folders, such as `.obsidian` and `.trash`, are left out, as are links that lead
 * out of the folder.
 */
export async function* markdownParts(path: string): AsyncGenerator<ForeignPart, void> {
  if (!(await stat(path)).isDirectory()) {
    yield* filePart(path, basename(path));
    return;
  }
  const root = await realpath(path);
  for await (const found of walk(root, root)) {
    if ('leftOut' in found) yield found;
    else yield* filePart(join(path, found.path), found.path.split(sep).join('/'));
  }
}

type Found = { readonly path: string } | { readonly leftOut: string };

async function* walk(root: string, folder: string): AsyncGenerator<Found, void> {
  const entries = await readdir(folder, { withFileTypes: true });
  const inOrder = entries.toSorted((one, other) => (one.name < other.name ? -1 : 1));
  for (const entry of inOrder) {
    const path = join(folder, entry.name);
    const kind = await kindOf(root, path, entry);
    if (kind === 'folder') yield* walk(root, path);
    else if (kind === 'file') yield { path: relative(root, path) };
    else yield { leftOut: kind };
  }
}

/** Returns what an entry is, or the plural of what is left out. */
async function kindOf(root: string, path: string, entry: Dirent): Promise<string> {
  if (entry.name.startsWith('.')) return 'hidden files and folders';
  if (entry.isDirectory()) return 'folder';
  if (!MARKDOWN.test(entry.name)) return 'files of other types';
  if (entry.isFile()) return 'file';
  if (!entry.isSymbolicLink()) return 'files of other types';
  const target = await realpath(path).catch(() => undefined);
  if (target?.startsWith(root + sep) !== true) return 'links out of the folder';
  return (await stat(target)).isFile() ? 'file' : 'links to folders';
}

async function* filePart(file: string, path: string): AsyncGenerator<ForeignPart, void> {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await readFile(file));
  } catch (cause) {
    yield { place: file, reason: cause instanceof Error ? cause.message : String(cause) };
    return;
  }
  yield partAt(file, () => markdownItem(text, path));
}

/** Returns the item of a file. Its name is that of the front matter, or else its path. */
function markdownItem(text: string, path: string): ForeignItem {
  const { members = {}, body } = readFrontMatter(text);
  if (isRecordMarkdown(members)) {
    const { name, record } = recordOfMarkdown(members, body);
    return name === undefined ? { record } : { name, record };
  }
  const { name, label, description, tags, created_at, updated_at, ...others } = members;
  const fromPath = path.replace(MARKDOWN, '').normalize('NFC');
  return {
    name: nameFrom(textOf(name, label) ?? fromPath),
    record: {
      content: {
        primary: textOf(body.trim()) ?? fromPath,
        secondary:
          description === undefined || description === null ? null : shownText(description),
        data: Object.keys(others).length > 0 ? others : null,
      },
      ...atTime({ updated_at, created_at }),
      tags: tagsIn(tags).map((tag) => tag.replace(/^#/u, '')),
    },
  };
}
