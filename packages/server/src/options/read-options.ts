/** Reads and validates options: a flag overrides the environment, which overrides the file. */
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type {
  AuditOptions,
  KeepPorts,
  ReplicationOptions,
  ScopeInput,
  TokenOptions,
} from '@agentkeep/core';
import { cutText } from '@agentkeep/core/clients';
import type { EncryptionOptions, SecuritySettings } from '@agentkeep/core/operator';
import * as v from 'valibot';
import type { LogLevel } from '../log/logger.js';
import { InvalidOptionsError } from './invalid-options-error.js';
import {
  type GivenOption,
  type OptionFlags,
  readConfigFile,
  readEnvironment,
  readFlags,
  type SecretFiles,
  type SourceReading,
} from './option-sources.js';
import { durationSeconds, type OptionDefinition } from './option-definition.js';
import { replicationOf } from './replication-options.js';
import { type OptionName, optionNames, optionTable, type OptionValues } from './option-table.js';

/** Options of access tokens, with keys as paths of unread files. */
export type TokenFileOptions = Omit<TokenOptions, 'privateKeyPem' | 'additionalKeyPem'> & {
  readonly privateKeyFile?: string;
  readonly additionalKeyFile?: string;
};

/**
 * The address of the metrics, and the secret of their readers. Without a port and a token, they are
 * not served.
 */
export interface MetricsSettings {
  /** 0 takes any free port; `undefined`: the metrics have no port of their own. */
  readonly port: number | undefined;
  readonly host: string;
  /** The secret of readers. Without a port, it opens the metrics on the main one. */
  readonly token: string | undefined;
}

/** The address of the Model Context Protocol. */
interface McpSettings {
  /** The URL that clients use; `undefined`: the local host that a request names. */
  readonly url: string | undefined;
  /** The scope of calls for which nothing else names one; absent: they are refused. */
  readonly defaultScope?: ScopeInput;
}

/** The front door of a server. */
interface FrontDoorSettings {
  /** The address of the server for browsers and programs. */
  readonly publicUrl: string;
  /** Whether any program may register. */
  readonly clientRegistration: boolean;
}

/** The validated options of the service. */
export interface ServiceOptions {
  readonly dataDir: string;
  /** The database to use instead of the directory. */
  readonly storeUrl: string | undefined;
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  readonly logLevel: LogLevel;
  readonly adminOrigin: string | undefined;
  /** `undefined` uses the server's default. */
  readonly trustedProxies: readonly string[] | undefined;
  /** Most open connections of one address that is no trusted proxy. */
  readonly connectionsPerAddress: number;
  readonly durability: 'strict' | 'relaxed';
  /** `undefined` uses the store's default. */
  readonly mapSizeBytes: number | undefined;
  readonly queryCacheBytes: number;
  /** The keys of what is stored; `undefined`: it is not encrypted. */
  readonly encryption: EncryptionOptions | undefined;
  readonly changesRetentionDays: number;
  /** Private addresses that webhooks may call, also without TLS. */
  readonly webhookAddresses: readonly string[];
  /** Private addresses from which keys of issuers may be fetched, also without TLS. */
  readonly issuerAddresses: readonly string[];
  /** Private addresses from which documents of programs may be fetched. */
  readonly programAddresses: readonly string[];
  readonly audit: AuditOptions;
  readonly tokens: TokenFileOptions;
  /** Idle seconds after which a session with access tokens ends; 0: never. */
  readonly sessionIdleSeconds: number;
  /** Whether the level of the store is raised without being asked. */
  readonly raiseLevel: boolean;
  /** When snapshots are made, and how many are kept; `undefined`: none is made by itself. */
  readonly snapshots: KeepPorts['snapshots'];
  /** Where each commit is copied; `undefined`: nowhere. */
  readonly replicateTo: ReplicationOptions | undefined;
  /** Seconds that a stop waits for accepted requests. */
  readonly stopGraceSeconds: number;
  readonly metrics: MetricsSettings;
  /** The address of the Model Context Protocol; `undefined`: it is not served. */
  readonly mcp: McpSettings | undefined;
  /** Whether the server makes embeddings. */
  readonly meaning: boolean;
  /** Whether the console is served. */
  readonly console: boolean;
  /** Where people log in and programs connect; `undefined`: there is no front door. */
  readonly frontDoor: FrontDoorSettings | undefined;
  /** The origins that proofs of keys count for; `undefined` where none is named. */
  readonly keyProofOrigins: readonly string[] | undefined;
  /** Security-relevant options that differ from their defaults, by name. */
  readonly securitySettings: SecuritySettings;
}

/** The sources of options. */
export interface OptionSources {
  readonly flags?: OptionFlags;
  /** Files that flags name for secrets. */
  readonly secretFiles?: SecretFiles;
  readonly environment?: Readonly<Partial<Record<string, string>>>;
  /** Path of a configuration file. */
  readonly configFile?: string | undefined;
}

const VALUE_CHARS_MAX = 120;

/** Folder of the data directory that holds audit files by default. */
const AUDIT_FOLDER = 'audit';

/**
 * Reads and validates all options.
 * @throws {InvalidOptionsError} with every problem of every source, including values that are
 * overridden.
 */
export function readOptions(sources: OptionSources): ServiceOptions {
  return serviceOptions(valuesOf(readGiven(sources)));
}

/** An option with its effective value and its origin. */
export interface EffectiveOption {
  readonly name: OptionName;
  /** `undefined` when another part supplies the default. */
  readonly value: unknown;
  /** A flag, a variable, a member of a file, or `default`. */
  readonly origin: string;
}

/**
 * Reads and validates all options, and returns the origin of each.
 * @throws {InvalidOptionsError} as {@link readOptions}.
 */
export function explainOptions(sources: OptionSources): readonly EffectiveOption[] {
  const given = readGiven(sources);
  const values = valuesOf(given);
  const origins = new Map(given.map(({ name, origin }) => [name, origin]));
  return optionNames.map((name) => ({
    name,
    value: values[name],
    origin: origins.get(name) ?? 'default',
  }));
}

/** Returns the options of all sources, weakest first. */
function readGiven(sources: OptionSources): readonly GivenOption[] {
  const weakestFirst: SourceReading[] = [
    ...(sources.configFile === undefined ? [] : [readConfigFile(sources.configFile)]),
    readEnvironment(sources.environment ?? {}),
    readFlags(sources.flags ?? {}, sources.secretFiles),
  ];
  const given = weakestFirst.flatMap((reading) => reading.given);
  const problems = [
    ...weakestFirst.flatMap((reading) => reading.problems),
    ...given.flatMap((each) => problemWith(each)),
  ];
  if (problems.length > 0) throw new InvalidOptionsError(problems);
  return given;
}

function problemWith({ name, value, written, origin }: GivenOption): string[] {
  const { schema, allowed, secret }: OptionDefinition = optionTable[name];
  if (v.is(schema, value)) return [];
  const isLong = written.length > VALUE_CHARS_MAX;
  const whole = isLong ? `${cutText(written, VALUE_CHARS_MAX)}…` : written;
  const shown = secret === undefined ? whole : 'this value';
  return [`${origin}: ${shown} is refused. Allowed: ${allowed}.`];
}

function valuesOf(given: readonly GivenOption[]): OptionValues {
  const strongest = new Map(given.map(({ name, value }) => [name, value]));
  const parsed = optionNames.map((name): [OptionName, unknown] => {
    const { schema }: { schema: v.GenericSchema } = optionTable[name];
    return [name, v.parse(schema, strongest.get(name))];
  });
  // Each value was parsed by the schema of its name.
  return Object.fromEntries(parsed) as unknown as OptionValues;
}

function serviceOptions(values: OptionValues): ServiceOptions {
  return {
    dataDir: values.data_dir,
    storeUrl: values.store_url,
    host: values.host,
    port: values.port,
    logLevel: values.log_level,
    adminOrigin: values.admin_origin,
    trustedProxies: values.trusted_proxies,
    connectionsPerAddress: values.connections_per_address,
    durability: values.durability,
    mapSizeBytes: values.map_size_bytes,
    queryCacheBytes: values.query_cache_bytes,
    encryption: encryptionOf(values),
    changesRetentionDays: values.changes_retention_days,
    webhookAddresses: values.webhook_addresses ?? [],
    issuerAddresses: values.issuer_addresses ?? [],
    programAddresses: values.program_addresses ?? [],
    audit: {
      enabled: values.audit_enabled,
      maxEvents: values.audit_max_events,
      retentionDays: values.audit_retention_days,
      maxFileSize: values.audit_max_file_size,
      reads: values.audit_reads,
      ...(values.audit_files ? { logPath: auditDirectory(values) } : {}),
    },
    tokens: tokenOptions(values),
    sessionIdleSeconds: values.session_idle_seconds,
    snapshots: snapshotsOf(values),
    raiseLevel: values.raise_level,
    replicateTo: replicationOf(values),
    stopGraceSeconds: values.stop_grace_seconds,
    metrics: {
      port: values.metrics_port,
      host: values.metrics_host,
      token: values.metrics_token,
    },
    mcp: values.mcp ? { url: values.mcp_url ?? mcpUrlOf(values.public_url) } : undefined,
    meaning: values.meaning,
    console: values.console,
    frontDoor: frontDoorOf(values),
    keyProofOrigins: keyProofOriginsOf(values),
    securitySettings: securitySettings(values),
  };
}

function snapshotsOf({ snapshot_every: every, snapshot_keep: keep }: OptionValues) {
  const everySeconds = every === undefined ? undefined : durationSeconds(every);
  return everySeconds === undefined ? undefined : { everySeconds, keep };
}

/** Returns the directory of audit files: beside the data, unless another directory is named. */
function auditDirectory({ audit_log_path: path, data_dir: dataDir }: OptionValues): string {
  return path ?? join(dataDir, AUDIT_FOLDER);
}

/** Where clients reach MCP, unless it is stated: below the address of the server. */
function mcpUrlOf(publicUrl: string | undefined): string | undefined {
  return publicUrl === undefined ? undefined : `${publicUrl}/mcp`;
}

/** Where programs reach the server, as far as it is stated. */
function keyProofOriginsOf(values: OptionValues): readonly string[] | undefined {
  const { public_url: publicUrl, internal_url: internalUrl, mcp_url: mcpUrl } = values;
  const stated = [publicUrl, internalUrl].filter((each) => each !== undefined);
  if (stated.length === 0) return undefined;
  return mcpUrl === undefined ? stated : [...stated, new URL(mcpUrl).origin];
}

/**
 * Returns how the store is encrypted.
 * @throws {InvalidOptionsError} unless a directory comes with either a root key or a command.
 */
function encryptionOf(values: OptionValues): EncryptionOptions | undefined {
  const { encryption_keys: keysDir, encryption_root_key: file } = values;
  const { encryption_root_command: program } = values;
  const given = [file, program].filter((each) => each !== undefined).length;
  if (keysDir === undefined && given === 0) return undefined;
  if (keysDir === undefined || given !== 1) {
    throw new InvalidOptionsError([
      'encryption_keys needs either encryption_root_key or encryption_root_command beside it, and ' +
        'neither of them works without it.',
    ]);
  }
  const rootKey = file === undefined ? { command: [program ?? ''] as [string] } : { file };
  return { keysDir, rootKey };
}

function frontDoorOf(values: OptionValues): FrontDoorSettings | undefined {
  const { public_url: publicUrl, client_registration: clientRegistration } = values;
  return publicUrl === undefined ? undefined : { publicUrl, clientRegistration };
}

function tokenOptions(values: OptionValues): TokenFileOptions {
  const { jwt_private_key_file: privateKeyFile, jwt_additional_key_file: additionalKeyFile } =
    values;
  return {
    ttlSeconds: values.jwt_ttl_seconds,
    issuer: values.jwt_issuer,
    audience: values.jwt_audience,
    ...(privateKeyFile === undefined ? {} : { privateKeyFile }),
    ...(additionalKeyFile === undefined ? {} : { additionalKeyFile }),
  };
}

function securitySettings(values: OptionValues): SecuritySettings {
  const changed = optionNames.flatMap((name) => {
    const { schema, isSecurity }: OptionDefinition = optionTable[name];
    const value = values[name];
    if (isSecurity !== true || value === undefined) return [];
    return isDeepStrictEqual(value, v.parse(schema, undefined)) ? [] : [[name, value] as const];
  });
  return Object.fromEntries(changed);
}
