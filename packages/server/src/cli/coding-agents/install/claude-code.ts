/** Claude Code: hooks and the status line in its settings, and the tools of MCP. */
import { join } from 'node:path';
import { type Host, type HostLocation, shellCommand } from './host-files.js';
import type { JsonEdit } from './json-edits.js';

const EVENTS = ['SessionStart', 'UserPromptSubmit', 'Stop', 'PreCompact', 'SessionEnd'];
/** Seconds after which it ends a hook that hangs. */
const TIMEOUT_SECONDS = 5;

/** Its files, for the user or for a project. */
export const claudeCode: Host = {
  name: 'claude-code',
  title: 'Claude Code',
  isTried: true,
  folders: (location) => [folderOf(location), join(location.home, '.claude')],
  files: (location) => {
    const { project, program, hasServer } = location;
    const folder = folderOf(location);
    // For the user it reads the servers of MCP from a file beside its folder.
    const global = location.environment['CLAUDE_CONFIG_DIR'] === undefined ? location.home : folder;
    const servers =
      project === undefined ? join(global, '.claude.json') : join(project, '.mcp.json');
    return [
      {
        path: join(folder, 'settings.json'),
        kind: 'json',
        edits: [...hooks(location), statusLine(location)],
      },
      ...(hasServer
        ? [{ path: servers, kind: 'json' as const, edits: [serverOfMcp(program)] }]
        : []),
    ];
  },
};

function folderOf({ home, project, environment }: HostLocation): string {
  if (project !== undefined) return join(project, '.claude');
  return environment['CLAUDE_CONFIG_DIR'] ?? join(home, '.claude');
}

function hooks({ program }: HostLocation): readonly JsonEdit[] {
  const command = shellCommand([...program, 'hook', 'claude-code']);
  const value = { hooks: [{ type: 'command', command, timeout: TIMEOUT_SECONDS }] };
  return EVENTS.map((event) => ({ path: ['hooks', event], isItem: true, value }));
}

/** A status line that a person has stays. */
function statusLine({ program }: HostLocation): JsonEdit {
  const command = shellCommand([...program, 'hook', 'status-line']);
  return { path: ['statusLine'], value: { type: 'command', command }, isOptional: true };
}

/** The form of a server that many hosts share. */
export function serverOfMcp([command = '', ...words]: readonly string[]): JsonEdit {
  const value = { command, args: [...words, 'hook', 'mcp'] };
  return { path: ['mcpServers', 'agentkeep'], value };
}
