/** `agentkeep audit verify`: verifies the hash chains of an audit log on a server. */
import type { OutputOf } from '@agentkeep/core/clients';
import type { ClientCommand, ClientInvocation } from '../../command/command.js';
import { CommandError } from '../../command/command-error.js';
import { jsonLine } from '../../output/printable.js';
import { withConnection } from '../connection.js';

/** Prints the digests of the chains, or where they do not hold with exit status 1. */
export const verifyLog: ClientCommand = {
  name: 'audit verify',
  positionals: [],
  summary: 'Verify that no kept audit event was altered, removed or moved.',
  description: [
    'Asks the server to follow the hash chains of the log, part by part, and prints where each ' +
      'chain ends. Exit status 1, and the event, where a chain does not hold.',
  ],
  isCall: true,
  hasJson: true,
  ownFlags: [
    {
      name: 'tenant-id',
      placeholder: '<id>',
      summary: 'Log of this tenant, for administrators of the installation.',
    },
  ],
  examples: ['agentkeep audit verify'],
  run,
};

async function run(invocation: ClientInvocation): Promise<void> {
  const { io, flags, json } = invocation;
  await withConnection(invocation, async ({ agent }) => {
    const verified = await agent.audit.verify({
      tenantId: flags.text('tenant-id'),
      onProgress: ({ events_checked: checked, events_kept: kept }) => {
        if (io.isWatched === true) io.writeError(`\r${checked} of ${kept} events`);
      },
    });
    if (io.isWatched === true) io.writeError('\n');
    await io.writeOut(json ? jsonLine(verified) : shownVerification(verified));
    const { broken } = verified;
    if (broken === null) return;
    throw new CommandError(
      `The audit log does not verify at event ${broken.event_id} (${broken.reason}). Keep the ` +
        'store as evidence and restore a backup.',
    );
  });
}

function shownVerification(verified: OutputOf<'verifyAuditChain'>): string {
  const { status, events_checked: events, blocks_checked: blocks, chains } = verified;
  const ends = chains.map(
    ({ chain, events: kept, digest }) => `${chain}  ${kept} events  ${digest}\n`,
  );
  return `${status}: ${events} events in ${blocks} blocks\n${ends.join('')}`;
}
