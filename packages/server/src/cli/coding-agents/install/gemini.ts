/** Gemini CLI: hooks and the tools of MCP in its settings. */
import { join } from 'node:path';
import { serverOfMcp } from './claude-code.js';
import { type Host, shellCommand } from './host-files.js';

const EVENTS = ['SessionStart', 'BeforeAgent', 'AfterAgent', 'PreCompress', 'SessionEnd'];
/** Milliseconds after which it ends a hook that hangs. */
const TIMEOUT_MS = 5_000;

/** Its file, for the user or for a project. */
export const gemini: Host = {
  name: 'gemini',
  title: 'Gemini CLI',
  isTried: true,
  folders: ({ home, project }) => [join(project ?? home, '.gemini'), join(home, '.gemini')],
  files: ({ home, project, program, hasServer }) => {
    const command = shellCommand([...program, 'hook', 'gemini']);
    const value = { hooks: [{ type: 'command', command, timeout: TIMEOUT_MS }] };
    const hooks = EVENTS.map((event) => ({ path: ['hooks', event], isItem: true, value }));
    const edits = hasServer ? [...hooks, serverOfMcp(program)] : hooks;
    return [{ path: join(project ?? home, '.gemini', 'settings.json'), kind: 'json', edits }];
  },
};
