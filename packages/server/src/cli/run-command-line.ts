/** Runs one command line and returns its exit status. */
import { CONTRACT_DOCUMENT_VERSION } from '@agentkeep/core';
import { loggableText } from '../log/loggable.js';
import { InvalidOptionsError } from '../options/invalid-options-error.js';
import { optionTable } from '../options/option-table.js';
import { type OptionSources, readOptions, type ServiceOptions } from '../options/read-options.js';
import { bootstrapMaster } from './bootstrap-master.js';
import { bootstrapTenant } from './bootstrap-tenant.js';
import type { Command, CommandIo } from './command.js';
import { asksForHelp, type CommandLine, readCommandLine } from './command-line.js';
import { copyStore } from './copy-store.js';
import { createAdmin } from './create-admin.js';
import { config } from './config.js';
import { configText } from './config-text.js';
import { dev } from './dev.js';
import { failureMessage } from './failure.js';
import { healthCheck } from './health-check.js';
import { helpOf, overview, usageOf } from './help.js';
import { mcp } from './mcp.js';
import { openapi } from './openapi.js';
import { recoverMaster } from './recover-master.js';
import { restore } from './restore.js';
import { serve } from './serve.js';
import { snapshot } from './snapshot.js';
import { verifyAudit } from './verify-audit.js';
import { UsageError } from './usage-error.js';
import { verifyStore } from './verify-store.js';

/** All commands, in the order of the help. */
const commands: readonly Command[] = [
  dev,
  serve,
  bootstrapMaster,
  recoverMaster,
  bootstrapTenant,
  createAdmin,
  snapshot,
  restore,
  copyStore,
  verifyStore,
  verifyAudit,
  healthCheck,
  mcp,
  config,
  openapi,
];

/** 0 for success, 1 for any failure. */
export type ExitStatus = 0 | 1;

/** Runs the named command; failures are reported on standard error. */
export async function runCommandLine(words: readonly string[], io: CommandIo): Promise<ExitStatus> {
  const [verb, ...rest] = words;
  const command = commands.find(({ name }) => name === verb);
  if (command !== undefined) return runCommand(command, rest, io);
  if (verb === '--version') return answer(io, `${CONTRACT_DOCUMENT_VERSION}\n`);
  if (asksForHelp(words)) return answer(io, overview(commands));
  const problem =
    verb === undefined ? 'No command given.' : `${JSON.stringify(verb)} is not a command.`;
  return refuse(io, problem, overview(commands).trimEnd());
}

async function runCommand(
  command: Command,
  words: readonly string[],
  io: CommandIo,
): Promise<ExitStatus> {
  if (asksForHelp(words)) return answer(io, helpOf(command));
  let dataDir = optionTable.data_dir.byDefault;
  try {
    const line = readCommandLine(command, words);
    const sources = sourcesOf(line, io);
    if (line.printsConfig) return await answer(io, configText(command, sources));
    const options = readOptions(sources);
    dataDir = options.dataDir;
    requireDirectory(command, line, options);
    const { positionals, json, ownFlags } = line;
    await command.run({ io, options, sources, positionals, json, ownFlags });
    return 0;
  } catch (error) {
    if (error instanceof UsageError || error instanceof InvalidOptionsError) {
      const more = `Usage: ${usageOf(command)}\nSee \`agentkeep ${command.name} --help\`.`;
      return refuse(io, error.message, more);
    }
    io.writeError(`agentkeep: ${failureMessage(error, dataDir)}\n`);
    return 1;
  }
}

/**
 * A command for directories never takes the default one for a configured database.
 * @throws {UsageError} when a database is configured and no directory is named.
 */
function requireDirectory(
  { name, isForDirectories = false }: Command,
  { flags }: CommandLine,
  { storeUrl }: ServiceOptions,
): void {
  if (!isForDirectories || storeUrl === undefined || flags.data_dir !== undefined) return;
  throw new UsageError(
    `${name} works on data directories, but the option store_url names a database. Name a ` +
      'directory with --data-dir.',
  );
}

function sourcesOf({ flags, secretFiles, configFile }: CommandLine, io: CommandIo): OptionSources {
  return { flags, secretFiles, environment: io.environment, configFile };
}

async function answer(io: CommandIo, text: string): Promise<ExitStatus> {
  await io.writeOut(text);
  return 0;
}

function refuse(io: CommandIo, problem: string, usage: string): ExitStatus {
  io.writeError(`agentkeep: ${loggableText(problem)}\n\n${usage}\n`);
  return 1;
}
