/** Codex: hooks in a file of their own, and the tools of MCP in its configuration. */
import { join } from 'node:path';
import { type Host, type HostFile, type HostLocation, shellCommand } from './host-files.js';

const EVENTS = ['SessionStart', 'UserPromptSubmit', 'Stop'];
/** Seconds after which it ends a hook that hangs. */
const TIMEOUT_SECONDS = 5;

/** Its files, for the user or for a project. */
export const codex: Host = {
  name: 'codex',
  title: 'Codex',
  isTried: true,
  folders: (location) => [folderOf(location), join(location.home, '.codex')],
  files: (location) => {
    const folder = folderOf(location);
    const command = shellCommand([...location.program, 'hook', 'codex']);
    const value = { hooks: [{ type: 'command', command, timeout: TIMEOUT_SECONDS }] };
    const edits = EVENTS.map((event) => ({ path: ['hooks', event], isItem: true, value }));
    const hooks: HostFile = { path: join(folder, 'hooks.json'), kind: 'json', edits };
    if (!location.hasServer) return [hooks];
    const path = join(folder, 'config.toml');
    return [hooks, { path, kind: 'lines', lines: serverOfMcp(location.program), taken: TAKEN }];
  },
  note: 'Codex runs no hook before you trust it: start codex, and accept these with /hooks.',
};

/** The forms of a table that would be there twice, which TOML forbids. */
const TAKEN = String.raw`^\s*(?:\[\s*)?["']?(?:mcp_servers["']?\s*(?:=|\.\s*["']?agentkeep\b)|agentkeep["']?\s*[.=])`;

function folderOf({ home, project, environment }: HostLocation): string {
  if (project !== undefined) return join(project, '.codex');
  return environment['CODEX_HOME'] ?? join(home, '.codex');
}

/** Strings of JSON are strings of TOML too. */
function serverOfMcp([command = '', ...words]: readonly string[]): string {
  const args = [...words, 'hook', 'mcp'].map((word) => JSON.stringify(word)).join(', ');
  return `[mcp_servers.agentkeep]\ncommand = ${JSON.stringify(command)}\nargs = [${args}]\n`;
}
