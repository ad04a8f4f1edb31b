/** Runs a command line in this process. */
import type { CommandIo } from '../../src/cli/command/command.js';
import { type ExitStatus, runCommandLine } from '../../src/cli/run-command-line.js';

/** What a command leaves. */
export interface CommandRun {
  readonly status: ExitStatus;
  readonly out: string;
  readonly error: string;
}

/** The surroundings of a command; empty by default. */
export type Surroundings = Partial<
  Pick<CommandIo, 'environment' | 'terminal' | 'isWatched' | 'interrupted' | 'ask'>
> & {
  /** Text on standard input. */
  readonly input?: string;
  /** Called with each text on standard output. */
  readonly onOut?: (text: string) => void;
};

/** Runs a command line and returns its output. */
export async function runCommand(
  words: readonly string[],
  { input = '', environment = {}, onOut, ...rest }: Surroundings = {},
): Promise<CommandRun> {
  let out = '';
  let error = '';
  const status = await runCommandLine(words, {
    ...rest,
    environment,
    readInput: async function* () {
      yield new TextEncoder().encode(input);
    },
    writeOut: async (text) => {
      out += text;
      onOut?.(text);
    },
    writeError: (text) => {
      error += text;
    },
  });
  return { status, out, error };
}
