/** `agentkeep mcp`: serves the Model Context Protocol to one client, over standard input. */
import { connect, type ConnectOptions, type ScopeInput } from '@agentkeep/client';
import { readAgentKey } from '../../options/agent-key.js';
import { readAgentSecret } from '../../options/agent-secret.js';
import { serverWithoutName } from '../client/profiles/chosen-server.js';
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
      'AGENTKEEP_SECRET_FILE names. Without these, address, secret and scope are those of the ' +
      'profile that AGENTKEEP_PROFILE names, or of the default profile. With --key-file there is no ' +
      'secret: the command makes a key, keeps it in the file, and proves it in each call.',
    'With a scope, tools need not name one. --profile chooses the tools: graph has the nine tools ' +
      'of a knowledge graph, and needs a scope.',
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
    'agentkeep mcp',
    'AGENTKEEP_SECRET=ak1_… agentkeep mcp --url http://127.0.0.1:7474',
    'agentkeep mcp --key-file ./robot.key --url http://127.0.0.1:7474',
    'agentkeep mcp --secret-file ./secret --profile graph --project-id demo --agent-id assistant',
  ],
  run,
};

async function run({ io, flags }: Invocation): Promise<void> {
  const profile = flags.text('profile') ?? 'agentkeep';
  if (profile !== 'agentkeep' && profile !== 'graph') {
    throw new UsageError('--profile is agentkeep or graph.');
  }
  const { scope: ofProfile, ...server } = serverOf(io, flags);
  const scope = scopeOf(flags) ?? ofProfile;
  if (profile === 'graph' && scope === undefined) {
    throw new UsageError('The profile graph needs --project-id and --agent-id.');
  }
  const agent = connect(server);
  const { serveMcpStdio } = await importMcpStdio();
  await serveMcpStdio({ agent, profile, scope }).closed;
}

/** A server, the proof of its caller, and the scope of a profile. */
type Server = Pick<ConnectOptions, 'url' | 'key' | 'secret'> & {
  readonly scope?: ScopeInput | undefined;
};

/** Returns the server that the flags, the environment or the default profile name. */
function serverOf(io: Invocation['io'], flags: Invocation['flags']): Server {
  const [keyFile, secretFile] = [flags.text('key-file'), flags.text('secret-file')];
  if (keyFile !== undefined) {
    if (secretFile !== undefined) throw new UsageError('Give either --key-file or --secret-file.');
    requirePrivate(io, keyFile);
    const key = readAgentKey(keyFile, flags.text('credential'));
    return { url: flags.text('url') ?? DEFAULT_URL, key };
  }
  if (flags.has('credential')) throw new UsageError('--credential belongs to --key-file.');
  const found = serverWithoutName(io, flags);
  if (found === undefined) {
    return { url: DEFAULT_URL, secret: readAgentSecret(io.environment, undefined) };
  }
  const { url, caller, scope, origin, files } = found;
  for (const file of files) requirePrivate(io, file);
  if ('secret' in caller) return { url, ...caller, scope };
  throw new UsageError(
    `In ${origin} a person signs in with a password. Choose a profile with the secret of an agent: ` +
      'set AGENTKEEP_PROFILE.',
  );
}
