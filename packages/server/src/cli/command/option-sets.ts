/** Options of the service that several commands take. */

/** Options that name the keys of a store. */
export const KEY_OPTIONS = [
  'encryption_keys',
  'encryption_root_key',
  'encryption_root_command',
] as const;

const REPLICATION_OPTIONS = [
  'replicate_to',
  'replicate_mode',
  'replicate_lag_ms',
  'replicate_days',
] as const;

const STORE_OPTIONS = [
  'data_dir',
  'store_url',
  'durability',
  'map_size_bytes',
  ...KEY_OPTIONS,
] as const;

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
  ...KEY_OPTIONS,
  'changes_retention_days',
  'webhook_addresses',
  'issuer_addresses',
  'program_addresses',
  ...AUDIT_OPTIONS,
  'jwt_ttl_seconds',
  'jwt_issuer',
  'jwt_audience',
  'jwt_private_key_file',
  'jwt_additional_key_file',
  'session_idle_seconds',
  'snapshot_every',
  'snapshot_keep',
  'raise_level',
  ...REPLICATION_OPTIONS,
  'stop_grace_seconds',
  'metrics_port',
  'metrics_host',
  'metrics_token',
  'mcp',
  'mcp_url',
  'meaning',
  'console',
  'public_url',
  'internal_url',
  'client_registration',
] as const;
