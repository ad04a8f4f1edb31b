/**
 * `agentkeep bootstrap-master`: the credential that the whole installation is administrated with.
 * @module
 */
import { AgentkeepError } from '@agentkeep/core';
import { bootstrapMaster as bootstrap } from '@agentkeep/core/operator';
import { CHANGE_OPTIONS, type Command, type Invocation } from './command.js';
import { CommandError } from './command-error.js';
import { deliver } from './deliver.js';
import { openToChange } from './open-to-change.js';

/** Prints one JSON line with the secret, which is stored nowhere. */
export const bootstrapMaster: Command = {
  name: 'bootstrap-master',
  positionals: ['subject-id'],
  summary: 'Make the master of the installation, once; prints the secret once.',
  description: [
    'Makes the master: the credential that registers tenants, appoints their administrators and ' +
      'hands parts of its authority on. There is one per installation, ever. No request over ' +
      'HTTP makes, resets or recovers it.',
    'Prints one JSON line {"contract_version","credential","secret"}. The secret is shown this ' +
      'once and cannot be read again. Keep the revision too: `agentkeep recover-master` asks ' +
      'for it when the secret is lost.',
    'Needs the data directory for itself, so stop the server first.',
  ],
  options: CHANGE_OPTIONS,
  examples: [
    'agentkeep bootstrap-master root --data-dir ./data',
    'agentkeep bootstrap-master root > master.json',
  ],
  run,
};

async function run({ io, options, positionals: [subjectId = ''] }: Invocation): Promise<void> {
  await using keep = await openToChange(options);
  const issued = await bootstrap(keep, subjectId).catch((error: unknown) => {
    throw explained(error);
  });
  const { revision } = issued.credential;
  await deliver(io, issued, `Get another one with \`agentkeep recover-master ${revision}\`.`);
}

function explained(error: unknown): unknown {
  if (!(error instanceof AgentkeepError) || error.code !== 'master_exists') return error;
  return new CommandError(
    'The master of this installation was made before, and there is only ever one. If its secret ' +
      'is lost or it was revoked, use `agentkeep recover-master`.',
    { cause: error },
  );
}
