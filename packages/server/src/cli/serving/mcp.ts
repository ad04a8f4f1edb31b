/** `agentkeep mcp`: serves the Model Context Protocol to one client, over standard input. */
import { connect } from '@agentkeep/client';
import { agentSecretFile, readAgentSecret } from '../../options/agent-secret.js';
import { requirePrivate } from '../client/profiles/private-file.js';
import { DEFAULT_URL } from '../../options/client-variables.js';
import type { Invocation, ServiceCommand } from '../command/command.js';
import { scopeFlags, scopeOf } from '../command/scope-flags.js';
import { importMcpStdio } from './import-mcp.js';
import { UsageError } from '../command/usage-error.js';

/** Writes nothing but messages of the protocol to standard output. */
export const mcp: ServiceCommand = {
  name: 'mcp',
  positionals: [],
  summary: 'Give one MCP client the memory of a running server, over standard input.',
  description: [
    'A program of a desktop client starts this command and speaks the Model Context Protocol with ' +
      'it over standard input and output, until it closes the input. The calls go to a server that ' +
      'runs already, as the agent of the secret.',
    'The secret comes from AGENTKEEP_SECRET, or from the file that --secret-file or ' +
      'AGENTKEEP_SECRET_FILE names. With a scope, tools need not name one. The profile graph has ' +
      'the nine tools of a knowledge graph, and needs a scope.',
  ],
  options: [],
  ownFlags: [
    { name: 'url', placeholder: '<url>', summary: `Address of the server; ${DEFAULT_URL}.` },
    { name: 'secret-file', placeholder: '<file>', summary: 'File with the secret of the agent.' },
    { name: 'profile', placeholder: '<name>', summary: 'Tools: agentkeep (default) or graph.' },
    ...scopeFlags,
  ],
  examples: [
    'AGENTKEEP_SECRET=ak1_… agentkeep mcp --url http://127.0.0.1:7474',
    'agentkeep mcp --secret-file ./secret --profile graph --project-id p --agent-id a',
  ],
  run,
};

async function run({ io, flags }: Invocation): Promise<void> {
  const profile = flags.text('profile') ?? 'agentkeep';
  if (profile !== 'agentkeep' && profile !== 'graph') {
    throw new UsageError('--profile is agentkeep or graph.');
  }
  const scope = scopeOf(flags);
  if (profile === 'graph' && scope === undefined) {
    throw new UsageError('The profile graph needs --project-id and --agent-id.');
  }
  const secret = readAgentSecret(io.environment, flags.text('secret-file'));
  const file = agentSecretFile(io.environment, flags.text('secret-file'));
  if (file !== undefined) requirePrivate(io, file);
  const agent = connect({ url: flags.text('url') ?? DEFAULT_URL, secret });
  const { serveMcpStdio } = await importMcpStdio();
  await serveMcpStdio({ agent, profile, scope }).closed;
}
