/** `agentkeep bootstrap-master`: makes the credential that administrates the installation. */
import { AgentkeepError } from '@agentkeep/core';
import { bootstrapMaster as bootstrap } from '@agentkeep/core/operator';
import type { Invocation, ServiceCommand } from '../command/command.js';
import { CHANGE_OPTIONS } from '../command/option-sets.js';
import { CommandError } from '../command/command-error.js';
import { deliver } from '../output/deliver.js';
import { keptSecret, SECRET_FLAG } from '../output/kept-secret.js';
import { openToChange } from './open-to-change.js';

/** Prints one JSON line with the secret. The secret is not stored. */
export const bootstrapMaster: ServiceCommand = {
  name: 'bootstrap-master',
  positionals: ['subject-id'],
  summary: 'Create the master of the installation; prints its secret once.',
  description: [
    'Makes the master: the credential that registers tenants, appoints their administrators ' +
      'and delegates parts of its authority. An installation has one master, ever. No HTTP ' +
      'request can make, reset or recover it.',
    'Prints one JSON line {"contract_version","credential","secret"}, or with --write-secret ' +
      'the path of the file instead of the secret. The secret is printed only once and cannot be ' +
      'read again. Keep the revision too: `agentkeep recover-master` ' +
      'needs it if the secret is lost.',
    'The server must be stopped first.',
  ],
  options: CHANGE_OPTIONS,
  ownFlags: [SECRET_FLAG],
  examples: [
    'agentkeep bootstrap-master root --data-dir ./data',
    'agentkeep bootstrap-master root --write-secret ./master',
  ],
  run,
};

async function run({ io, options, flags, positionals }: Invocation): Promise<void> {
  const [subjectId = ''] = positionals;
  await using keep = await openToChange(options);
  using keeper = keptSecret(flags);
  const issued = await bootstrap(keep, subjectId).catch((error: unknown) => {
    throw explained(error);
  });
  const { revision } = issued.credential;
  const otherwise = `Make a new secret with \`agentkeep recover-master ${revision}\`.`;
  await deliver(issued, { io, keeper, otherwise });
}

function explained(error: unknown): unknown {
  if (!(error instanceof AgentkeepError) || error.code !== 'master_exists') return error;
  return new CommandError(
    'This installation already has its one master. If its secret is lost or it was revoked, ' +
      'use `agentkeep recover-master`.',
    { cause: error },
  );
}
