/** `agentkeep install` and `agentkeep uninstall`: memory in coding agents, by their hooks. */
import { existsSync } from 'node:fs';
import type { ClientCommand, ClientInvocation, OwnFlag } from '../../command/command.js';
import { CommandError } from '../../command/command-error.js';
import { importMcpStdio } from '../../command/import-mcp.js';
import { UsageError } from '../../command/usage-error.js';
import { tableOf } from '../../output/table.js';
import { agentsFolder } from '../state/agents-folder.js';
import { readSettings, writeSettings } from '../state/settings.js';
import { locationOf, serverOf } from './chosen-location.js';
import type { Host, HostLocation } from './host-files.js';
import { hosts } from './hosts.js';
import { type FileChange, install, installedPaths, uninstall } from './installation.js';

const names = hosts.map(({ name }) => name).join(', ');

const locationFlags: readonly OwnFlag[] = [
  {
    name: 'project',
    summary: 'In the files of the project of this folder, not in those of the user.',
  },
  { name: 'dry-run', summary: 'Show each file and line, and change nothing.' },
];

const installCommand: ClientCommand = {
  name: 'install',
  positionals: ['host?'],
  summary: 'Give a coding agent memory that works by itself.',
  description: [
    `Writes hooks into the files of a coding agent: ${names}. They recall before each prompt and ` +
      'store after each answer. Without a host, it shows which are found.',
    'Memory is in a store of this machine, or at the server that --server names with the file of ' +
      "an agent's secret; then the agent gets the tools of MCP too. No secret is written to a file " +
      'of a host. What is in the files stays, and `agentkeep uninstall` gives back their bytes.',
  ],
  isCall: false,
  ownFlags: [
    ...locationFlags,
    { name: 'server', placeholder: '<url>', summary: 'Address of the server.' },
    { name: 'secret-file', placeholder: '<file>', summary: 'File with the secret of the agent.' },
    { name: 'profile', placeholder: '<name>', summary: 'The server and secret file of a profile.' },
    { name: 'local', summary: 'A store of this machine, instead of the server chosen before.' },
  ],
  examples: [
    'agentkeep install',
    'agentkeep install claude-code',
    'agentkeep install claude-code --server https://keep.example --secret-file ~/.agentkeep-secret',
  ],
  run: async (invocation) => {
    const [name] = invocation.positionals;
    const folder = agentsFolder(invocation.io.environment);
    const server = serverOf(invocation);
    const isLocal = invocation.flags.has('local');
    const chosen = isLocal ? undefined : (server ?? readSettings(folder.settings));
    const location = locationOf(invocation, chosen !== undefined);
    if (name === undefined) return showFound(invocation, location, folder.installed);
    const host = hostNamed(name);
    const isDry = invocation.flags.has('dry-run');
    const files = host.files(location);
    const changes = attempted(() => {
      // All are tried before one is written.
      install(folder.installed, files, false);
      return install(folder.installed, files, !isDry);
    });
    if (!isDry && (isLocal || server !== undefined)) writeSettings(folder.settings, server);
    await invocation.io.writeOut(changes.map((change) => shown(change, isDry)).join(''));
    if (isDry) return;
    const where = chosen === undefined ? `a store in ${folder.keep}` : chosen.url;
    const notes = [host.note, chosen === undefined ? undefined : await missingOfMcp()];
    const lines = [...notes, `${host.title} has memory now, in ${where}.`];
    await invocation.io.writeOut(
      lines.map((line) => (line === undefined ? '' : `${line}\n`)).join(''),
    );
  },
};

const uninstallCommand: ClientCommand = {
  name: 'uninstall',
  positionals: ['host'],
  summary: 'Take out of a coding agent what install wrote.',
  description: [
    `Gives back the files of a coding agent as they were: ${names}. What others changed there ` +
      'since stays. Memory stays too.',
  ],
  isCall: false,
  ownFlags: locationFlags,
  examples: ['agentkeep uninstall claude-code', 'agentkeep uninstall claude-code --project'],
  run: async (invocation) => {
    const host = hostNamed(invocation.positionals[0] ?? '');
    const folder = agentsFolder(invocation.io.environment);
    const isDry = invocation.flags.has('dry-run');
    const paths = everyFile(host, invocation).map(({ path }) => path);
    const changes = attempted(() => uninstall(folder.installed, paths, !isDry));
    const text = changes.map((change) => shown(change, isDry)).join('');
    await invocation.io.writeOut(text === '' ? 'Nothing is installed there.\n' : text);
  },
};

/** `agentkeep install` and `agentkeep uninstall`. */
export const installCommands: readonly ClientCommand[] = [installCommand, uninstallCommand];

/** Returns what to install before the tools of MCP answer; `undefined` if nothing is missing. */
async function missingOfMcp(): Promise<string | undefined> {
  try {
    await importMcpStdio();
    return undefined;
  } catch (error) {
    if (error instanceof CommandError) return error.message;
    throw error;
  }
}

/** The files of a host with and without a server, since the choice may have changed. */
function everyFile(host: Host, invocation: ClientInvocation) {
  return host.files(locationOf(invocation, true));
}

function hostNamed(name: string): Host {
  const host = hosts.find((each) => each.name === name);
  if (host === undefined) throw new UsageError(`The hosts are: ${names}.`);
  return host;
}

/**
 * Runs an action on files.
 * @throws {CommandError} for a file that cannot be read, changed or written.
 */
function attempted<T>(action: () => T): T {
  try {
    return action();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CommandError(reason, { cause });
  }
}

async function showFound(
  { io }: ClientInvocation,
  location: HostLocation,
  installed: string,
): Promise<void> {
  const paths = new Set(installedPaths(installed));
  const rows = hosts.map((host) => [
    host.name,
    host.folders(location).some((each) => existsSync(each)) ? 'yes' : 'no',
    host.files({ ...location, hasServer: true }).some(({ path }) => paths.has(path)) ? 'yes' : 'no',
    host.isTried ? 'yes' : 'no',
  ]);
  await io.writeOut(tableOf(['HOST', 'FOUND', 'INSTALLED', 'TRIED'], rows, { ...io, longest: 0 }));
}

/** Returns a file and the lines that change, if any. */
function shown({ path, before, after }: FileChange, isDry: boolean): string {
  if (before === after) return `${path}: unchanged\n`;
  const what = after === undefined ? 'removed' : before === undefined ? 'made' : 'changed';
  if (!isDry) return `${path}: ${what}\n`;
  const [was, is] = [before, after].map((text) => (text ?? '').split('\n'));
  const lost = without(was ?? [], is ?? []).map((line) => `- ${line}\n`);
  const won = without(is ?? [], was ?? []).map((line) => `+ ${line}\n`);
  return `${path}: would be ${what}\n${[...lost, ...won].join('')}`;
}

function without(lines: readonly string[], others: readonly string[]): readonly string[] {
  const left = [...others];
  return lines.filter((line) => {
    const index = left.indexOf(line);
    if (index === -1) return line !== '';
    left.splice(index, 1);
    return false;
  });
}
