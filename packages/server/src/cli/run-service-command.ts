/** Runs a command of the service, with the options of flags, environment and file. */
import { InvalidOptionsError } from '../options/invalid-options-error.js';
import { readOptions, type OptionSources, type ServiceOptions } from '../options/read-options.js';
import { CommandError } from './command/command-error.js';
import type { CommandIo, ServiceCommand } from './command/command.js';
import { UsageError } from './command/usage-error.js';
import { failureMessage } from './output/failure.js';
import type { CommandLine } from './parsing/command-line.js';
import { configText } from './serving/config-text.js';

/**
 * Validates the options and runs the command, or prints the options for `--print-config`.
 * @throws {UsageError} and {InvalidOptionsError} for a wrong command line.
 */
export async function runServiceCommand(
  command: ServiceCommand,
  line: CommandLine,
  io: CommandIo,
): Promise<void> {
  const { options: flags, secretFiles, configFile, positionals, json } = line;
  const sources: OptionSources = { flags, secretFiles, environment: io.environment, configFile };
  if (line.printsConfig) return io.writeOut(configText(command, sources));
  const options = readOptions(sources);
  requireDirectory(command, line, options);
  try {
    await command.run({ io, options, sources, positionals, json, flags: line.flags });
  } catch (error) {
    if (error instanceof UsageError || error instanceof InvalidOptionsError) throw error;
    throw new CommandError(failureMessage(error, directoryOf(command, options)), { cause: error });
  }
}

/**
 * A command for directories never takes the default one for a configured database.
 * @throws {UsageError} when a database is configured and no directory is named.
 */
function requireDirectory(
  { name, isForDirectories = false }: ServiceCommand,
  { options: flags }: CommandLine,
  { storeUrl }: ServiceOptions,
): void {
  if (!isForDirectories || storeUrl === undefined || flags.data_dir !== undefined) return;
  throw new UsageError(
    `${name} works on data directories, but the option store_url names a database. Name a ` +
      'directory with --data-dir.',
  );
}

/** Returns the directory that a command works on; `undefined` for a database. */
function directoryOf(
  { options }: ServiceCommand,
  { dataDir, storeUrl }: ServiceOptions,
): string | undefined {
  return options.includes('data_dir') && storeUrl === undefined ? dataDir : undefined;
}
