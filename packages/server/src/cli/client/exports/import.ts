/** `agentkeep import`: exports of Agentkeep and files of other projects. */
import type { OutputOf } from '@agentkeep/core/clients';
import { CommandError } from '../../command/command-error.js';
import type { ClientCommand, ClientInvocation } from '../../command/command.js';
import { scopeFlags } from '../../command/scope-flags.js';
import { jsonLine } from '../../output/printable.js';
import { withConnection } from '../connection.js';
import { foreignFormats, readForeign } from '../foreign/read-foreign.js';
import { importForeign, rehearseForeign } from '../foreign/import-foreign.js';
import { inputBytes } from '../input-text.js';

const OWN = 'agentkeep';

/** Imports a file. A second run of the same file changes nothing. */
export const importMemory: ClientCommand = {
  name: 'import',
  positionals: ['file'],
  summary: 'Import an export, or memory of another project; - reads standard input.',
  description: [
    'An export of Agentkeep goes to the tenant of the caller, who administers its credentials: ' +
      'with its ids, revisions and authors, and what is stored already stays as it is.',
    'Files of other projects become records of the scope of the flags or of the profile: ' +
      'the graph of the MCP reference server (mcp-memory), memories of mem0, items of a store of ' +
      'LangGraph, Markdown files with front matter (a file or a folder), conversations.json of ' +
      'ChatGPT, and lines of JSON with --map. Items with an id or a name are replaced by later ' +
      'files.',
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
    { name: 'dry-run', summary: 'Store nothing; say what would happen.' },
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
    const items = readForeign(io, format, file, flags.all('map'));
    if (isDry) {
      const totals = await rehearseForeign(agent, scope(), items);
      const known = totals.known ?? 0;
      const text = `Would import ${totals.records} records, ${known} of them under known names\n`;
      await io.writeOut(json ? jsonLine(totals) : text);
      return;
    }
    const totals = await importForeign(io, agent, scope(), items);
    await io.writeOut(json ? jsonLine(totals) : `Imported ${totals.records} records\n`);
  });
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
