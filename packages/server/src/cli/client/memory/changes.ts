/** `agentkeep memory delete | follow`. */
import { CommandError } from '../../command/command-error.js';
import type { ClientCommand, CommandIo } from '../../command/command.js';
import { scopeFlags } from '../../command/scope-flags.js';
import { cellOf, jsonLine, printable, timeCell } from '../../output/printable.js';
import { withConnection } from '../connection.js';
import { untilInterrupted } from '../until-interrupted.js';
import { recordOf } from './record-target.js';

/** Deletes the current revision; a change in between is refused. */
export const remove: ClientCommand = {
  name: 'memory delete',
  positionals: ['record'],
  summary: 'Delete a record, by its id or its name.',
  description: [
    'Deletes the current record. Its history stays for as long as the retention of the scope says.',
  ],
  isCall: true,
  hasJson: true,
  ownFlags: [...scopeFlags, { name: 'yes', summary: 'Delete without asking on a terminal.' }],
  examples: ['agentkeep memory delete handbook', 'agentkeep memory delete handbook --yes'],
  run: ({ io, flags, json, positionals: [target = ''] }) =>
    withConnection({ io, flags }, async ({ agent, scope }) => {
      const memory = agent.memory.in(scope());
      const { record_id: recordId, revision, payload } = await recordOf(memory, target);
      if (!flags.has('yes')) await confirm(io, `Delete ${shown(payload.content.primary)}?`);
      const receipt = await memory.delete({ recordId, expectedRevision: revision });
      await io.writeOut(json ? jsonLine(receipt) : `${receipt.action} ${recordId}\n`);
    }),
};

/** Asks a person, if there is one. */
async function confirm({ ask }: CommandIo, question: string): Promise<void> {
  if (ask === undefined || /^y(?:es)?$/i.test((await ask(`${question} [y/N] `)).trim())) return;
  throw new CommandError('Nothing was deleted.');
}

const SHOWN_CHARS = 60;

/** Returns the beginning of a text, in quotes. */
function shown(text: string): string {
  const start = Array.from(text).slice(0, SHOWN_CHARS).join('');
  return `"${printable(start)}${start === text ? '' : '…'}"`;
}

/** Prints a line for each change, until Ctrl+C. */
export const follow: ClientCommand = {
  name: 'memory follow',
  positionals: [],
  summary: 'Print each change of a scope as it is committed, until Ctrl+C.',
  description: [
    'Prints a line for each change, from now on, or from a cursor of an earlier line. With --json ' +
      'each line has the cursor to go on from.',
  ],
  isCall: true,
  hasJson: true,
  ownFlags: [
    ...scopeFlags,
    { name: 'after', placeholder: '<cursor>', summary: 'Begin after this cursor. Default: now.' },
  ],
  examples: ['agentkeep memory follow --json'],
  run: ({ io, flags, json }) =>
    withConnection({ io, flags }, ({ agent, scope }) =>
      untilInterrupted(io, async (signal) => {
        const after = flags.text('after') ?? 'latest';
        for await (const change of agent.memory.in(scope()).changes({ after, signal })) {
          const { committed_at_millis, action, record_id, revision } = change;
          const cells = [timeCell(committed_at_millis), cellOf(action), record_id, revision];
          await io.writeOut(json ? jsonLine(change) : `${cells.join('  ')}\n`);
        }
      }),
    ),
};
