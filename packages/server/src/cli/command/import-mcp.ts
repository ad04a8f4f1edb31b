/** Loads the optional package for the Model Context Protocol. */
import { CommandError } from './command-error.js';

const PACKAGE = '@agentkeep/mcp';
const PROTOCOL = 'The Model Context Protocol';

/**
 * Returns the package for MCP over HTTP.
 * @throws {CommandError} when it is not installed.
 */
export function importMcp() {
  return installed(() => import('@agentkeep/mcp'));
}

/**
 * Returns the package for MCP over standard input.
 * @throws {CommandError} when it is not installed.
 */
export function importMcpStdio() {
  return installed(() => import('@agentkeep/mcp/stdio'));
}

/**
 * Returns the graph of MCP, as its tools store it.
 * @throws {CommandError} when the package is not installed.
 */
export function importMcpGraph() {
  return installed(() => import('@agentkeep/mcp/graph'));
}

/**
 * Returns the skills of MCP, as a host reads them.
 * @throws {CommandError} when the package is not installed.
 */
export function importMcpSkills() {
  return installed(() => import('@agentkeep/mcp/skills'), 'The export of skills');
}

async function installed<T>(load: () => Promise<T>, what = PROTOCOL): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    const isMissing = cause instanceof Error && 'code' in cause;
    if (!isMissing || cause.code !== 'ERR_MODULE_NOT_FOUND') throw cause;
    throw new CommandError(adviceFor(what), { cause });
  }
}

function adviceFor(what: string): string {
  return (
    `${what} needs the package ${PACKAGE}. Install it where @agentkeep/server is, globally or in ` +
    `a project: npm install ${PACKAGE}`
  );
}
