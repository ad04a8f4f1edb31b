/**
 * `agentkeep serve`: serves a data directory.
 * @module
 */
import { type Command, SERVE_OPTIONS } from './command.js';
import { serveKeep } from './serve-keep.js';

/** Bootstraps nothing; log lines go to standard output. */
export const serve: Command = {
  name: 'serve',
  positionals: [],
  summary: 'Serve a data directory over HTTP until SIGINT or SIGTERM.',
  description: [
    'Serves a data directory and bootstraps nothing: make the first administrator of a ' +
      'tenant with `agentkeep bootstrap-tenant` before.',
    'One process serves a directory at a time. SIGINT and SIGTERM refuse new connections, ' +
      'wait for every accepted request, flush the store and end with exit status 0.',
    'The log goes to standard output as JSON lines; it never holds a secret.',
  ],
  options: SERVE_OPTIONS,
  examples: [
    'agentkeep serve --data-dir ./data',
    'AGENTKEEP_HOST=0.0.0.0 AGENTKEEP_PORT=8080 agentkeep serve',
  ],
  run: ({ io, options }) =>
    serveKeep(options, (text) => {
      // A reader of the log that has gone is no reason to stop serving.
      io.writeOut(text).catch(() => undefined);
    }),
};
