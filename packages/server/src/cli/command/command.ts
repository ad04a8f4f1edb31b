/** The interface of a command of the command line. */
import type { OptionName } from '../options/option-table.js';
import type { OptionSources, ServiceOptions } from '../options/read-options.js';

/** The environment and output streams of a command: those of the process, or a test's. */
export interface CommandIo {
  readonly environment: Readonly<Partial<Record<string, string>>>;
  /** Resolves once the text is written; rejects when the stream is closed. */
  readonly writeOut: (text: string) => Promise<void>;
  readonly writeError: (text: string) => void;
  /** Whether standard error is a terminal, so that progress is shown. */
  readonly isWatched?: boolean;
}

/** A parsed and validated command line. */
export interface Invocation {
  readonly io: CommandIo;
  readonly options: ServiceOptions;
  /** Where {@link options} come from. */
  readonly sources: OptionSources;
  /** Exactly as many as the command declares. */
  readonly positionals: readonly string[];
  readonly json: boolean;
  /** The command's own flags that were given: values by name, `true` for a flag without a value. */
  readonly ownFlags: Readonly<Partial<Record<string, string | true>>>;
}

/** A flag of one command that is not an option of the service. */
export interface OwnFlag {
  readonly name: string;
  /** Placeholder of the value in the help; absent for a flag without a value. */
  readonly placeholder?: string;
  readonly summary: string;
}

/** A command: its arguments, its help and its action. */
export interface Command {
  readonly name: string;
  /** Names of the arguments, in order. */
  readonly positionals: readonly string[];
  /** One line for the list of commands. */
  readonly summary: string;
  /** Paragraphs of the help. */
  readonly description: readonly string[];
  /** Options of the service that it accepts as flags. */
  readonly options: readonly OptionName[];
  /** Whether it works on directories only, so that a configured database is refused. */
  readonly isForDirectories?: boolean;
  /** Whether it reads an administrator's password from the environment. */
  readonly readsAdminPassword?: boolean;
  /** Whether it accepts `--json`. */
  readonly hasJson?: boolean;
  readonly ownFlags?: readonly OwnFlag[];
  /** Complete command lines for the help. */
  readonly examples: readonly string[];
  /** Does the work. Resolves on success; a rejection is reported as the failure of the command. */
  run(invocation: Invocation): Promise<void>;
}

const STORE_OPTIONS = ['data_dir', 'store_url', 'durability', 'map_size_bytes'] as const;

const AUDIT_OPTIONS = [
  'audit_enabled',
  'audit_max_events',
  'audit_retention_days',
  'audit_files',
  'audit_log_path',
  'audit_max_file_size',
  'audit_reads',
] as const;

/** Options of a command that changes a store. */
export const CHANGE_OPTIONS = [...STORE_OPTIONS, ...AUDIT_OPTIONS] as const;

/** Options of a command that serves. */
export const SERVE_OPTIONS = [
  'data_dir',
  'store_url',
  'host',
  'port',
  'log_level',
  'admin_origin',
  'trusted_proxies',
  'connections_per_address',
  'durability',
  'map_size_bytes',
  'query_cache_bytes',
  'changes_retention_days',
  'webhook_addresses',
  ...AUDIT_OPTIONS,
  'jwt_ttl_seconds',
  'jwt_issuer',
  'jwt_audience',
  'jwt_private_key_file',
  'jwt_additional_key_file',
  'session_idle_seconds',
  'stop_grace_seconds',
  'metrics_port',
  'metrics_host',
  'metrics_token',
  'mcp',
  'mcp_url',
] as const;
