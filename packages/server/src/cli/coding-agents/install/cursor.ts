/** Cursor: hooks that store, and the tools of MCP. Its hooks add nothing to a prompt. */
import { join } from 'node:path';
import { serverOfMcp } from './claude-code.js';
import { type Host, type HostFile, shellCommand } from './host-files.js';

const EVENTS = ['sessionStart', 'beforeSubmitPrompt', 'afterAgentResponse'];

/** Its files, for the user or for a project. */
export const cursor: Host = {
  name: 'cursor',
  title: 'Cursor',
  isTried: false,
  folders: ({ home, project }) => [join(project ?? home, '.cursor'), join(home, '.cursor')],
  files: ({ home, project, program, hasServer }) => {
    const folder = join(project ?? home, '.cursor');
    const value = { command: shellCommand([...program, 'hook', 'cursor']) };
    const hooks: HostFile = {
      path: join(folder, 'hooks.json'),
      kind: 'json',
      edits: [
        { path: ['version'], value: 1, isOptional: true },
        ...EVENTS.map((event) => ({ path: ['hooks', event], isItem: true, value })),
      ],
    };
    const servers: HostFile = {
      path: join(folder, 'mcp.json'),
      kind: 'json',
      edits: [serverOfMcp(program)],
    };
    return hasServer ? [hooks, servers] : [hooks];
  },
  note: 'Cursor takes no text from a hook: it recalls by the tools of MCP, which need a server.',
};
