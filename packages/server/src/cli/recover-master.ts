/**
 * `agentkeep recover-master`: a new secret for a master whose secret is lost, or which was revoked.
 * @module
 */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { AgentkeepError } from '@agentkeep/core';
import { recoverMaster as recover } from '@agentkeep/core/operator';
import { CHANGE_OPTIONS, type Command, type Invocation } from './command.js';
import { CommandError } from './command-error.js';
import { deliver } from './deliver.js';
import { openToChange } from './open-to-change.js';
import { UsageError } from './usage-error.js';

const REVISION = /^(?:0|[1-9]\d{0,15})$/;

/** Prints one JSON line with the new secret; the old one is dead then. */
export const recoverMaster: Command = {
  name: 'recover-master',
  positionals: ['expected-revision'],
  summary: 'Give the master a new secret, also after it was revoked; prints it once.',
  description: [
    'Gives the master of the installation a new secret and ends its revocation. The old secret ' +
      'and every session that rests on it are dead. Delegates that were revoked stay revoked.',
    'The expected revision is that of the last change that you know of, so that nobody undoes a ' +
      'change unseen. If it is another one, nothing is changed and the current one is told.',
    'Prints one JSON line {"contract_version","credential","secret"}. The secret is shown this ' +
      'once and cannot be read again.',
    'Needs the data directory for itself, so stop the server first.',
  ],
  options: CHANGE_OPTIONS,
  examples: [
    'agentkeep recover-master 1 --data-dir ./data',
    'agentkeep recover-master 4 > master.json',
  ],
  run,
};

async function run({ io, options, positionals: [text = ''] }: Invocation): Promise<void> {
  const revision = Number(text);
  if (!REVISION.test(text) || !Number.isSafeInteger(revision)) {
    const problem = `${JSON.stringify(text)} is no revision. Allowed is an integer, such as 1.`;
    throw new UsageError(`expected-revision: ${problem}`);
  }
  if (options.storeUrl === undefined && !existsSync(options.dataDir)) {
    const place = resolve(options.dataDir);
    throw new CommandError(`There is no ${place}. Name the data directory with --data-dir.`);
  }
  await using keep = await openToChange(options);
  const recovered = await recover(keep, revision).catch((error: unknown) => {
    throw explained(error, revision);
  });
  const { revision: current } = recovered.credential;
  await deliver(io, recovered, `Get another one with \`agentkeep recover-master ${current}\`.`);
}

function explained(error: unknown, expected: number): unknown {
  if (!(error instanceof AgentkeepError)) return error;
  if (error.code === 'master_absent') {
    return new CommandError(
      'This installation has no master yet, so nothing was changed. Make it with ' +
        '`agentkeep bootstrap-master`, or name another directory with --data-dir.',
      { cause: error },
    );
  }
  if (error.code !== 'revision_conflict') return error;
  const current = error.cause instanceof Error ? ` ${error.cause.message}` : '';
  return new CommandError(
    `The master is not at revision ${expected}, so nothing was changed.${current} If nobody else ` +
      'changed it in the meantime, repeat the command with that revision.',
    { cause: error },
  );
}
