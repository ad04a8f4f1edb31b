/** `agentkeep openapi`: prints the contract of the HTTP API. */
import { contractDocument } from '../openapi/document.js';
import type { Command } from './command.js';

/** Needs no server and no data directory. */
export const openapi: Command = {
  name: 'openapi',
  positionals: [],
  summary: 'Print the OpenAPI document of the HTTP API.',
  description: [
    'Prints the OpenAPI 3.1 document that a running server returns at /openapi.json, for ' +
      'client generators and tests.',
  ],
  options: ['data_dir'],
  examples: ['agentkeep openapi > openapi.json'],
  run: ({ io }) => io.writeOut(`${JSON.stringify(contractDocument, undefined, 2)}\n`),
};
