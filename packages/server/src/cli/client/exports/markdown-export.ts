/** Writes the records of an export as Markdown files with front matter. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { MemoryRecord } from '@agentkeep/client';

/** A deleted record has no payload. */
type ExportedRecord = Omit<MemoryRecord, 'payload'> & {
  readonly payload: MemoryRecord['payload'] | null;
};

interface ExportLine {
  readonly record?: ExportedRecord;
  readonly scope?: Readonly<Record<string, string | null>>;
  readonly subject_id?: string | null;
  readonly branch?: string;
}

/** Writes a file for each record that isn't deleted; returns how many. */
export async function writeMarkdown(folder: string, texts: AsyncIterable<string>): Promise<number> {
  let files = 0;
  let place = '';
  for await (const text of texts) {
    for (const each of text.split('\n')) {
      if (!each.startsWith('{"line":"scope"') && !each.startsWith('{"line":"record"')) continue;
      const { scope, subject_id, branch, record } = JSON.parse(each) as ExportLine;
      if (scope !== undefined) {
        const inBranch = branch === undefined ? '' : join('branches', branch);
        place = join(inBranch, folderOf(scope, subject_id ?? null));
      }
      if (record === undefined || record.payload === null) continue;
      const path = join(folder, place, `${fileName(record.name ?? record.record_id)}.md`);
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await writeFile(path, markdownOf(record, record.payload), { mode: 0o600 });
      files += 1;
    }
  }
  return files;
}

/** Returns a record as Markdown; `agentkeep import --format markdown` reads it. */
function markdownOf(
  { record_id, name, revision }: ExportedRecord,
  payload: MemoryRecord['payload'],
): string {
  const { content, event_time_millis, tags, episode_type } = payload;
  const type = typeof episode_type === 'string' ? episode_type : episode_type.Custom;
  const front = [
    ...(name === undefined ? [] : [`name: ${JSON.stringify(name)}`]),
    ...(content.secondary === null ? [] : [`description: ${oneLine(content.secondary)}`]),
    ...(tags.length === 0 ? [] : ['tags:', ...tags.map((tag) => `  - ${JSON.stringify(tag)}`)]),
    `type: ${JSON.stringify(type)}`,
    `record_id: ${JSON.stringify(record_id)}`,
    `revision: ${revision}`,
    `updated_at: ${JSON.stringify(new Date(event_time_millis).toISOString())}`,
  ];
  const context = content.context === null ? '' : `\n${content.context}\n`;
  return `---\n${front.join('\n')}\n---\n${content.primary}\n${context}`;
}

function oneLine(text: string): string {
  return JSON.stringify(text.replaceAll(/\s+/gu, ' '));
}

function folderOf(scope: Readonly<Record<string, string | null>>, subject: string | null): string {
  const { project_id, mission_id, agent_id, visibility } = scope;
  const parts = [project_id, mission_id, agent_id, visibility, subject];
  return join(...parts.filter((part) => part !== null && part !== undefined).map(fileName));
}

/** A text as the name of a file: no separators, no parent folder, at most 200 characters. */
function fileName(text: string): string {
  const encoded = encodeURIComponent(text).replaceAll('%20', ' ').replace(/^\.+/u, '_');
  return encoded.slice(0, 200);
}
