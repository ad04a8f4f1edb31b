/**
 * What a command of the command line is.
 * @module
 */
import type { OptionName } from '../options/option-table.js';
import type { ServiceOptions } from '../options/read-options.js';

/** The surroundings of a command: the real ones of the process, or those of a test. */
export interface CommandIo {
  readonly environment: Readonly<Partial<Record<string, string>>>;
  /** Resolves once the text is delivered; rejects when nobody can read it. */
  readonly writeOut: (text: string) => Promise<void>;
  readonly writeError: (text: string) => void;
  /** Whether somebody watches standard error, so that progress is worth showing. */
  readonly isWatched?: boolean;
}

/** A command line that has been read and checked. */
export interface Invocation {
  readonly io: CommandIo;
  readonly options: ServiceOptions;
  /** As many as the command names. */
  readonly positionals: readonly string[];
  /** Whether `--json` was given. */
  readonly json: boolean;
  /** What was given of the command's own flags: values by name, `true` for one without a value. */
  readonly ownFlags: Readonly<Partial<Record<string, string | true>>>;
}

/** A flag of one command, which is no option of the service. */
export interface OwnFlag {
  readonly name: string;
  /** Stands for the value in the help; absent for a flag that takes none. */
  readonly placeholder?: string;
  readonly summary: string;
}

/** A command: how it is called, what it teaches, and what it does. */
export interface Command {
  readonly name: string;
  /** Names of its arguments, in order. */
  readonly positionals: readonly string[];
  /** One line for the list of commands. */
  readonly summary: string;
  /** What a newcomer has to know, as paragraphs. */
  readonly description: readonly string[];
  /** Options that it takes as flags. */
  readonly options: readonly OptionName[];
  /** Whether it takes the password of an administrator from the environment. */
  readonly readsAdminPassword?: boolean;
  /** Whether it takes `--json`. */
  readonly hasJson?: boolean;
  /** Flags of its own. */
  readonly ownFlags?: readonly OwnFlag[];
  /** Complete command lines. */
  readonly examples: readonly string[];
  /** Does the work; success is its end, and whatever it throws is reported as its failure. */
  run(invocation: Invocation): Promise<void>;
}

const STORE_OPTIONS = ['data_dir', 'store_url', 'durability', 'map_size_bytes'] as const;

const AUDIT_OPTIONS = [
  'audit_enabled',
  'audit_max_events',
  'audit_retention_days',
  'audit_log_path',
  'audit_max_file_size',
  'audit_reads',
] as const;

/** The options of a command that changes what is in the data directory. */
export const CHANGE_OPTIONS = [...STORE_OPTIONS, ...AUDIT_OPTIONS] as const;

/** The options of a command that serves. */
export const SERVE_OPTIONS = [
  'data_dir',
  'store_url',
  'host',
  'port',
  'log_level',
  'admin_origin',
  'trusted_proxies',
  'durability',
  'map_size_bytes',
  ...AUDIT_OPTIONS,
  'jwt_ttl_seconds',
  'jwt_issuer',
  'jwt_audience',
  'jwt_private_key_file',
  'jwt_additional_key_file',
  'session_idle_seconds',
] as const;
