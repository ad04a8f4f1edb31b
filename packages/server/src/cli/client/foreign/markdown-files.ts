/** Markdown files with front matter, as Letta keeps memory in: one record for each file. */
import { readFile, readdir, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { atTime, type ForeignItem, nameFrom, textOf } from './foreign-item.js';

/** The front matter of a file and what follows it. */
interface Matter {
  readonly members: Readonly<Record<string, unknown>>;
  readonly body: string;
}

const FENCE = '---';
const MEMBER = /^(?<name>[\w-]+):(?<value>.*)$/u;

/** Yields the item of each Markdown file in a folder, or of one file, by path. */
export async function* markdownItems(path: string): AsyncGenerator<ForeignItem, void> {
  const isFolder = (await stat(path)).isDirectory();
  const names = isFolder ? await readdir(path, { recursive: true }) : [''];
  for (const name of names.toSorted()) {
    if (isFolder && !name.endsWith('.md')) continue;
    const file = join(path, name);
    const text = await readFile(file, 'utf8');
    const shown = isFolder ? relative(path, file).split(sep).join('/') : file.split(sep).at(-1);
    yield markdownItem(text, (shown ?? file).replace(/\.md$/u, ''));
  }
}

/** Returns the item of a file. Its name is that of the front matter, or else its path. */
function markdownItem(text: string, path: string): ForeignItem {
  const { members, body } = matterOf(text);
  const { name, label, description, tags, created_at, updated_at, ...others } = members;
  return {
    name: nameFrom(textOf(name, label) ?? path),
    record: {
      content: {
        primary: textOf(body.trim()) ?? path,
        secondary: textOf(description) ?? null,
        data: Object.keys(others).length > 0 ? others : null,
      },
      ...atTime(updated_at, created_at),
      tags: Array.isArray(tags) ? tags.map(String) : [],
    },
  };
}

/** Reads front matter of plain values and of lists: the part of YAML that such files have. */
function matterOf(text: string): Matter {
  const lines = text.split(/\r?\n/u);
  const end = lines[0]?.trimEnd() === FENCE ? lines.findIndex(isSecondFence) : -1;
  if (end === -1) return { members: {}, body: text };
  const members: Record<string, unknown> = {};
  let list: unknown[] | undefined;
  for (const line of lines.slice(1, end)) {
    const item = line.trim();
    if (item.startsWith('- ') && list !== undefined) {
      list.push(valueOf(item.slice(1).trim()));
      continue;
    }
    const { name, value } = MEMBER.exec(line)?.groups ?? {};
    if (name === undefined || value === undefined) continue;
    list = value.trim() === '' ? [] : undefined;
    members[name] = list ?? valueOf(value.trim());
  }
  return { members, body: lines.slice(end + 1).join('\n') };
}

function isSecondFence(line: string, at: number): boolean {
  return at > 0 && line.trimEnd() === FENCE;
}

function valueOf(text: string): unknown {
  const list = /^\[(?<items>.*)\]$/u.exec(text)?.groups?.['items'];
  if (list !== undefined) return list.split(',').map((each) => valueOf(each.trim()));
  const quoted = /^(?<quote>["'])(?<inner>.*)\k<quote>$/u.exec(text)?.groups?.['inner'];
  if (quoted !== undefined) return quoted;
  if (text === 'true' || text === 'false') return text === 'true';
  return text !== '' && Number.isFinite(Number(text)) ? Number(text) : text;
}
