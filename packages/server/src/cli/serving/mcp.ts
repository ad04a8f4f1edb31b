/** `agentkeep mcp`: serves the Model Context Protocol to one client, over standard input. */
import { connect, type ConnectOptions } from '@agentkeep/client';
import { readAgentKey } from '../../options/agent-key.js';
import { agentSecretFile, readAgentSecret } from '../../options/agent-secret.js';
import { requirePrivate } from '../client/profiles/private-file.js';
import { DEFAULT_URL } from '../../options/client-variables.js';
import type { Invocation, ServiceCommand } from '../command/command.js';
import { scopeFlags, scopeOf } from '../command/scope-flags.js';
import { importMcpStdio } from '../command/import-mcp.js';
import { UsageError } from '../command/usage-error.js';

/** Writes nothing but messages of the protocol to standard output. */
export const mcp: ServiceCommand = {
  name: 'mcp',
  positionals: [],
  summary: 'Connect an MCP client to a running server, over standard input and output.',
  description: [
    'A program of a desktop client starts this command and speaks the Model Context Protocol with ' +
      'it over standard input and output, until it closes the input. The calls go to a server that ' +
      'runs already, as the agent of the secret.',
    'The secret comes from AGENTKEEP_SECRET, or from the file that --secret-file or ' +
      'AGENTKEEP_SECRET_FILE names. With --key-file there is none: the command makes a key, keeps ' +
      'it in the file, and proves it in each call. With a scope, tools need not name one. The profile graph has ' +
      'the nine tools of a knowledge graph, and needs a scope.',
  ],
  options: [],
  ownFlags: [
    { name: 'url', placeholder: '<url>', summary: `Address of the server; ${DEFAULT_URL}.` },
    { name: 'secret-file', placeholder: '<file>', summary: 'File with the secret of the agent.' },
    { name: 'key-file', placeholder: '<file>', summary: 'Key file, instead of a secret.' },
    {
      name: 'credential',
      placeholder: '<id>',
      summary: 'Id of the credential of the key; needed only once.',
    },
    { name: 'profile', placeholder: '<name>', summary: 'Tools: agentkeep (default) or graph.' },
    ...scopeFlags,
  ],
  examples: [
    'AGENTKEEP_SECRET=ak1_… agentkeep mcp --url http://127.0.0.1:7474',
    'agentkeep mcp --key-file ./robot.key --url http://127.0.0.1:7474',
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
  const agent = connect({ url: flags.text('url') ?? DEFAULT_URL, ...proofOf(io, flags) });
  const { serveMcpStdio } = await importMcpStdio();
  await serveMcpStdio({ agent, profile, scope }).closed;
}

/** Returns the key or the secret that the flags and the environment name. */
function proofOf(
  io: Invocation['io'],
  flags: Invocation['flags'],
): Pick<ConnectOptions, 'key' | 'secret'> {
  const [keyFile, secretFile] = [flags.text('key-file'), flags.text('secret-file')];
  if (keyFile !== undefined) {
    if (secretFile !== undefined) throw new UsageError('Give either --key-file or --secret-file.');
    requirePrivate(io, keyFile);
    return { key: readAgentKey(keyFile, flags.text('credential')) };
  }
  if (flags.has('credential')) throw new UsageError('--credential belongs to --key-file.');
  const secret = readAgentSecret(io.environment, secretFile);
  const file = agentSecretFile(io.environment, secretFile);
  if (file !== undefined) requirePrivate(io, file);
  return { secret };
}
