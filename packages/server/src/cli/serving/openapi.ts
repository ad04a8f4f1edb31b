/** `agentkeep openapi`: prints the contract of the HTTP API. */
import { contractText } from '../../openapi/contract-text.js';
import type { ServiceCommand } from '../command/command.js';

/** Needs no server and no data directory. */
export const openapi: ServiceCommand = {
  name: 'openapi',
  positionals: [],
  summary: 'Print the OpenAPI document of the HTTP API.',
  description: [
    'Prints the OpenAPI 3.1 document that a running server returns at /openapi.json, for ' +
      'client generators and tests.',
  ],
  options: ['data_dir'],
  examples: ['agentkeep openapi > openapi.json'],
  run: async ({ io }) => {
    const document: unknown = JSON.parse(await contractText());
    await io.writeOut(`${JSON.stringify(document, undefined, 2)}\n`);
  },
};
