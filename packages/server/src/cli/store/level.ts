/** `agentkeep level show` and `agentkeep level raise`: the feature level of a store. */
import { CONTRACT_VERSION } from '@agentkeep/core';
import { storeLevel } from '@agentkeep/core/operator';
import type { Invocation, ServiceCommand } from '../command/command.js';
import { CommandError } from '../command/command-error.js';
import { CHANGE_OPTIONS } from '../command/option-sets.js';
import { jsonLine } from '../output/printable.js';
import { withDatabase } from './open-store.js';
import { openToChange } from './open-to-change.js';

/** The level and the servers of a store. */
export type ShownLevel = Awaited<ReturnType<typeof storeLevel.read>>;

const level: ServiceCommand = {
  name: 'level show',
  positionals: [],
  summary: 'Show the feature level of the store and the servers that have it open.',
  description: [
    'The level decides what is written, so that servers of two neighbouring versions can share a ' +
      'database, and the older version can come back until the level is raised.',
    'Safe beside a running server: a data directory that is served is copied first, which needs ' +
      'as much temporary disk space as the store.',
  ],
  options: ['data_dir', 'store_url'],
  hasJson: true,
  examples: ['agentkeep level show', 'agentkeep level show --store-url-file ./store_url --json'],
  run: async ({ io, options: { dataDir, storeUrl }, json }) => {
    const found = await (storeUrl === undefined
      ? storeLevel.read({ dataDir })
      : withDatabase(storeUrl, (store) => storeLevel.read({ store })));
    const text = [levelSentence(found), ...found.servers.map(serverLine)].join('\n');
    await io.writeOut(
      json ? jsonLine({ contract_version: CONTRACT_VERSION, ...found }) : `${text}\n`,
    );
  },
};

const raise: ServiceCommand = {
  name: 'level raise',
  positionals: [],
  summary: 'Raise the feature level of the store; older versions are refused from then on.',
  description: [
    'Raises the level to the newest of this version. It never goes down: the version before ' +
      'cannot open the store again, so make a snapshot first.',
    'With a database, servers keep running; if one of them does not support the level, nothing is ' +
      'changed and the command names that server. The server of a data directory must be stopped first. Without this ' +
      'command the level is raised a day after the last older server left, unless the option ' +
      'raise_level is false.',
  ],
  options: CHANGE_OPTIONS,
  hasJson: true,
  examples: ['agentkeep level raise --store-url-file ./store_url'],
  run: runRaise,
};

/** The commands of the level. */
export const levelCommands: readonly ServiceCommand[] = [level, raise];

async function runRaise({ io, options, json }: Invocation): Promise<void> {
  await using keep = await openToChange(options);
  const { unsupported_by: older, ...raised } = await storeLevel.raise(keep);
  if (older.length > 0) {
    const names = older.map(({ version, newest_level: newest }) => `${version} (up to ${newest})`);
    throw new CommandError(
      `The level stays ${raised.level}, because servers do not support the next one: ` +
        `${names.join(', ')}. Stop them, or wait two minutes if they were killed; then retry.`,
    );
  }
  const change = raised.is_raised ? 'was raised to' : 'was already';
  await io.writeOut(
    json
      ? jsonLine({ contract_version: CONTRACT_VERSION, ...raised })
      : `The level ${change} ${raised.level}.\n`,
  );
}

/** States the level of a store, and when it is raised. */
export function levelSentence({ level: at, newest_level: newest, raised_at_millis }: ShownLevel) {
  const own = `The store has feature level ${at}, and this version supports up to ${newest}.`;
  if (raised_at_millis === null) return own;
  return `${own} It is raised at ${new Date(raised_at_millis).toISOString()}.`;
}

/** States the version and the levels of a server. */
export function serverLine({ version, oldest_level, newest_level }: ShownLevel['servers'][number]) {
  return `Server of version ${version}: levels ${oldest_level} to ${newest_level}`;
}
