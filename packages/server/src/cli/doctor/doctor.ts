/** `agentkeep doctor`: says what is wrong with an installation, and what to do. */
import type { ServiceCommand } from '../command/command.js';
import { SERVE_OPTIONS } from '../command/option-sets.js';

/** Opens no data directory and changes nothing in one, so it is safe beside a server. */
export const doctor: ServiceCommand = {
  name: 'doctor',
  positionals: [],
  summary: 'Check this installation and suggest how to fix problems.',
  description: [
    'Checks what `agentkeep serve` would use with the same flags, environment and file: the data ' +
      'directory or the database, its disk and its rights, the snapshots, the key files, the ' +
      'model of the option meaning, and whether a server answers. Then checks the server and the ' +
      'secret of the default profile (`agentkeep profiles list`).',
    'Each finding is ok, a warning or a problem. The exit status is 1 if there is a problem. A ' +
      'data directory is only read; a database is opened as a server opens it.',
  ],
  options: SERVE_OPTIONS,
  hasJson: true,
  examples: ['agentkeep doctor', 'agentkeep doctor --config /etc/agentkeep.json --json'],
  run: async (invocation) => {
    // Loaded here, because no other command needs it.
    const { examine } = await import('./examine.js');
    await examine(invocation);
  },
};
