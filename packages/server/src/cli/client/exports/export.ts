/** `agentkeep export`: memory as lines of JSON in a file, or as Markdown files. */
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rename } from 'node:fs/promises';
import { once } from 'node:events';
import type { ScopeInput } from '@agentkeep/client';
import type { PartsOf } from '@agentkeep/core/clients';
import { CommandError } from '../../command/command-error.js';
import type { ClientCommand, ClientInvocation } from '../../command/command.js';
import { scopeFlags } from '../../command/scope-flags.js';
import { UsageError } from '../../command/usage-error.js';
import { jsonLine } from '../../output/printable.js';
import { withConnection } from '../connection.js';
import { writeMarkdown } from './markdown-export.js';

/** Exports a scope, a subject or the tenant. */
export const exportMemory: ClientCommand = {
  name: 'export',
  positionals: [],
  summary: 'Export memory as lines of JSON that end with counts and a digest.',
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
    { name: 'all', summary: 'Everything of the tenant.' },
    { name: 'history', summary: 'Superseded revisions and deleted records too.' },
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
    const texts = checked(agent.exports.texts(partOf(invocation, scope), options), (bytes) => {
      if (io.isWatched === true) io.writeError(`\r${(bytes / 1e6).toFixed(1)} MB`);
    });
    const folder = flags.text('markdown');
    const to = flags.text('to');
    if (folder !== undefined) {
      const files = await writeMarkdown(folder, texts);
      await io.writeOut(json ? jsonLine({ files }) : `Wrote ${files} files to ${folder}\n`);
    } else if (to === undefined) {
      for await (const text of texts) await io.writeOut(text);
    } else {
      const bytes = await writeFileOf(to, texts);
      await io.writeOut(json ? jsonLine({ file: to, bytes }) : `Wrote ${bytes} bytes to ${to}\n`);
    }
    if (io.isWatched === true) io.writeError('\n');
  });
}

type ExportedPart = NonNullable<PartsOf<'exportMemory'>['document']>['of'];

function partOf({ flags }: ClientInvocation, scope: () => ScopeInput): ExportedPart {
  if (flags.has('all')) return { type: 'tenant' };
  const subject = flags.text('subject');
  if (subject !== undefined) return { type: 'subject', subject_id: subject };
  return { type: 'scope', scope: scope() };
}

/**
 * Passes texts on, and compares them with the digest at their end.
 * @throws {CommandError} when they differ, or the end is missing.
 */
export async function* checked(
  texts: AsyncIterable<string>,
  progress: (bytes: number) => void,
): AsyncGenerator<string, void> {
  const check = new ExportCheck();
  for await (const text of texts) {
    check.add(text);
    progress(check.bytes);
    yield text;
  }
  check.end();
}

/** Compares the lines of an export with its manifest. */
export class ExportCheck {
  bytes = 0;
  readonly #hash = createHash('sha256');
  #rest = '';
  #lines = 0;
  #last: string | undefined;

  /** Adds a text, cut anywhere. */
  add(text: string): void {
    this.bytes += Buffer.byteLength(text, 'utf8');
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.#line(line);
  }

  /** @throws {CommandError} when the manifest is missing or says something else. */
  end(): void {
    if (this.#rest !== '') this.#line(this.#rest);
    const manifest = manifestOf(this.#last);
    if (manifest === undefined)
      throw new CommandError('The export is cut: its manifest is missing.');
    if (manifest.sha256 === this.#hash.digest('hex')) return;
    throw new CommandError(
      'The export is damaged: its lines differ from the digest in its manifest.',
    );
  }

  #line(line: string): void {
    // The first line names the installation, and the last one is the manifest.
    if (this.#lines > 1 && this.#last !== undefined) this.#hash.update(this.#last).update('\n');
    this.#lines += 1;
    this.#last = line;
  }
}

function manifestOf(line: string | undefined): { readonly sha256: unknown } | undefined {
  if (line?.startsWith('{"line":"manifest"') !== true) return undefined;
  try {
    return JSON.parse(line) as { readonly sha256: unknown };
  } catch {
    // It was cut.
    return undefined;
  }
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
