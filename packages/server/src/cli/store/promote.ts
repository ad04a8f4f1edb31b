/** `agentkeep promote`: lets a standby or a restored directory write to its replication target. */
import { AgentkeepError } from '@agentkeep/core';
import { promoteReplica } from '@agentkeep/core/operator';
import { CommandError } from '../command/command-error.js';
import type { Invocation, ServiceCommand } from '../command/command.js';
import { jsonLine } from '../output/printable.js';

/** Fences the directory that wrote before. */
export const promote: ServiceCommand = {
  name: 'promote',
  positionals: ['target'],
  summary: 'Make a standby or a restored directory the only one that writes to a target.',
  description: [
    'First stop `agentkeep follow`, or restore the newest state with `agentkeep restore --from`. ' +
      'The next server that starts on the directory with --replicate-to writes to the target. The ' +
      'directory that wrote to the target before is fenced: its server can no longer write there.',
    'If the target has later commits than the directory, the command changes nothing. With ' +
      '--new-generation the directory continues without these commits, which can still be restored.',
  ],
  options: ['data_dir'],
  isForDirectories: true,
  ownFlags: [
    { name: 'new-generation', summary: 'Continue without the newest commits of the target.' },
  ],
  hasJson: true,
  examples: ['agentkeep promote /mnt/replica --data-dir ./restored'],
  run,
};

async function run({ io, options, positionals, json, flags }: Invocation): Promise<void> {
  const [target = ''] = positionals;
  const { dataDir } = options;
  const newGeneration = flags.has('new-generation');
  const report = await promoteReplica({ target, dataDir, newGeneration }).catch(
    (error: unknown) => {
      throw explained(error, dataDir);
    },
  );
  const { data_directory: directory, epoch, generation, position } = report;
  const text =
    `${directory} writes to ${target} from now on, after position ${position} of generation ` +
    `${generation}, in epoch ${epoch}\n`;
  await io.writeOut(json ? jsonLine(report) : text);
}

function explained(error: unknown, dataDir: string): unknown {
  if (!(error instanceof AgentkeepError) || error.code !== 'replica_behind') return error;
  return new CommandError(
    `The target has later commits than ${dataDir}. Restore its newest state into another ` +
      'directory and promote that one, or continue without these commits with --new-generation.',
    { cause: error },
  );
}
