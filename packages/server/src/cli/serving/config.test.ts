/** `agentkeep config`: what a server would run with, and where each part comes from. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { optionNames } from '../../options/option-table.js';
import { runCommand } from '../../../test/command-line/run-command.js';

const directory = mkdtempSync(join(tmpdir(), 'agentkeep-config-'));
afterAll(() => rmSync(directory, { recursive: true }));

const TOKEN = 'a-secret-of-metrics';
const PASSWORD = 'hunter2-and-more';

function run(words: readonly string[], environment: Record<string, string> = {}) {
  return runCommand(['config', ...words], { environment });
}

interface Shown {
  readonly options: Record<string, { value: unknown; from: string }>;
}

describe('agentkeep config', () => {
  test('OPR-95 shows every option and the password as a table, one line each', async () => {
    const { status, out } = await run([]);
    expect(status).toBe(0);
    const [head, ...rows] = out.trimEnd().split('\n');
    expect(head).toMatch(/^OPTION +VALUE +FROM$/);
    expect(rows.map((row) => row.split(' ', 1)[0])).toEqual([...optionNames, 'admin_password']);
    expect(rows[0]).toMatch(/^data_dir +\.\/data +default$/);
    expect(out).toMatch(/^store_url +- +default: none$/m);
  });

  test('OPR-91 names the flag, variable, member or file that a value comes from', async () => {
    const token = join(directory, 'token');
    writeFileSync(token, `${TOKEN}\n`);
    const file = join(directory, 'agentkeep.json');
    const members = { port: 1, host: '::1', trusted_proxies: ['10.0.0.1', '10.0.0.2'] };
    writeFileSync(file, JSON.stringify({ ...members, metrics_token_file: token }));
    const environment = { AGENTKEEP_PORT: '2', AGENTKEEP_LOG_LEVEL: 'warn' };
    const words = ['--config', file, '--port', '3'];
    const { out } = await run([...words, '--json'], environment);
    expect(out.split('\n')).toHaveLength(2);
    const { options } = JSON.parse(out) as Shown;
    expect(options).toMatchObject({
      port: { value: 3, from: '--port' },
      log_level: { value: 'warn', from: 'AGENTKEEP_LOG_LEVEL' },
      host: { value: '::1', from: `host in ${file}` },
      metrics_token: { value: '[redacted]', from: `metrics_token_file in ${file}` },
      durability: { value: 'strict', from: 'default' },
      store_url: { value: null, from: 'default: none' },
    });
    const table = await run(words, environment);
    expect(table.out).toMatch(/^trusted_proxies +10\.0\.0\.1,10\.0\.0\.2 +trusted_proxies in /m);
  });

  test.each([[[]], [['--json']]])('shows no secret (%j)', async (words) => {
    const url = join(directory, 'url');
    writeFileSync(url, `postgres://keep:${PASSWORD}@db.example/keep`);
    const { status, out } = await run([...words, '--store-url-file', url], {
      AGENTKEEP_METRICS_TOKEN: TOKEN,
      AGENTKEEP_ADMIN_PASSWORD: PASSWORD,
    });
    expect(status).toBe(0);
    expect(out).not.toContain(TOKEN);
    expect(out).not.toContain(PASSWORD);
    expect(out).toContain('db.example/keep');
    expect(out).toContain('--store-url-file');
    expect(out).toContain('AGENTKEEP_ADMIN_PASSWORD');
  });

  test('reports what a server would refuse, without showing a secret', async () => {
    const { status, out, error } = await run(['--port', 'x'], { AGENTKEEP_METRICS_TOKEN: 'short' });
    expect({ status, out }).toEqual({ status: 1, out: '' });
    expect(error).toContain('--port: "x" is refused.');
    expect(error).toContain('AGENTKEEP_METRICS_TOKEN: this value is refused.');
    expect(error).not.toContain('short');
  });
});
