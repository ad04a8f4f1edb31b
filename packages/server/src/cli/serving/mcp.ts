/** `agentkeep mcp`: serves the Model Context Protocol to one client, over standard input. */
import { connect, type ScopeInput } from '@agentkeep/client';
import { readAgentSecret } from '../options/agent-secret.js';
import type { Command, Invocation } from './command.js';
import { importMcpStdio } from './import-mcp.js';
import { UsageError } from './usage-error.js';

const DEFAULT_URL = 'http://127.0.0.1:7474';

/** Writes nothing but messages of the protocol to standard output. */
export const mcp: Command = {
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
    { name: 'project-id', placeholder: '<id>', summary: 'Project of the scope.' },
    { name: 'mission-id', placeholder: '<id>', summary: 'Mission of the scope, if it has one.' },
    { name: 'agent-id', placeholder: '<id>', summary: 'Agent of the scope.' },
    { name: 'visibility', placeholder: '<v>', summary: 'private (default) or shared.' },
  ],
  examples: [
    'AGENTKEEP_SECRET=ak1_… agentkeep mcp --url http://127.0.0.1:7474',
    'agentkeep mcp --secret-file ./secret --profile graph --project-id p --agent-id a',
  ],
  run,
};

async function run({ io, ownFlags }: Invocation): Promise<void> {
  const flag = (name: string): string | undefined => {
    const value = ownFlags[name];
    return value === true ? undefined : value;
  };
  const profile = flag('profile') ?? 'agentkeep';
  if (profile !== 'agentkeep' && profile !== 'graph') {
    throw new UsageError('--profile is agentkeep or graph.');
  }
  const scope = scopeOf(flag);
  if (profile === 'graph' && scope === undefined) {
    throw new UsageError('The profile graph needs --project-id and --agent-id.');
  }
  const secret = readAgentSecret(io.environment, flag('secret-file'));
  const agent = connect({ url: flag('url') ?? DEFAULT_URL, secret });
  const { serveMcpStdio } = await importMcpStdio();
  await serveMcpStdio({ agent, profile, scope }).closed;
}

function scopeOf(flag: (name: string) => string | undefined): ScopeInput | undefined {
  const [project, agent] = [flag('project-id'), flag('agent-id')];
  const [mission, visibility] = [flag('mission-id'), flag('visibility') ?? 'private'];
  if (project === undefined && agent === undefined && mission === undefined) return undefined;
  if (project === undefined || agent === undefined) {
    throw new UsageError('A scope needs both --project-id and --agent-id.');
  }
  if (visibility !== 'private' && visibility !== 'shared') {
    throw new UsageError('--visibility is private or shared.');
  }
  const members = { project_id: project, agent_id: agent, visibility } as const;
  return mission === undefined ? members : { ...members, mission_id: mission };
}
