/** `agentkeep recover-master`: gives the master a new secret, also after its revocation. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { AgentkeepError } from '@agentkeep/core';
import { recoverMaster as recover } from '@agentkeep/core/operator';
import type { Invocation, ServiceCommand } from '../command/command.js';
import { CHANGE_OPTIONS } from '../command/option-sets.js';
import { CommandError } from '../command/command-error.js';
import { deliver } from '../output/deliver.js';
import { keptSecret, SECRET_FLAG } from '../output/kept-secret.js';
import { openToChange } from './open-to-change.js';
import { UsageError } from '../command/usage-error.js';

const REVISION = /^(?:0|[1-9]\d{0,15})$/;

/** Prints one JSON line with the new secret; the old one stops working. */
export const recoverMaster: ServiceCommand = {
  name: 'recover-master',
  positionals: ['expected-revision'],
  summary: 'Issue a new secret for the master, even if it was revoked; prints it once.',
  description: [
    'Gives the master of the installation a new secret and lifts its revocation. The old ' +
      'secret and all sessions based on it stop working. Revoked delegates stay revoked.',
    'The expected revision is that of the last change you know of, so that you never ' +
      'overwrite a change you have not seen. If the revision is another one, nothing is changed ' +
      'and the current one is reported.',
    'Prints one JSON line {"contract_version","credential","secret"}, or with --write-secret ' +
      'the path of the file instead of the secret. The secret is printed only once and cannot be ' +
      'read again.',
    'The server must be stopped first.',
  ],
  options: CHANGE_OPTIONS,
  ownFlags: [SECRET_FLAG],
  examples: [
    'agentkeep recover-master 1 --data-dir ./data',
    'agentkeep recover-master 4 --write-secret ./master',
  ],
  run,
};

async function run({ io, options, flags, positionals }: Invocation): Promise<void> {
  const [text = ''] = positionals;
  const revision = Number(text);
  if (!REVISION.test(text) || !Number.isSafeInteger(revision)) {
    const problem = `${JSON.stringify(text)} is not a revision. Give an integer, for example 1.`;
    throw new UsageError(`expected-revision: ${problem}`);
  }
  if (options.storeUrl === undefined && !existsSync(options.dataDir)) {
    const place = resolve(options.dataDir);
    throw new CommandError(`${place} does not exist. Name the data directory with --data-dir.`);
  }
  await using keep = await openToChange(options);
  using keeper = keptSecret(flags);
  const recovered = await recover(keep, revision).catch((error: unknown) => {
    throw explained(error, revision);
  });
  const { revision: current } = recovered.credential;
  const otherwise = `Make a new secret with \`agentkeep recover-master ${current}\`.`;
  await deliver(recovered, { io, keeper, otherwise });
}

function explained(error: unknown, expected: number): unknown {
  if (!(error instanceof AgentkeepError)) return error;
  if (error.code === 'master_absent') {
    return new CommandError(
      'This installation has no master yet. Nothing was changed. Make it with `agentkeep ' +
        'bootstrap-master`, or name another directory with --data-dir.',
      { cause: error },
    );
  }
  if (error.code !== 'revision_conflict') return error;
  const current = error.cause instanceof Error ? ` ${error.cause.message}` : '';
  return new CommandError(
    `The master is not at revision ${expected}. Nothing was changed.${current} If you know of ` +
      'the changes since, repeat the command with that revision.',
    { cause: error },
  );
}
