/** OpenCode: a plugin that calls the hook, and the tools of MCP in its configuration. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Host, HostFile, HostLocation } from './host-files.js';

/** Its files, for the user or for a project. */
export const opencode: Host = {
  name: 'opencode',
  title: 'OpenCode',
  isTried: true,
  folders: (location) => [folderOf(location), userFolder(location)],
  files: (location) => {
    const { program, project, hasServer } = location;
    const path = join(folderOf(location), 'plugins', 'agentkeep.js');
    const plugin: HostFile = { path, kind: 'whole', text: pluginText(program) };
    if (!hasServer) return [plugin];
    const value = { type: 'local', command: [...program, 'hook', 'mcp'] };
    const edits = [{ path: ['mcp', 'agentkeep'], value }];
    const config = configIn(project ?? userFolder(location));
    return [plugin, { path: config, kind: 'json', edits }];
  },
};

function folderOf(location: HostLocation): string {
  return location.project === undefined
    ? userFolder(location)
    : join(location.project, '.opencode');
}

function userFolder({ home, environment }: HostLocation): string {
  return join(environment['XDG_CONFIG_HOME'] ?? join(home, '.config'), 'opencode');
}

/** It reads both names; the one that is there is taken. */
function configIn(folder: string): string {
  const commented = join(folder, 'opencode.jsonc');
  return existsSync(commented) ? commented : join(folder, 'opencode.json');
}

/** The plugin: it gives the hook the events of the others, and a prompt what the hook prints. */
function pluginText(program: readonly string[]): string {
  const words = JSON.stringify([...program, 'hook', 'opencode']);
  return `const [command, ...words] = ${words};\n${PLUGIN}`;
}

const PLUGIN = `// Written by \`agentkeep install opencode\`; \`agentkeep uninstall opencode\` removes it.
import { spawn } from 'node:child_process';

function hook(event) {
  return new Promise((resolve) => {
    const child = spawn(command, words, { stdio: ['pipe', 'pipe', 'ignore'] });
    const timer = setTimeout(() => child.kill(), 5000);
    let text = '';
    const end = () => {
      clearTimeout(timer);
      resolve(text);
    };
    child.on('error', end);
    child.on('close', end);
    child.stdin.on('error', () => undefined);
    child.stdout.setEncoding('utf8');
    child.stdout.on('data', (part) => (text += part));
    child.stdin.end(JSON.stringify(event));
  });
}

function said(parts) {
  return parts
    .filter((part) => part.type === 'text' && !part.synthetic && !part.ignored)
    .map((part) => part.text)
    .join('\\n');
}

export const Agentkeep = async ({ client, directory }) => {
  // What the model itself asks in a session of its own is not stored.
  const isOwn = async (id) => (await client.session.get({ path: { id } })).data?.parentID == null;
  return {
    'chat.message': async (input, output) => {
      try {
        const { id, sessionID } = output.message;
        if (!(await isOwn(sessionID))) return;
        const event = { hook_event_name: 'UserPromptSubmit', session_id: sessionID, prompt_id: id };
        const answer = await hook({ ...event, cwd: directory, prompt: said(output.parts) });
        if (answer === '') return;
        const text = JSON.parse(answer).hookSpecificOutput.additionalContext;
        const part = { id: 'prt_agentkeep' + id.slice(4), sessionID, messageID: id };
        output.parts.push({ ...part, type: 'text', text, synthetic: true });
      } catch {
        // A prompt goes on without memory.
      }
    },
    event: async ({ event }) => {
      try {
        if (event.type !== 'session.idle') return;
        const id = event.properties.sessionID;
        if (!(await isOwn(id))) return;
        const { data } = await client.session.messages({ path: { id } });
        const last = data.findLast(({ info }) => info.role === 'assistant');
        if (last === undefined) return;
        await hook({
          hook_event_name: 'Stop',
          session_id: id,
          prompt_id: last.info.parentID,
          cwd: directory,
          last_assistant_message: said(last.parts),
        });
      } catch {
        // The next turn stores its own.
      }
    },
  };
};
`;
