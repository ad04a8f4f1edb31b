/** Runs one command line and returns its exit status. */
import { CONTRACT_DOCUMENT_VERSION } from '@agentkeep/core';
import { loggableText } from '../log/loggable.js';
import { InvalidOptionsError } from '../options/invalid-options-error.js';
import {
  type ClientCommand,
  type Command,
  type CommandIo,
  isServiceCommand,
} from './command/command.js';
import { UsageError } from './command/usage-error.js';
import { failureMessage } from './output/failure.js';
import { asksForHelp, commandOf, readCommandLine, unknownCommand } from './parsing/command-line.js';
import { groupHelp, helpOf, overview, usageOf } from './parsing/help.js';
import { runServiceCommand } from './run-service-command.js';
import { serviceCommands } from './service-commands.js';

/** 0 for success, 1 for any failure. */
export type ExitStatus = 0 | 1;

/** Runs the named command; failures are reported on standard error. */
export async function runCommandLine(words: readonly string[], io: CommandIo): Promise<ExitStatus> {
  const service = commandOf(serviceCommands, words);
  if (service !== undefined) return runCommand(service, words, io);
  if (words[0] === '--version') return answer(io, `${CONTRACT_DOCUMENT_VERSION}\n`);
  const client = await loadClientCommands();
  const command = commandOf(client, words);
  if (command !== undefined) return runCommand(command, words, io);
  const all = [...serviceCommands, ...client];
  const group = all.some(({ name }) => name.startsWith(`${words[0]} `)) ? words[0] : undefined;
  const help = group === undefined ? overview(serviceCommands, client) : groupHelp(group, all);
  if (asksForHelp(words)) return answer(io, help);
  const isIncomplete = words.length === 0 || (words.length === 1 && group !== undefined);
  const usage = isIncomplete ? help.trimEnd() : shortHelp(group);
  return refuse(io, unknownCommand(all, words).message, usage);
}

let loaded: Promise<readonly ClientCommand[]> | undefined;

/** Returns the commands that call a server. They are made at the first call. */
function loadClientCommands(): Promise<readonly ClientCommand[]> {
  loaded ??= makeClientCommands();
  return loaded;
}

/** Loads the commands that call a server, and the contract that they are made from. */
async function makeClientCommands(): Promise<readonly ClientCommand[]> {
  const [{ clientCommands }, { codingAgentCommands }, { completionCommands }] = await Promise.all([
    import('./client/client-commands.js'),
    import('./coding-agents/coding-agent-commands.js'),
    import('./completion/completion.js'),
  ]);
  const calls = [...clientCommands(), ...codingAgentCommands];
  return [...calls, ...completionCommands([...serviceCommands, ...calls])];
}

async function runCommand(
  command: Command,
  words: readonly string[],
  io: CommandIo,
): Promise<ExitStatus> {
  if (asksForHelp(words)) return answer(io, helpOf(command));
  try {
    const line = readCommandLine(command, words.slice(command.name.split(' ').length));
    if (isServiceCommand(command)) await runServiceCommand(command, line, io);
    else await command.run({ io, ...line });
    return 0;
  } catch (error) {
    if (error instanceof UsageError || error instanceof InvalidOptionsError) {
      const more = `Usage: ${usageOf(command)}\nSee \`agentkeep ${command.name} --help\`.`;
      return refuse(io, error.message, more);
    }
    io.writeError(`agentkeep: ${failureMessage(error)}\n`);
    return 1;
  }
}

/** Says how to name a command, and where all are listed. */
function shortHelp(group: string | undefined): string {
  const program = group === undefined ? 'agentkeep' : `agentkeep ${group}`;
  return `Usage: ${program} <command>\nSee \`${program} --help\`.`;
}

async function answer(io: CommandIo, text: string): Promise<ExitStatus> {
  await io.writeOut(text);
  return 0;
}

function refuse(io: CommandIo, problem: string, usage: string): ExitStatus {
  io.writeError(`agentkeep: ${loggableText(problem)}\n\n${usage}\n`);
  return 1;
}
