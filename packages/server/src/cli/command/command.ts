/** The interface of a command of the command line. */
import type { OptionName } from '../../options/option-table.js';
import type { OptionSources, ServiceOptions } from '../../options/read-options.js';
import type { GivenFlags } from './given-flags.js';

/** The environment and streams of a command: those of the process, or a test's. */
export interface CommandIo {
  readonly environment: Readonly<Partial<Record<string, string>>>;
  /** Resolves once the text is written; rejects when the stream is closed. */
  readonly writeOut: (text: string) => Promise<void>;
  readonly writeError: (text: string) => void;
  /** Everything on standard input; read by commands that take a text or a file from there. */
  readonly readInput: () => AsyncIterable<Uint8Array>;
  /** Whether standard error is a terminal, so that progress is shown. */
  readonly isWatched?: boolean;
  /** The terminal behind standard output; `undefined` for a file or a pipe. */
  readonly terminal?: Terminal | undefined;
  /** Asks the person at the terminal, and returns the answer; absent without a terminal. */
  readonly ask?: ((question: string) => Promise<string>) | undefined;
  /** Returns a signal that Ctrl+C aborts, for a command that continues until then. */
  readonly interrupted?: () => AbortSignal;
}

/** What a terminal can display. */
export interface Terminal {
  /** Characters of a line. */
  readonly columns: number;
  readonly hasColors: boolean;
}

/** A flag of one command that is not an option of the service. */
export interface OwnFlag {
  readonly name: string;
  /** Placeholder of the value in the help; absent for a flag without a value. */
  readonly placeholder?: string;
  readonly summary: string;
  /** The only values that it takes. */
  readonly choices?: readonly string[];
  /** Whether it may be given several times. */
  readonly isRepeatable?: boolean;
}

/** The members of every command: its arguments and its help. */
interface CommandShape {
  /** One word, or a group and a word: `credentials rotate`. */
  readonly name: string;
  /** Names of the arguments, in order; `name?` may be left out, `name...` is any number. */
  readonly positionals: readonly string[];
  /** One line for the list of commands. */
  readonly summary: string;
  /** Paragraphs of the help. */
  readonly description: readonly string[];
  /** Whether it accepts `--json`. */
  readonly hasJson?: boolean;
  readonly ownFlags?: readonly OwnFlag[];
  /** Complete command lines for the help. */
  readonly examples: readonly string[];
}

/** A command of the service: it serves, or works on a store of this machine. */
export interface ServiceCommand extends CommandShape {
  /** Options of the service that it accepts as flags. */
  readonly options: readonly OptionName[];
  /** Whether it works on directories only, so that a configured database is refused. */
  readonly isForDirectories?: boolean;
  /** Whether it reads an administrator's password from the environment. */
  readonly readsAdminPassword?: boolean;
  /** Does the work. Resolves on success; a rejection is reported as the failure of the command. */
  run(invocation: Invocation): Promise<void>;
}

/** A parsed and validated command line of the service. */
export interface Invocation {
  readonly io: CommandIo;
  readonly options: ServiceOptions;
  /** The sources of {@link options}. */
  readonly sources: OptionSources;
  /** As many as the command declares, without those that were left out. */
  readonly positionals: readonly string[];
  readonly json: boolean;
  readonly flags: GivenFlags;
}

/** A command that needs no options of the service: most call a running server. */
export interface ClientCommand extends CommandShape {
  /** Whether it takes the flags that choose a server: `--profile`, `--url`, `--secret-file`. */
  readonly isCall: boolean;
  /** Does the work. Resolves on success; a rejection is reported as the failure of the command. */
  run(invocation: ClientInvocation): Promise<void>;
}

/** A parsed command line of a client. */
export interface ClientInvocation {
  readonly io: CommandIo;
  /** As many as the command declares, without those that were left out. */
  readonly positionals: readonly string[];
  readonly json: boolean;
  readonly flags: GivenFlags;
}

/** A command: its arguments, its help and its action. */
export type Command = ServiceCommand | ClientCommand;

/** Returns whether a command works on this machine with the options of the service. */
export function isServiceCommand(command: Command): command is ServiceCommand {
  return 'options' in command;
}
