/**
 * All options of the service: values, defaults and descriptions. Flags, variables, the
 * configuration file and the help are derived from this table.
 */
import * as v from 'valibot';
import { isHttpsOrigin } from '../http/cors.js';
import {
  isPublicUrl,
  isWebOrigin,
  PUBLIC_URL_ALLOWED,
  WEB_ORIGIN_ALLOWED,
} from '../front-door/public-url.js';
import { logLevels } from '../log/logger.js';
import { isMetricsToken, METRICS_TOKEN_ALLOWED } from '../metrics/metrics-token.js';
import { isAddressRange } from './address-range.js';
import { isMcpUrl, MCP_URL_ALLOWED } from './mcp-url.js';
import {
  define,
  defineBoolean,
  defineInteger,
  duration,
  host,
  integer,
  name,
  NAME_ALLOWED,
  type OptionDefinition,
  path,
} from './option-definition.js';
import { replicationOptions } from './replication-options.js';
import { storeOptions } from './store-options.js';

const AUDIT_EVENTS_MAX = 1_000_000_000;
const AUDIT_RETENTION_DAYS_MAX = 36_500;
const CHANGES_RETENTION_DAYS_MAX = 36_500;
const AUDIT_FILE_BYTES_MIN = 1_024;
const AUDIT_FILE_BYTES_MAX = 1_099_511_627_776;
const PORT_MAX = 65_535;
const JWT_TTL_SECONDS_MIN = 61;
const JWT_TTL_SECONDS_MAX = 86_400;
const SESSION_IDLE_SECONDS_MIN = 60;
const SESSION_IDLE_SECONDS_MAX = 86_400;
const STOP_GRACE_SECONDS_MAX = 3_600;
const HOST_ALLOWED = 'a host name or an address';

/** The options by name. */
export const optionTable = {
  data_dir: define({
    schema: v.optional(path, './data'),
    form: 'text',
    allowed: 'the path of a directory',
    byDefault: './data',
    placeholder: '<dir>',
    summary: 'Directory of the store; made if absent.',
  }),
  store_url: define({
    schema: v.optional(v.pipe(v.string(), v.regex(/^postgres(?:ql)?:\/\/./), v.url())),
    form: 'text',
    allowed: 'a URL that starts with postgres://',
    byDefault: 'none',
    placeholder: '<url>',
    summary: 'PostgreSQL database to use instead of the directory.',
    secret: 'password',
  }),
  host: define({
    schema: v.optional(host, '127.0.0.1'),
    form: 'text',
    allowed: HOST_ALLOWED,
    byDefault: '127.0.0.1',
    placeholder: '<host>',
    summary: 'Address to listen on; 0.0.0.0 or :: means all.',
    isSecurity: true,
  }),
  port: defineInteger({
    range: [0, PORT_MAX],
    byDefault: 7474,
    placeholder: '<port>',
    summary: 'Port to listen on; 0 takes any free one.',
  }),
  log_level: define({
    schema: v.optional(v.picklist(logLevels), 'info'),
    form: 'text',
    allowed: `one of ${logLevels.join(', ')}`,
    byDefault: 'info',
    placeholder: '<level>',
    summary: 'Least severe level to log: error, warn, info or debug.',
  }),
  admin_origin: define({
    schema: v.optional(v.pipe(v.string(), v.check(isHttpsOrigin))),
    form: 'text',
    allowed:
      'exactly https://<host[:port]> as browsers send it, without a path or a trailing slash',
    byDefault: 'none',
    placeholder: '<origin>',
    summary: 'The only allowed browser origin, as https://<host[:port]>.',
    isSecurity: true,
  }),
  trusted_proxies: define({
    schema: v.optional(v.array(v.pipe(v.string(), v.check(isAddressRange)))),
    form: 'list',
    allowed: 'IP addresses and CIDR ranges',
    byDefault: 'loopback and private ranges',
    placeholder: '<ranges>',
    summary: 'Addresses and CIDR ranges whose forwarded headers are trusted, separated by commas.',
    alias: 'trustedProxies',
    isSecurity: true,
  }),
  connections_per_address: defineInteger({
    range: [1, 10_000],
    byDefault: 1_000,
    placeholder: '<count>',
    summary: 'Open connections of one address that is no trusted proxy.',
    isSecurity: true,
  }),
  ...storeOptions,
  changes_retention_days: defineInteger({
    range: [1, CHANGES_RETENTION_DAYS_MAX],
    byDefault: 30,
    placeholder: '<days>',
    summary: 'Days that changes of memory can be followed, at least.',
  }),
  webhook_addresses: define({
    schema: v.optional(v.array(v.pipe(v.string(), v.check(isAddressRange)))),
    form: 'list',
    allowed: 'IP addresses and CIDR ranges',
    byDefault: 'none',
    placeholder: '<ranges>',
    summary: 'Private addresses that webhooks may call, also without TLS, separated by commas.',
    isSecurity: true,
  }),
  issuer_addresses: define({
    schema: v.optional(v.array(v.pipe(v.string(), v.check(isAddressRange)))),
    form: 'list',
    allowed: 'IP addresses and CIDR ranges',
    byDefault: 'none',
    placeholder: '<ranges>',
    summary: 'Private addresses of trusted issuers, also without TLS, separated by commas.',
    isSecurity: true,
  }),
  program_addresses: define({
    schema: v.optional(v.array(v.pipe(v.string(), v.check(isAddressRange)))),
    form: 'list',
    allowed: 'IP addresses and CIDR ranges',
    byDefault: 'none',
    placeholder: '<ranges>',
    summary: 'Private addresses at which programs publish their documents, separated by commas.',
    isSecurity: true,
  }),
  audit_enabled: defineBoolean({
    byDefault: true,
    summary: 'Whether audit events are recorded; if not, audit queries return an empty list.',
    isSecurity: true,
  }),
  audit_max_events: defineInteger({
    range: [1, AUDIT_EVENTS_MAX],
    byDefault: 100_000,
    placeholder: '<count>',
    summary: 'Audit events kept per quota, tenant and installation; the oldest are removed first.',
    isSecurity: true,
  }),
  audit_retention_days: defineInteger({
    range: [1, AUDIT_RETENTION_DAYS_MAX],
    byDefault: 90,
    placeholder: '<days>',
    summary: 'Age in days at which audit events and files are removed.',
    isSecurity: true,
  }),
  audit_files: defineBoolean({
    byDefault: true,
    summary: 'Whether audit events are also written to files as JSON lines.',
    isSecurity: true,
  }),
  audit_log_path: define({
    schema: v.optional(path),
    form: 'text',
    allowed: 'the path of a directory',
    byDefault: 'audit in data_dir',
    placeholder: '<dir>',
    summary: 'Directory of the audit files; made if absent.',
    isSecurity: true,
  }),
  audit_max_file_size: defineInteger({
    range: [AUDIT_FILE_BYTES_MIN, AUDIT_FILE_BYTES_MAX],
    byDefault: 10_485_760,
    placeholder: '<bytes>',
    summary: 'Size of an audit file in bytes at which the next one is started.',
  }),
  audit_reads: defineBoolean({
    byDefault: false,
    summary: 'Whether granted permission checks of reads are recorded too.',
    isSecurity: true,
  }),
  jwt_ttl_seconds: defineInteger({
    range: [JWT_TTL_SECONDS_MIN, JWT_TTL_SECONDS_MAX],
    byDefault: 3_600,
    placeholder: '<seconds>',
    summary: 'Lifetime of an access token in seconds.',
    isSecurity: true,
  }),
  jwt_issuer: define({
    schema: v.optional(name, 'agentkeep'),
    form: 'text',
    allowed: NAME_ALLOWED,
    byDefault: 'agentkeep',
    placeholder: '<name>',
    summary: 'Issuer of access tokens: their claim iss.',
    isSecurity: true,
  }),
  jwt_audience: define({
    schema: v.optional(name, 'agentkeep'),
    form: 'text',
    allowed: NAME_ALLOWED,
    byDefault: 'agentkeep',
    placeholder: '<name>',
    summary: 'Audience of access tokens: their claim aud.',
    isSecurity: true,
  }),
  jwt_private_key_file: define({
    schema: v.optional(path),
    form: 'text',
    allowed: 'the path of a PEM file',
    byDefault: 'a key generated once and kept in the store',
    placeholder: '<file>',
    summary: 'RSA private key that signs access tokens, as PEM.',
  }),
  jwt_additional_key_file: define({
    schema: v.optional(path),
    form: 'text',
    allowed: 'the path of a PEM file',
    byDefault: 'none',
    placeholder: '<file>',
    summary: 'Another RSA key, private or public, that only verifies access tokens.',
  }),
  session_idle_seconds: define({
    schema: v.optional(
      v.union([v.literal(0), integer(SESSION_IDLE_SECONDS_MIN, SESSION_IDLE_SECONDS_MAX)]),
      0,
    ),
    form: 'number',
    allowed: `0 or an integer from ${SESSION_IDLE_SECONDS_MIN} to ${SESSION_IDLE_SECONDS_MAX}`,
    byDefault: '0',
    placeholder: '<seconds>',
    summary: 'Idle seconds after which a session with access tokens ends; 0: never.',
    isSecurity: true,
  }),
  metrics_port: define({
    schema: v.optional(integer(0, PORT_MAX)),
    form: 'number',
    allowed: `an integer from 0 to ${PORT_MAX}`,
    byDefault: 'none: metrics have no port of their own',
    placeholder: '<port>',
    summary: 'Port that serves metrics, /livez and /readyz; 0 takes any free one.',
  }),
  metrics_host: define({
    schema: v.optional(host, '127.0.0.1'),
    form: 'text',
    allowed: HOST_ALLOWED,
    byDefault: '127.0.0.1',
    placeholder: '<host>',
    summary: 'Address of the metrics port; 0.0.0.0 or :: means all.',
    isSecurity: true,
  }),
  metrics_token: define({
    schema: v.optional(v.pipe(v.string(), v.check(isMetricsToken))),
    form: 'text',
    allowed: METRICS_TOKEN_ALLOWED,
    byDefault: 'none',
    placeholder: '<secret>',
    summary: 'Secret that readers of metrics send; without metrics_port, shows them on port.',
    secret: 'whole',
  }),
  mcp: defineBoolean({
    byDefault: false,
    summary: 'Whether the Model Context Protocol is served at /mcp.',
    isSecurity: true,
  }),
  mcp_url: define({
    schema: v.optional(v.pipe(v.string(), v.check(isMcpUrl))),
    form: 'text',
    allowed: MCP_URL_ALLOWED,
    byDefault: 'the local host that a request names',
    placeholder: '<url>',
    summary: 'URL of /mcp as clients reach it, where that is no local host.',
    isSecurity: true,
  }),
  meaning: defineBoolean({
    byDefault: false,
    summary: 'Whether the server makes embeddings, so that recall goes by meaning in English too.',
  }),
  console: defineBoolean({
    byDefault: true,
    summary: 'Whether the console for people is served at /console.',
    isSecurity: true,
  }),
  public_url: define({
    schema: v.optional(v.pipe(v.string(), v.check(isPublicUrl))),
    form: 'text',
    allowed: PUBLIC_URL_ALLOWED,
    byDefault: 'none',
    placeholder: '<origin>',
    summary: 'Address of the server for browsers and programs; turns on pages and OAuth.',
    isSecurity: true,
  }),
  internal_url: define({
    schema: v.optional(v.pipe(v.string(), v.check(isWebOrigin))),
    form: 'text',
    allowed: WEB_ORIGIN_ALLOWED,
    byDefault: 'none',
    placeholder: '<origin>',
    summary:
      'Another address of the server, which programs prove their keys for, beside public_url.',
    isSecurity: true,
  }),
  client_registration: defineBoolean({
    byDefault: false,
    summary: 'Whether any program may register for OAuth, where public_url is set.',
    isSecurity: true,
  }),
  snapshot_every: define({
    schema: v.optional(duration(366)),
    form: 'text',
    allowed: 'minutes, hours or days such as 30m, 6h or 1d, up to 366d',
    byDefault: 'none: no snapshot is made by itself',
    placeholder: '<duration>',
    summary: 'Time from one snapshot to the next, such as 30m, 6h or 1d.',
  }),
  snapshot_keep: defineInteger({
    range: [1, 1_000],
    byDefault: 7,
    placeholder: '<count>',
    summary: 'Snapshots of snapshot_every to keep; older ones are removed.',
  }),
  raise_level: defineBoolean({
    byDefault: true,
    summary: 'Whether the level of the store is raised a day after the last older server left.',
  }),
  ...replicationOptions,
  stop_grace_seconds: defineInteger({
    range: [0, STOP_GRACE_SECONDS_MAX],
    byDefault: 10,
    placeholder: '<seconds>',
    summary: 'Seconds that a stop waits for accepted requests.',
  }),
} as const;

/** The name of an option, as in configuration files. */
export type OptionName = keyof typeof optionTable;

/** The names of all options. */
export const optionNames = Object.keys(optionTable) as OptionName[];

/** The values of all options, by name. */
export type OptionValues = {
  -readonly [N in OptionName]: v.InferOutput<(typeof optionTable)[N]['schema']>;
};

/** Returns the flag of an option, without dashes: `data-dir`. */
export function flagOf(name: OptionName): string {
  return name.replaceAll('_', '-');
}

/** Prefix of all environment variables of the service. */
export const VARIABLE_PREFIX = 'AGENTKEEP_';

/** The options that may be secrets. */
export const secretNames = optionNames.filter((name) => secrecyOf(name) !== undefined);

/** Returns whether an option is a secret, or may hold a password. */
export function secrecyOf(name: OptionName): OptionDefinition['secret'] {
  const { secret }: OptionDefinition = optionTable[name];
  return secret;
}

/** Returns the member of a configuration file that names a file with a secret. */
export function fileMemberOf(name: OptionName): string {
  return `${name}_file`;
}

/** Returns the flag that names a file with a secret, without dashes: `store-url-file`. */
export function fileFlagOf(name: OptionName): string {
  return `${flagOf(name)}-file`;
}

/** Returns the variable that names a file with a secret: `AGENTKEEP_STORE_URL_FILE`. */
export function fileVariableOf(name: OptionName): string {
  return `${variableOf(name)}_FILE`;
}

/** Returns the environment variable of an option: `AGENTKEEP_DATA_DIR`. */
export function variableOf(name: OptionName): string {
  return VARIABLE_PREFIX + name.toUpperCase();
}
