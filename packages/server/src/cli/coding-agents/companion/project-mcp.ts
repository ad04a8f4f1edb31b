/** `agentkeep hook mcp`: the tools of MCP over the memory of the project that the host works in. */
import { cwd } from 'node:process';
import { connect } from '@agentkeep/client';
import { CommandError } from '../../command/command-error.js';
import { importMcpStdio } from '../../command/import-mcp.js';
import { agentsFolder, type Environment } from '../state/agents-folder.js';
import { projectOf } from '../state/project-of.js';
import { chosenMemory } from '../state/settings.js';
import { scopeOfProject } from './project-memory.js';

/** Hosts list the tools before they ask their model, so that a prompt would wait for a server. */
const LIST_MS_MAX = 300;

/**
 * Serves the server that was chosen over standard input, in the private scope of the project.
 * @throws {CommandError} when a store of this machine was chosen, which one process may open.
 */
export async function serveProjectMcp(environment: Environment): Promise<void> {
  const choice = chosenMemory(agentsFolder(environment).settings);
  if (choice.kind === 'here') {
    throw new CommandError('MCP needs a server: run `agentkeep install` with --server.');
  }
  const agent = connect({ url: choice.url, secret: choice.secret });
  const { serveMcpStdio } = await importMcpStdio();
  const scope = scopeOfProject(projectOf(cwd()));
  const caller = { agent, profile: 'agentkeep' as const, scope, listMsMax: LIST_MS_MAX };
  await serveMcpStdio(caller).closed;
}
