/** Loads the optional package for the Model Context Protocol. */
import { CommandError } from './command-error.js';

const PACKAGE = '@agentkeep/mcp';

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
  return installed(() => import('@agentkeep/mcp/skills'));
}

async function installed<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    const isMissing = cause instanceof Error && 'code' in cause;
    if (!isMissing || cause.code !== 'ERR_MODULE_NOT_FOUND') throw cause;
    throw new CommandError(
      `The Model Context Protocol needs the package ${PACKAGE}. Install it beside ` +
        `@agentkeep/server: npm install ${PACKAGE}`,
      { cause },
    );
  }
}
