/** `agentkeep import`: exports of Agentkeep and files of other projects. */
import type { OutputOf } from '@agentkeep/core/clients';
import { CommandError } from '../../command/command-error.js';
import type { ClientCommand, ClientInvocation } from '../../command/command.js';
import { scopeFlags } from '../../command/scope-flags.js';
import { jsonLine } from '../../output/printable.js';
import { withConnection } from '../connection.js';
import { foreignFormats, readForeign } from '../foreign/read-foreign.js';
import { type ForeignTotals, importForeign, type RefusedItem } from '../foreign/import-foreign.js';
import { inputBytes } from '../input-text.js';

const OWN = 'agentkeep';

/** Imports a file. A second run of the same file stores only what failed. */
export const importMemory: ClientCommand = {
  name: 'import',
  positionals: ['file'],
  summary: 'Import an export, or memory of another project; - reads standard input.',
  description: [
    'An export of Agentkeep goes to the tenant of the caller, who administers its credentials: ' +
      'with its ids, revisions and authors, and what is stored already stays as it is.',
    'Files of other projects become records of the scope of the flags or of the profile: ' +
      'the graph of the MCP reference server (mcp-memory), memories of mem0, items of a store of ' +
      'LangGraph, agent files of Letta (.af), Markdown files with front matter (a file or a ' +
      'folder, such as one of Obsidian), an export of ChatGPT (conversations.json, its folder or ' +
      'its zip), and lines of JSON with --map.',
    'Records become what the file says: it counts the new, the changed and the unchanged ones, ' +
      'what it left out, and lists the items that were refused with the reason.',
  ],
  isCall: true,
  hasJson: true,
  ownFlags: [
    ...scopeFlags,
    {
      name: 'format',
      placeholder: '<name>',
      summary: 'Default: agentkeep.',
      choices: [OWN, ...foreignFormats],
    },
    {
      name: 'map',
      placeholder: '<member>=<path>',
      summary: 'Where json-lines have text, name, time, type, tags, secondary, context, data.',
      isRepeatable: true,
    },
    { name: 'dry-run', summary: 'Show what would be stored, without storing it.' },
  ],
  examples: [
    'agentkeep import ./acme.jsonl --dry-run',
    'agentkeep import ./memory.jsonl --format mcp-memory',
    'agentkeep import ./notes.jsonl --format json-lines --map text=body --map time=created',
  ],
  run,
};

async function run(invocation: ClientInvocation): Promise<void> {
  const { io, flags, json, positionals } = invocation;
  const [file = ''] = positionals;
  const format = foreignFormats.find((each) => each === flags.text('format'));
  const isDry = flags.has('dry-run');
  await withConnection(invocation, async ({ agent, scope }) => {
    if (format === undefined) {
      const totals = await agent.exports.import(textsOf(invocation, file), {
        dryRun: isDry,
        onProgress: ({ stored, unchanged }) => {
          if (io.isWatched === true) io.writeError(`\r${stored + unchanged} lines`);
        },
      });
      if (io.isWatched === true) io.writeError('\n');
      await io.writeOut(json ? jsonLine(totals) : shownTotals(totals, isDry));
      if (totals.refused > 0) throw new CommandError(`${totals.refused} lines were refused.`);
      return;
    }
    const source = { format, path: file, mapping: flags.all('map') };
    const target = { agent, scope: scope(), isDryRun: isDry };
    const totals = await importForeign(io, target, readForeign(io, source));
    await io.writeOut(json ? jsonLine(totals) : shownForeign(totals, isDry));
    const { refused } = totals;
    if (refused.length > 0) throw new CommandError(refusalOf(refused, json));
  });
}

function shownForeign(totals: ForeignTotals, isDry: boolean): string {
  const { created, changed, unchanged, proposed } = totals;
  const counts = [`${created} new`, `${changed} changed`, `${unchanged} unchanged`];
  if (proposed > 0) counts.push(`${proposed} waiting for review`);
  const left = Object.entries(totals.left_out).map(([what, count]) => `${count} ${what}`);
  const leftOut = left.length === 0 ? '' : `Left out: ${left.join(', ')}\n`;
  return `${isDry ? 'Would import' : 'Imported'}: ${counts.join(', ')}\n${leftOut}`;
}

/** Items that are listed; the answer with `--json` has all. */
const LISTED_MAX = 100;

function refusalOf(refused: readonly RefusedItem[], json: boolean): string {
  const count =
    refused.length === 1 ? '1 item was refused' : `${refused.length} items were refused`;
  if (json) return `${count}.`;
  const lines = refused.slice(0, LISTED_MAX).map(({ place, reason }) => `  ${place}: ${reason}`);
  const more = refused.length - lines.length;
  if (more > 0) lines.push(`  and ${more} more; --json lists them all`);
  return `${count}, the others were taken:\n${lines.join('\n')}`;
}

type ImportTotals = OutputOf<'importMemory'>['outcome'];

function shownTotals({ stored, unchanged, problems }: ImportTotals, isDry: boolean): string {
  const shown = problems.map(({ line, reason }) => `line ${line}: ${reason}\n`).join('');
  return `${isDry ? 'Would store' : 'Stored'} ${stored} lines, ${unchanged} unchanged\n${shown}`;
}

/** Yields the texts of a file. */
async function* textsOf({ io }: ClientInvocation, file: string): AsyncGenerator<string, void> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for await (const bytes of inputBytes(io, file)) yield decoder.decode(bytes, { stream: true });
}
