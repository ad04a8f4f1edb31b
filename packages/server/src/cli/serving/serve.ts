/**
 * `agentkeep serve`: serves a data directory over HTTP.
 */
import type { ServiceCommand } from '../command/command.js';
import { SERVE_OPTIONS } from '../command/option-sets.js';
import { serveKeep } from './serve-keep.js';

/** Makes no tenant or credential; logs to standard output. */
export const serve: ServiceCommand = {
  name: 'serve',
  positionals: [],
  summary: 'Serve a data directory over HTTP until SIGINT or SIGTERM.',
  description: [
    'Serves a data directory. Makes no tenant or credential: make the first administrator of ' +
      'a tenant with `agentkeep bootstrap-tenant` first.',
    'One process serves a directory at a time. On SIGINT or SIGTERM the server refuses new ' +
      'connections, finishes accepted requests within the grace, flushes the store and ends with ' +
      'exit status 0. A second signal ends it at once, with exit status 1.',
    'The log goes to standard output as JSON lines. It never contains a secret.',
  ],
  options: SERVE_OPTIONS,
  examples: [
    'agentkeep serve --data-dir ./data',
    'AGENTKEEP_HOST=0.0.0.0 AGENTKEEP_PORT=8080 agentkeep serve',
  ],
  run: ({ io, options }) =>
    serveKeep(options, (text) => {
      // Continues to serve when the reader of the log has gone.
      io.writeOut(text).catch(() => undefined);
    }),
};
