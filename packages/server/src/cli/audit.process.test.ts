/** Runs the built commands that write and verify the audit log, in real processes. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bootstrapTenant, runCommand } from '@agentkeep/testkit/agentkeep-process';
import { ServerProcess } from '@agentkeep/testkit/server-process';

let home: string;
let dataDir: string;
const started: ServerProcess[] = [];

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'agentkeep-audit-'));
  dataDir = join(home, 'data');
});

afterEach(async () => {
  for (const server of started.splice(0)) await server.kill();
  rmSync(home, { recursive: true });
});

async function serve(...words: string[]): Promise<ServerProcess> {
  const server = new ServerProcess(dataDir, { words });
  started.push(server);
  await server.listens();
  return server;
}

describe('audit files', () => {
  /** Starts and stops a server; returns its line that names the address. */
  const stopped = async (...words: string[]): Promise<Record<string, unknown>> => {
    const server = await serve(...words);
    expect(await server.stop()).toBe(0);
    const [line = ''] = /^.*"listening".*$/m.exec((await server.ended).out) ?? [];
    return JSON.parse(line) as Record<string, unknown>;
  };

  it('are written by default, in a folder that the start line names', async () => {
    const { audit_log_path: folder } = await stopped();
    expect(folder).toBe(join(dataDir, 'audit'));
    const [name = '', ...others] = readdirSync(join(dataDir, 'audit'));
    expect(others).toEqual([]);
    const lines = readFileSync(join(dataDir, 'audit', name), 'utf8')
      .trimEnd()
      .split('\n');
    const types = lines.map((line) => (JSON.parse(line) as { event_type: string }).event_type);
    expect(types).toEqual(['system_startup', 'system_shutdown']);
  });

  it('are not written where they are off, or the log is', async () => {
    for (const option of ['--audit-files', '--audit-enabled']) {
      expect(await stopped(option, 'false')).not.toHaveProperty('audit_log_path');
      expect(existsSync(join(dataDir, 'audit'))).toBe(false);
    }
  });
});

describe('verify-audit', () => {
  const verify = async (...words: string[]) => {
    const { status, out, error } = await runCommand([
      'verify-audit',
      '--data-dir',
      dataDir,
      ...words,
    ]);
    return { status, out, error };
  };

  it('OPR-11, OPR-20, OPR-49 verifies beside a server and after it, including its start and its shutdown', async () => {
    bootstrapTenant(dataDir, 'acme');
    const server = await serve();
    const beside = await verify('--json');
    expect(beside).toMatchObject({ status: 0, error: '' });
    const report = JSON.parse(beside.out) as Record<string, unknown>;
    expect(Object.keys(report)).toEqual([
      'contract_version',
      'status',
      'first_event',
      'last_event',
      'events_checked',
      'broken_at',
    ]);
    expect(report).toMatchObject({ status: 'verified', events_checked: 2, broken_at: null });
    expect(await server.stop()).toBe(0);
    const after = await verify();
    expect(after).toMatchObject({ status: 0, error: '' });
    expect(after.out).toMatch(/^verified: 3 events checked, from [\w-]+ to [\w-]+\n$/);
  });

  it('AUD-C55, OPR-11, OPR-20 names the first event whose link fails, with exit status 1', async () => {
    bootstrapTenant(dataDir, 'acme');
    const { first_event } = JSON.parse((await verify('--json')).out) as { first_event: string };
    const file = join(dataDir, 'data.mdb');
    const bytes = readFileSync(file);
    const text = Buffer.from('"change":"bootstrapped"');
    for (let at = bytes.indexOf(text); at !== -1; at = bytes.indexOf(text, at + 1)) {
      bytes.write('"change":"bootstripped"', at);
    }
    writeFileSync(file, bytes);
    const broken = await verify('--json');
    expect(broken.status).toBe(1);
    expect(JSON.parse(broken.out)).toMatchObject({ status: 'broken', broken_at: first_event });
    expect(broken.error).toContain(`the link of event ${first_event} fails`);
  });

  it('fails without making a store where there is none', async () => {
    expect(await verify()).toMatchObject({ status: 1, out: '' });
    expect(existsSync(dataDir)).toBe(false);
  });
});
