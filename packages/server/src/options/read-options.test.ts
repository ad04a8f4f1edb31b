/** Sources of options, their precedence, and refusals. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { InvalidOptionsError } from './invalid-options-error.js';
import type { OptionFlags } from './option-sources.js';
import { optionNames } from './option-table.js';
import { type OptionSources, readOptions } from './read-options.js';

const directory = mkdtempSync(join(tmpdir(), 'agentkeep-options-'));
afterAll(() => rmSync(directory, { recursive: true }));

let files = 0;
function file(text: string): string {
  files += 1;
  const path = join(directory, `${files}.json`);
  writeFileSync(path, text);
  return path;
}

function problems(sources: OptionSources): readonly string[] {
  try {
    readOptions(sources);
  } catch (error) {
    if (error instanceof InvalidOptionsError) return error.problems;
    throw error;
  }
  return [];
}

/** Every option as flags and variables spell it, with a value other than its default. */
const texts = {
  data_dir: 'd',
  host: '::1',
  port: '0',
  log_level: 'debug',
  admin_origin: 'https://console.test:8443',
  trusted_proxies: '10.0.0.0/8, ::1',
  connections_per_address: '7',
  durability: 'relaxed',
  map_size_bytes: '2097152',
  query_cache_bytes: '0',
  encryption_keys: 'keys',
  encryption_root_key: 'root.key',
  changes_retention_days: '7',
  webhook_addresses: '10.1.0.0/16, ::1',
  issuer_addresses: '10.2.0.0/16',
  program_addresses: '10.3.0.0/16',
  audit_enabled: 'false',
  audit_max_events: '3',
  audit_retention_days: '4',
  audit_files: 'false',
  audit_log_path: 'logs',
  audit_max_file_size: '5000',
  audit_reads: 'true',
  jwt_ttl_seconds: '61',
  jwt_issuer: 'iss',
  jwt_audience: 'aud',
  jwt_private_key_file: 'one.pem',
  jwt_additional_key_file: 'two.pem',
  session_idle_seconds: '60',
  snapshot_every: '6h',
  snapshot_keep: '5',
  raise_level: 'false',
  replicate_to: '/copies',
  replicate_mode: 'acknowledged',
  replicate_lag_ms: '100',
  replicate_days: '3',
  stop_grace_seconds: '5',
  meaning: 'true',
  console: 'false',
  metrics_port: '9464',
  metrics_host: '::1',
  metrics_token: 'a-secret-of-metrics',
};

describe('readOptions', () => {
  // OPR-22, OPR-24, OPR-25, OPR-26, OPR-27, OPR-29, OPR-31, OPR-32, OPR-35, OPR-36, OPR-37,
  // OPR-38, OPR-40, OPR-41, OPR-88, OPR-89, OPR-90, OPR-92, OPR-93, OPR-94, OPR-23, OPR-30,
  // OPR-97, OPR-98, OPR-107, OPR-112, OPR-120, OPR-121, OPR-130, OPR-131, OPR-145
  it('uses the defaults of the contract', () => {
    expect(readOptions({})).toEqual({
      dataDir: './data',
      host: '127.0.0.1',
      port: 7474,
      logLevel: 'info',
      adminOrigin: undefined,
      trustedProxies: undefined,
      connectionsPerAddress: 1_000,
      durability: 'strict',
      mapSizeBytes: undefined,
      queryCacheBytes: 134_217_728,
      changesRetentionDays: 30,
      webhookAddresses: [],
      ...{ issuerAddresses: [], programAddresses: [] },
      audit: {
        enabled: true,
        maxEvents: 100_000,
        retentionDays: 90,
        logPath: join('data', 'audit'),
        maxFileSize: 10_485_760,
        reads: false,
      },
      tokens: { ttlSeconds: 3_600, issuer: 'agentkeep', audience: 'agentkeep' },
      sessionIdleSeconds: 0,
      ...{ snapshots: undefined, replicateTo: undefined },
      ...{ stopGraceSeconds: 10, console: true, meaning: false, raiseLevel: true },
      metrics: { port: undefined, host: '127.0.0.1', token: undefined },
      securitySettings: {},
    });
  });

  it('OPR-43 has no options for lockouts, opaque sessions and password workers', () => {
    const text = optionNames.join(' ');
    expect(text).not.toMatch(/lockout|lock_|threshold|worker|opaque|max_sessions/u);
  });

  it('reports the security settings that differ from the defaults', () => {
    const { securitySettings } = readOptions({
      environment: {
        AGENTKEEP_HOST: '127.0.0.1',
        AGENTKEEP_PORT: '8080',
        AGENTKEEP_AUDIT_READS: 'true',
        AGENTKEEP_TRUSTED_PROXIES: '10.0.0.1, 10.0.0.2',
      },
    });
    expect(securitySettings).toEqual({
      audit_reads: true,
      trusted_proxies: ['10.0.0.1', '10.0.0.2'],
    });
  });

  it('OPR-42 reads the options of the audit log from one group of a file', () => {
    const grouped = file('{"audit":{"enabled":false,"max_events":3,"log_path":"logs"}}');
    const { audit } = readOptions({ configFile: grouped });
    expect(audit).toMatchObject({ enabled: false, maxEvents: 3, logPath: 'logs' });
    for (const text of ['{"audit":{"colour":1}}', '{"audit":true}', '{"audit":[]}']) {
      expect(() => readOptions({ configFile: file(text) })).toThrow(/unknown option/);
    }
    const mistyped = file('{"prot":1,"audit":{"reeds":true}}');
    expect(() => readOptions({ configFile: mistyped })).toThrow(
      /prot in .*Did you mean port\?.*audit.reeds in .*Did you mean audit.reads\?/s,
    );
    const twice = file('{"audit":{"reads":true},"audit_reads":true}');
    expect(() => readOptions({ configFile: twice })).toThrow(/twice/);
  });

  it('OPR-39, OPR-81 writes audit files beside the data, in a named directory, or not at all', () => {
    const pathOf = (flags: OptionFlags) => readOptions({ flags }).audit.logPath;
    expect(pathOf({ data_dir: '/var/keep' })).toBe('/var/keep/audit');
    expect(pathOf({ data_dir: '/var/keep', audit_log_path: '/var/log/keep' })).toBe(
      '/var/log/keep',
    );
    expect(pathOf({ audit_files: 'false' })).toBeUndefined();
    expect(pathOf({ audit_files: 'false', audit_log_path: 'logs' })).toBeUndefined();
  });

  it('OPR-60 prefers a flag to a variable and a variable to the file', () => {
    const configFile = file('{"port":1,"host":"a","durability":"relaxed"}');
    const environment = { AGENTKEEP_PORT: '2', AGENTKEEP_HOST: 'b', HOME: '/' };
    const options = readOptions({ flags: { port: '3' }, environment, configFile });
    expect(options).toMatchObject({ port: 3, host: 'b', durability: 'relaxed' });
  });

  it('OPR-21, OPR-28, OPR-33, OPR-34, OPR-158 reads every option from every source', () => {
    const wanted = {
      dataDir: 'd',
      host: '::1',
      port: 0,
      logLevel: 'debug',
      adminOrigin: 'https://console.test:8443',
      trustedProxies: ['10.0.0.0/8', '::1'],
      connectionsPerAddress: 7,
      durability: 'relaxed',
      ...{ mapSizeBytes: 2_097_152, queryCacheBytes: 0 },
      encryption: { keysDir: 'keys', rootKey: { file: 'root.key' } },
      ...{ changesRetentionDays: 7, webhookAddresses: ['10.1.0.0/16', '::1'] },
      ...{ issuerAddresses: ['10.2.0.0/16'], programAddresses: ['10.3.0.0/16'] },
      audit: {
        enabled: false,
        maxEvents: 3,
        retentionDays: 4,
        maxFileSize: 5_000,
        reads: true,
      },
      tokens: {
        ttlSeconds: 61,
        issuer: 'iss',
        audience: 'aud',
        privateKeyFile: 'one.pem',
        additionalKeyFile: 'two.pem',
      },
      ...{ sessionIdleSeconds: 60, snapshots: { everySeconds: 21_600, keep: 5 } },
      replicateTo: { target: '/copies', mode: 'acknowledged', lagMs: 100, days: 3 },
      ...{ stopGraceSeconds: 5, console: false, meaning: true, raiseLevel: false },
      metrics: { port: 9_464, host: '::1', token: 'a-secret-of-metrics' },
      securitySettings: expect.objectContaining({ host: '::1', audit_enabled: false }) as object,
    };
    const variables = Object.entries(texts).map(([name, text]) => [
      `AGENTKEEP_${name.toUpperCase()}`,
      text,
    ]);
    const values = {
      ...texts,
      ...{ port: 0, replicate_lag_ms: 100, replicate_days: 3 },
      connections_per_address: 7,
      map_size_bytes: 2_097_152,
      ...{ query_cache_bytes: 0, snapshot_keep: 5 },
      changes_retention_days: 7,
      audit_enabled: false,
      audit_files: false,
      audit_max_events: 3,
      audit_retention_days: 4,
      audit_max_file_size: 5_000,
      audit_reads: true,
      ...{ jwt_ttl_seconds: 61, session_idle_seconds: 60 },
      ...{ stop_grace_seconds: 5, console: false, meaning: true, raise_level: false },
      metrics_port: 9_464,
    };
    const configFile = file(
      JSON.stringify({
        ...values,
        trusted_proxies: undefined,
        trustedProxies: ['10.0.0.0/8', '::1'],
        webhook_addresses: ['10.1.0.0/16', '::1'],
        ...{ issuer_addresses: ['10.2.0.0/16'], program_addresses: ['10.3.0.0/16'] },
      }),
    );
    expect(readOptions({ flags: texts })).toEqual(wanted);
    expect(
      readOptions({ environment: Object.fromEntries(variables) as Record<string, string> }),
    ).toEqual(wanted);
    expect(readOptions({ configFile })).toEqual(wanted);
  });

  it.each([
    ['port', 'abc'],
    ['port', '65536'],
    ['port', '-1'],
    ['port', '1e3'],
    ['port', ' 80'],
    ['port', ''],
    ['metrics_port', '65536'],
    ['metrics_host', 'a b'],
    ['host', ''],
    ['host', 'a b'],
    ['data_dir', ''],
    ['log_level', 'INFO'],
    ['durability', 'none'],
    ['map_size_bytes', '1'],
    ['query_cache_bytes', '1'],
    ['query_cache_bytes', '-1'],
    ['changes_retention_days', '0'],
    ['map_size_bytes', '99999999999999999999'],
    ['trusted_proxies', '10.0.0.0/33'],
    ['trusted_proxies', 'proxy.test'],
    ['trusted_proxies', '10.0.0.1,,10.0.0.2'],
    ['connections_per_address', '0'],
    ['connections_per_address', '10001'],
    ['admin_origin', 'https://x.test/'],
    ['admin_origin', 'http://x.test'],
    ['admin_origin', '*'],
    ['admin_origin', 'https://*.x.test'],
    ['admin_origin', 'https://user@x.test'],
    ['admin_origin', 'https://x.test?q'],
    ['admin_origin', 'https://x.test:443'],
    ['admin_origin', ''],
    ['jwt_ttl_seconds', '60'],
    ['jwt_ttl_seconds', '86401'],
    ['jwt_issuer', ''],
    ['jwt_audience', ' '],
    ['jwt_private_key_file', ''],
    ['session_idle_seconds', '59'],
    ['session_idle_seconds', '86401'],
    ['stop_grace_seconds', '3601'],
    ['stop_grace_seconds', '-1'],
  ] as const)('refuses %s %j and says what is allowed', (name, text) => {
    const [problem = '', ...more] = problems({ flags: { [name]: text } });
    expect(more).toEqual([]);
    expect(problem).toContain(`--${name.replaceAll('_', '-')}: ${JSON.stringify(text)}`);
    expect(problem).toMatch(/Allowed: .+\.$/);
  });

  it('reads an empty list of proxies as none', () => {
    expect(readOptions({ flags: { trusted_proxies: '' } }).trustedProxies).toEqual([]);
  });

  it('OPR-61 refuses an invalid value even when a stronger source overrides it', () => {
    expect(problems({ flags: { port: '1' }, environment: { AGENTKEEP_PORT: 'abc' } })).toHaveLength(
      1,
    );
  });

  it.each(['AGENTKEEP_PROT', 'AGENTKEEP_JWT_TTL', 'AGENTKEEP_'])(
    'refuses the unknown variable %s and lists the known ones',
    (variable) => {
      const [problem] = problems({ environment: { [variable]: '1' } });
      expect(problem).toContain(`${variable}: unknown variable`);
      expect(problem).toContain('AGENTKEEP_TRUSTED_PROXIES');
    },
  );

  it.each([
    ['{"jwt_ttl_seconds":60}', 'jwt_ttl_seconds'],
    ['{"port":"80"}', 'port'],
    ['{"port":80.5}', 'port'],
    ['{"port":null}', 'port'],
    ['{"port":1,"port":2}', 'twice'],
    ['{"trustedProxies":[],"trusted_proxies":[]}', 'twice'],
    ['{"trusted_proxies":"::1"}', 'trusted_proxies'],
    ['[]', 'object'],
    ['null', 'object'],
    ['{', 'JSON'],
    ['', 'JSON'],
  ])('refuses the file %s', (text, word) => {
    const found = problems({ configFile: file(text) });
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(word);
  });

  it('refuses a missing file', () => {
    expect(problems({ configFile: join(directory, 'absent.json') })[0]).toMatch(/cannot be read/);
  });

  it('reports all problems at once and no secret', () => {
    const secret = `ak1_${'0'.repeat(32)}_${'A'.repeat(43)}`;
    const found = problems({ flags: { port: secret }, environment: { AGENTKEEP_X: '1' } });
    expect(found).toHaveLength(2);
    expect(found.join()).not.toContain(secret);
  });
});
