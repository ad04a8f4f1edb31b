/** `agentkeep export`: memory as lines of JSON in a file, or as Markdown files. */
import { createWriteStream } from 'node:fs';
import { rename } from 'node:fs/promises';
import { once } from 'node:events';
import type { ScopeInput } from '@agentkeep/client';
import type { PartsOf } from '@agentkeep/core/clients';
import type { ClientCommand, ClientInvocation, CommandIo } from '../../command/command.js';
import { scopeFlags } from '../../command/scope-flags.js';
import { UsageError } from '../../command/usage-error.js';
import { jsonLine } from '../../output/printable.js';
import { withConnection } from '../connection.js';
import { exportFolder } from '../markdown/export-folder.js';

/** Exports a scope, a subject or the tenant. */
export const exportMemory: ClientCommand = {
  name: 'export',
  positionals: [],
  summary: 'Export memory as JSON lines, ending with counts and a digest.',
  description: [
    'Exports the scope of the flags or of the profile; with --subject all private scopes of a ' +
      'subject; with --all everything of the tenant. All lines are of one state. Without --to, ' +
      'they go to standard output.',
    'With --markdown, each record becomes a Markdown file in a folder instead.',
  ],
  isCall: true,
  hasJson: true,
  ownFlags: [
    ...scopeFlags,
    { name: 'subject', placeholder: '<id>', summary: 'All private scopes of this subject.' },
    { name: 'all', summary: 'The whole tenant.' },
    { name: 'history', summary: 'Include superseded revisions and deleted records.' },
    { name: 'to', placeholder: '<file>', summary: 'Write to this file, once it is complete.' },
    { name: 'markdown', placeholder: '<folder>', summary: 'Write Markdown files to this folder.' },
  ],
  examples: [
    'agentkeep export --all --history --to ./acme.jsonl',
    'agentkeep export --subject ann --markdown ./ann',
  ],
  run,
};

async function run(invocation: ClientInvocation): Promise<void> {
  const { io, flags, json } = invocation;
  if (flags.has('all') && flags.has('subject')) {
    throw new UsageError('Give one of --all and --subject.');
  }
  await withConnection(invocation, async ({ agent, scope }) => {
    const options = { withHistory: flags.has('history') };
    const texts = watched(io, agent.exports.texts(partOf(invocation, scope), options));
    const folder = flags.text('markdown');
    const to = flags.text('to');
    if (folder !== undefined) {
      const files = await exportFolder(folder, texts);
      await io.writeOut(json ? jsonLine({ files }) : `Wrote ${files} files to ${folder}\n`);
    } else if (to === undefined) {
      for await (const text of texts) await io.writeOut(text);
    } else {
      const bytes = await writeFileOf(to, texts);
      await io.writeOut(json ? jsonLine({ file: to, bytes }) : `Wrote ${bytes} bytes to ${to}\n`);
    }
  });
}

type ExportedPart = NonNullable<PartsOf<'exportMemory'>['document']>['of'];

function partOf({ flags }: ClientInvocation, scope: () => ScopeInput): ExportedPart {
  if (flags.has('all')) return { type: 'tenant' };
  const subject = flags.text('subject');
  if (subject !== undefined) return { type: 'subject', subject_id: subject };
  return { type: 'scope', scope: scope() };
}

/** Passes texts on, and says how far they are. */
async function* watched(io: CommandIo, texts: AsyncIterable<string>): AsyncGenerator<string, void> {
  let bytes = 0;
  for await (const text of texts) {
    bytes += Buffer.byteLength(text, 'utf8');
    if (io.isWatched === true) io.writeError(`\r${(bytes / 1e6).toFixed(1)} MB`);
    yield text;
  }
  if (io.isWatched === true) io.writeError('\n');
}

/** Writes a file under another name, and renames it when it is complete. */
async function writeFileOf(path: string, texts: AsyncIterable<string>): Promise<number> {
  const partial = `${path}.part`;
  const file = createWriteStream(partial, { mode: 0o600 });
  let bytes = 0;
  try {
    for await (const text of texts) {
      bytes += Buffer.byteLength(text, 'utf8');
      if (!file.write(text)) await once(file, 'drain');
    }
  } finally {
    file.end();
    await once(file, 'close');
  }
  await rename(partial, path);
  return bytes;
}
