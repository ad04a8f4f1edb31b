/** `agentkeep config`: shows the options that a server would run with. */
import type { ServiceCommand } from '../command/command.js';
import { SERVE_OPTIONS } from '../command/option-sets.js';
import { configLine, configTable } from './config-text.js';

/** Only reads the sources of options: opens and makes no directory. */
export const config: ServiceCommand = {
  name: 'config',
  positionals: [],
  summary: 'Show the effective options of a server, and where each one comes from.',
  description: [
    'Shows each option that `agentkeep serve` would use with the same flags, environment and ' +
      'file: its value, and the flag, variable or member of a file that it comes from. Secrets ' +
      'are redacted. An invalid option is reported as `agentkeep serve` would, with exit status 1.',
    'Opens and makes nothing, so it is safe beside a running server.',
  ],
  options: SERVE_OPTIONS,
  readsAdminPassword: true,
  hasJson: true,
  examples: ['agentkeep config', 'agentkeep config --config /etc/agentkeep.json --json'],
  run: async ({ io, sources, json }) => {
    await io.writeOut(
      json ? configLine(config, sources) : configTable(config, sources, io.terminal),
    );
  },
};
