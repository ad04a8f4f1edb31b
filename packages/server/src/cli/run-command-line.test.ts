/** Help, usage and refusals of the command line, run in this process. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { optionNames } from '../options/option-table.js';
import { SERVE_OPTIONS } from './command/option-sets.js';
import { runCommand } from '../../test/command-line/run-command.js';

function run(...words: string[]) {
  return runIn({}, ...words);
}

function runIn(environment: Record<string, string>, ...words: string[]) {
  return runCommand(words, { environment });
}

const verbs = [
  'dev',
  'serve',
  'bootstrap-master',
  'recover-master',
  'bootstrap-tenant',
  'create-admin',
  'snapshot',
  'restore',
  'verify-store',
  'verify-audit',
  'verify-erasure',
  'health-check',
  'doctor',
  'config',
  'openapi',
];

describe('help', () => {
  it.each([['--help'], ['-h']])('lists every command for %s', async (flag) => {
    const { status, out, error } = await run(flag);
    expect({ status, error }).toEqual({ status: 0, error: '' });
    for (const verb of verbs) expect(out).toContain(`\n  ${verb}`);
  });

  it.each(verbs)('explains %s', async (verb) => {
    const { status, out, error } = await run(verb, '--nonsense', '--help');
    expect({ status, error }).toEqual({ status: 0, error: '' });
    expect(out).toContain(`Usage: agentkeep ${verb}`);
    expect(out).toContain('--data-dir <dir>');
    expect(out).toContain('Examples:\n  ');
    for (const line of out.split('\n')) expect(line.length).toBeLessThanOrEqual(92);
  });

  it('names the same first command as the guide of the server and doctor', async () => {
    const guide = readFileSync(
      join(import.meta.dirname, '../../../../docs/guides/server.md'),
      'utf8',
    );
    const [, production = ''] = guide.split('## Serve in production');
    const [, first = ''] = /```sh\n(agentkeep [\w-]+)/.exec(production) ?? [];
    expect(first).toBe('agentkeep bootstrap-tenant');
    expect((await run('--help')).out).toContain(`In production: \`${first}\`, then`);
    const doctor = await run('doctor', '--data-dir', '/nowhere/at/all', '--port', '0');
    expect(doctor.out).toContain(`\`${first}\` in production.`);
  });

  it('shows the version', async () => {
    expect(await run('--version')).toEqual({ status: 0, out: '0.13.0\n', error: '' });
  });
});

describe('--print-config', () => {
  it.each(verbs)('shows the options of %s and does nothing else', async (verb) => {
    const { status, out, error } = await run(verb, '--print-config');
    expect({ status, error }).toEqual({ status: 0, error: '' });
    expect(JSON.parse(out)).toMatchObject({
      command: verb,
      options: { data_dir: { value: './data', from: 'default' } },
    });
  });

  it('OPR-17, OPR-60 shows where each option comes from, by precedence', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'agentkeep-config-'));
    const file = join(directory, 'agentkeep.json');
    writeFileSync(file, '{"port":1,"host":"::1","log_level":"debug","audit":{"reads":true}}');
    const environment = { AGENTKEEP_PORT: '2', AGENTKEEP_LOG_LEVEL: 'warn' };
    const words = ['serve', '--print-config', '--config', file, '--port', '3'];
    const { out } = await runIn(environment, ...words);
    rmSync(directory, { recursive: true });
    expect(JSON.parse(out)).toMatchObject({
      options: {
        port: { value: 3, from: '--port' },
        log_level: { value: 'warn', from: 'AGENTKEEP_LOG_LEVEL' },
        host: { value: '::1', from: `host in ${file}` },
        audit_reads: { value: true, from: `audit_reads in ${file}` },
        durability: { value: 'strict', from: 'default' },
        trusted_proxies: { value: null, from: 'default: loopback and private ranges' },
      },
    });
  });

  it('shows that a password is given but not its value', async () => {
    const environment = { AGENTKEEP_ADMIN_PASSWORD: 'Correct-Horse-7' };
    const given = await runIn(environment, 'create-admin', '--print-config');
    expect(given.out).not.toContain('Correct-Horse-7');
    const from = 'AGENTKEEP_ADMIN_PASSWORD';
    expect(JSON.parse(given.out)).toMatchObject({
      options: { admin_password: { value: '[redacted]', from } },
    });
    const { out } = await run('dev', '--print-config');
    expect(JSON.parse(out)).toMatchObject({
      options: { admin_password: { value: null, from: 'default: generated' } },
    });
  });

  it('OPR-16 shows only options of the command, and redacts secrets', async () => {
    const secret = `ak1_${'0'.repeat(32)}_${'a'.repeat(43)}`;
    const { out } = await runIn({ AGENTKEEP_PORT: '1' }, 'snapshot', '--print-config');
    const { options } = JSON.parse(out) as { options: object };
    expect(Object.keys(options)).toEqual(['data_dir', 'store_url']);
    const redacted = await run('snapshot', '--print-config', '--data-dir', secret);
    expect(redacted.out).not.toContain(secret);
    expect(redacted.out).toContain('[redacted]');
  });
});

describe('refusals', () => {
  it.each([
    [[], 'No command given.'],
    [['fly'], "Unknown command 'fly'."],
    [['--port', '1', 'serve'], "Unknown option '--port'."],
    [['bootstrap-master'], "Missing required argument 'subject-id'."],
    [['recover-master'], "Missing required argument 'expected-revision'."],
    [['recover-master', 'one'], 'expected-revision: "one" is not a revision.'],
    [['recover-master', '1.5'], 'expected-revision: "1.5" is not a revision.'],
    [['recover-master', '9007199254740992'], 'is not a revision.'],
    [['recover-master', '--', '-1'], 'expected-revision: "-1" is not a revision.'],
    [['serve', '--print-config', '--port', 'abc'], '--port: "abc" is refused.'],
    [['snapshot', '--print-config', '--port', '1'], "Unknown option '--port'"],
    [['serve', 'extra'], 'Too many arguments. Expected 0 arguments but got 1.'],
    [['bootstrap-tenant', 'acme'], "Missing required argument 'subject-id'."],
    [['bootstrap-tenant', 'a', 'b', 'c'], 'Expected 2 arguments but got 3.'],
    [['bootstrap-tenant', 'a', 'b', '--port', '1'], "Unknown option '--port'"],
    [['serve', '--jwt-secret', 'x'], "Unknown option '--jwt-secret'"],
    [['serve', '--port'], '--port'],
    [['serve', '--port', '1', '--port', '2'], '--port is given more than once.'],
    [['serve', '--port', 'abc'], '--port: "abc" is refused.'],
    [['create-admin'], "Missing required argument 'username'."],
    [['create-admin', 'ann', '--role', 'Read'], '--role: "Read" is refused.'],
    [['create-admin', 'ann', '--password', 'x'], "Unknown option '--password'"],
    [['restore'], "Missing required argument 'snapshot-dir'."],
    [['restore', 'a', '--force=yes'], '--force'],
    [['restore', 'a', '--source', 'b'], "Unknown option '--source'"],
    [['snapshot', '--durability', 'strict'], "Unknown option '--durability'"],
    [['verify-store', '--source', 'a', '--source', 'b'], '--source is given more than once.'],
    [['serve', '--force'], "Unknown option '--force'"],
    [['serve', '--prot', '1'], 'Did you mean --port?'],
    [['snapsot'], 'Did you mean snapshot?'],
    [['credentails', 'list'], 'Did you mean'],
    [['credentials', 'rotat', 'x'], 'Did you mean rotate?'],
    [['call', 'listTenant'], 'Did you mean listTenants?'],
    [['credentials'], 'credentials needs a command.'],
    [['credentials', 'rotate', ''], 'id is empty.'],
    [['serve', '--json'], "Unknown option '--json'"],
    [['serve', '--config', 'absent.json'], 'absent.json cannot be read'],
  ])(
    'OPR-45, OPR-46, CMD-C12 refuses %j with the usage on standard error',
    async (words, problem) => {
      const { status, out, error } = await run(...words);
      expect({ status, out }).toEqual({ status: 1, out: '' });
      expect(error).toMatch(/^agentkeep: /);
      expect(error).toContain(problem);
      expect(error).toContain('Usage: agentkeep ');
    },
  );

  it.each([['verify-store'], ['restore', 'a']])('refuses a database for %s', async (...words) => {
    const environment = { AGENTKEEP_STORE_URL: 'postgres://agentkeep@127.0.0.1:1/agentkeep' };
    const { status, error } = await runIn(environment, ...words);
    expect(status).toBe(1);
    expect(error).toContain(`${words[0]} works on data directories`);
    const named = await runIn(environment, ...words, '--data-dir', '/nowhere');
    expect(named.error).not.toContain('works on data directories');
  });

  it('shows where a configuration file is no JSON', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'agentkeep-config-'));
    try {
      const file = join(directory, 'agentkeep.json');
      writeFileSync(file, '{\n  "port": 1,\n}\n');
      const { error } = await run('serve', '--config', file);
      expect(error).toContain('The text is not one JSON value. See line 3, column 1.');
    } finally {
      rmSync(directory, { recursive: true });
    }
  });

  it('OPR-54 does not probe port 0', async () => {
    const { status, error } = await run('health-check', '--port', '0');
    expect(status).toBe(1);
    expect(error).toContain('Port 0 cannot be probed.');
  });
});

describe('openapi', () => {
  it('OPR-13 prints the contract', async () => {
    const { status, out } = await run('openapi');
    expect(status).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ openapi: '3.1.0', info: { version: '0.13.0' } });
  });
});

it('serve takes every option', () => {
  expect([...SERVE_OPTIONS].toSorted()).toEqual([...optionNames].toSorted());
});

it('a failed copy names no store but its own', async () => {
  const from = 'postgres://agentkeep@127.0.0.1:1/agentkeep';
  const { error } = await run('copy-store', '--from', from, '--to', '/nowhere');
  expect(error).toContain('The database is unreachable');
  expect(error).not.toContain('/data');
});
