/** Visual Studio Code: hooks of its agents, which store prompts, and the tools of MCP. */
import { platform } from 'node:process';
import { join } from 'node:path';
import { type Host, type HostFile, type HostLocation, shellCommand } from './host-files.js';

const EVENTS = ['SessionStart', 'UserPromptSubmit'];
/** Seconds after which it ends a hook that hangs. */
const TIMEOUT_SECONDS = 5;

/** Its files, for the user or for a project. */
export const vscode: Host = {
  name: 'vscode',
  title: 'Visual Studio Code',
  isTried: false,
  folders: (location) => [mcpFolder(location), userFolder(location)],
  files: (location) => {
    const { home, project, program, hasServer } = location;
    const [command = '', ...words] = program;
    const hook = shellCommand([...program, 'hook', 'vscode']);
    const value = { type: 'command', command: hook, timeout: TIMEOUT_SECONDS };
    const folder = project === undefined ? join(home, '.copilot') : join(project, '.github');
    const hooks: HostFile = {
      path: join(folder, 'hooks', 'agentkeep.json'),
      kind: 'json',
      edits: EVENTS.map((event) => ({ path: ['hooks', event], isItem: true, value })),
    };
    if (!hasServer) return [hooks];
    const server = { type: 'stdio', command, args: [...words, 'hook', 'mcp'] };
    const edits = [{ path: ['servers', 'agentkeep'], value: server }];
    return [hooks, { path: join(mcpFolder(location), 'mcp.json'), kind: 'json', edits }];
  },
  note: 'Its hooks take no text and give no answer: it recalls by MCP, which needs a server.',
};

function mcpFolder(location: HostLocation): string {
  return location.project === undefined ? userFolder(location) : join(location.project, '.vscode');
}

function userFolder({ home, environment }: HostLocation): string {
  const config = environment['XDG_CONFIG_HOME'] ?? join(home, '.config');
  const mac = join(home, 'Library', 'Application Support');
  const windows = environment['APPDATA'] ?? join(home, 'AppData', 'Roaming');
  const base = platform === 'darwin' ? mac : platform === 'win32' ? windows : config;
  return join(base, 'Code', 'User');
}
