/** Which server a command calls, and with which secret. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runCommand } from './run-command.js';
import { servedKeep } from './served-keep.js';

describe('agentkeep profiles', () => {
  test('CMD-C3, CMD-3 keeps where secrets are, never secrets, in a private file', async () => {
    await using served = await servedKeep();
    const path = served.environment['AGENTKEEP_PROFILES_FILE'] ?? '';
    expect(readFileSync(path, 'utf8')).not.toContain('ak1_');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const table = await served.run(['profiles', 'list']);
    expect(table).toMatch(/^agent \* +http:\/\/127\.0\.0\.1:\d+ +- +\S+agent +p\/a\/private$/m);
  });

  test('changes the default, and forgets a profile', async () => {
    await using served = await servedKeep();
    await served.run(['profiles', 'use', 'admin']);
    expect(await served.run(['whoami'])).toMatch(/^spec\.subject_id +ops$/m);
    await served.run(['profiles', 'remove', 'admin']);
    const { error } = await served.attempt(['whoami']);
    expect(error).toContain('No server is chosen. Make a profile');
    const unknown = await served.attempt(['whoami', '--profile', 'admin']);
    expect(unknown.error).toContain('There are: agent, master, root.');
  });

  test.each([
    [['--secret-file', 'a', '--secret-variable', 'B'], 'not both'],
    [[], 'Give --secret-file or --secret-variable'],
    [['--username', 'ann', '--secret-file', 'a'], 'Give --secret-file or --secret-variable'],
    [['--secret-file', 'a', '--project-id', 'p'], 'both --project-id and --agent-id'],
  ])('refuses %j', async (words, problem) => {
    const { status, error } = await runCommand(['profiles', 'set', 'x', ...words]);
    expect(status).toBe(1);
    expect(error).toContain(problem);
  });

  test('says where its file is not JSON, or which member is wrong', async () => {
    await using served = await servedKeep();
    const path = join(served.folder, 'profiles.json');
    writeFileSync(path, '{\n  "profiles": {},\n}\n');
    expect((await served.attempt(['whoami'])).error).toContain('see line 3, column 1');
    writeFileSync(path, '{"profiles": {"x": {"uri": "http://127.0.0.1"}}}');
    expect((await served.attempt(['whoami'])).error).toContain('profiles.x.');
  });
});

describe('a command that calls a server', () => {
  test('CMD-C1, CMD-C2, CMD-1 takes address and secret from one place', async () => {
    await using served = await servedKeep();
    const secretFile = join(served.folder, 'admin');
    const flags = ['--url', served.url, '--secret-file', secretFile];
    expect(await served.run(['whoami', ...flags])).toMatch(/subject_id +ops/);
    const both = await served.attempt(['whoami', '--profile', 'agent', ...flags]);
    expect(both.error).toContain('Give either --profile, or --url with --secret-file.');
    const alone = await served.attempt(['whoami', '--url', 'http://127.0.0.1:9']);
    expect(alone.error).toContain('There is no secret.');
    const environment = {
      ...served.environment,
      AGENTKEEP_PROFILE: 'agent',
      AGENTKEEP_SECRET: 'x',
    };
    const twice = await served.attempt(['whoami'], { environment });
    expect(twice.error).toContain('AGENTKEEP_PROFILE and AGENTKEEP_SECRET are set.');
    const chosen = { ...served.environment, AGENTKEEP_PROFILE: 'admin' };
    expect(await served.run(['whoami'], { environment: chosen })).toMatch(/subject_id +ops/);
  });

  test('reads a secret from the variable that a profile names', async () => {
    await using served = await servedKeep();
    const words = ['--url', served.url, '--secret-variable', 'ACME_SECRET'];
    await served.run(['profiles', 'set', 'variable', ...words, '--default']);
    expect((await served.attempt(['whoami'])).error).toContain('Set ACME_SECRET, or name a file');
    const secret = readFileSync(join(served.folder, 'admin'), 'utf8');
    const environment = { ...served.environment, ACME_SECRET: secret };
    expect(await served.run(['whoami'], { environment })).toMatch(/subject_id +ops/);
  });

  test.each([
    ['of several lines', 'canary-one\ncanary-two', 'holds no secret'],
    ['of other characters', 'gehört nicht hierher', 'holds no secret'],
    ['of nothing', ' \n', 'is empty'],
  ])('shows nothing of a secret file %s', async (_, text, problem) => {
    await using served = await servedKeep();
    const file = join(served.folder, 'wrong');
    writeFileSync(file, text, { mode: 0o600 });
    await served.run(['profiles', 'set', 'wrong', '--url', served.url, '--secret-file', file]);
    const environment = { ...served.environment, AGENTKEEP_SECRET: text };
    for (const run of [
      await served.attempt(['whoami', '--profile', 'wrong']),
      await served.attempt(['whoami', '--url', served.url, '--secret-file', file]),
      await served.attempt(['whoami', '--url', served.url], { environment }),
      await served.attempt(['doctor', '--data-dir', served.folder], {
        environment: { ...served.environment, AGENTKEEP_PROFILE: 'wrong' },
      }),
    ]) {
      expect(run.status).toBe(1);
      expect(run.out + run.error).toContain(problem);
      for (const word of text.split(/\s+/u).filter((each) => each !== '')) {
        expect(run.out + run.error).not.toContain(word);
      }
    }
  });

  test.each([0o660, 0o606, 0o602])('refuses a file that others may change (%o)', async (mode) => {
    await using served = await servedKeep();
    for (const name of ['agent', 'profiles.json']) {
      const file = join(served.folder, name);
      chmodSync(file, mode);
      const { status, error } = await served.attempt(['whoami', '--profile', 'agent']);
      expect(status).toBe(1);
      expect(error).toContain(`may change ${file} (${mode.toString(8)})`);
      chmodSync(file, 0o600);
    }
  });

  test('CMD-20 warns of a file that others may read, and goes on', async () => {
    await using served = await servedKeep();
    const file = join(served.folder, 'agent');
    chmodSync(file, 0o644);
    const { status, out, error } = await served.attempt(['whoami', '--profile', 'agent', '--json']);
    expect(status).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ credential: { spec: { subject_id: 'helper' } } });
    expect(error).toContain(`may read ${file} (644). Run \`chmod 600 ${file}\`.`);
  });

  test('CMD-21 a secret of more than one line is refused and not shown', async () => {
    await using served = await servedKeep();
    const environment = { AGENTKEEP_URL: served.url, AGENTKEEP_SECRET: 'ak1_first\nsecond' };
    const refused = await served.attempt(['whoami'], { environment });
    expect(refused).toMatchObject({ status: 1, out: '' });
    expect(refused.error).not.toMatch(/ak1_first|second/u);
  });

  test('CMD-22 a redirect is not followed, and its address is named', async () => {
    await using served = await servedKeep();
    const asked: string[] = [];
    const elsewhere = createServer((request, response) => {
      asked.push(request.headers.authorization ?? '');
      response.writeHead(307, { Location: 'http://127.0.0.1:9/moved' }).end();
    });
    await once(elsewhere.listen(0, '127.0.0.1'), 'listening');
    const { port } = elsewhere.address() as AddressInfo;
    const environment = { AGENTKEEP_URL: `http://127.0.0.1:${port}`, AGENTKEEP_SECRET: 'ak1_x' };
    const refused = await served.attempt(['whoami'], { environment });
    elsewhere.close();
    expect(refused.status).toBe(1);
    expect(refused.error).toContain('http://127.0.0.1:9');
    expect(asked).toHaveLength(1);
  });

  test('says which server did not answer, and what to do', async () => {
    await using served = await servedKeep();
    const flags = ['--url', 'http://127.0.0.1:1', '--secret-file', join(served.folder, 'admin')];
    const { error } = await served.attempt(['whoami', ...flags]);
    expect(error).toContain('No server answered at http://127.0.0.1:1 (the flags).');
    expect(error).toContain('agentkeep doctor');
  });

  test('CMD-18 is refused with the member that is wrong', async () => {
    await using served = await servedKeep();
    const words = ['credentials', 'issue', '--profile', 'admin', '--subject-id', ' '];
    const more = ['--capabilities', 'memory_read', '--grants', '[]'];
    const { error } = await served.attempt([...words, ...more]);
    expect(error).toContain('(invalid_request)\n  spec.subject_id: ');
    const missing = await served.attempt(words);
    expect(missing.error).toContain('--capabilities, --grants are required.');
  });

  test('needs no option of the service', async () => {
    await using served = await servedKeep();
    const environment = { ...served.environment, AGENTKEEP_PORT: 'abc' };
    expect(await served.run(['whoami'], { environment })).toMatch(/subject_id +helper/);
  });

  test('CMD-C11 escapes what would control a terminal', async () => {
    await using served = await servedKeep();
    await served.run(['memory', 'put', 'red \u001B[31m alert\u202E', '--name', 'x']);
    const out = await served.run(['memory', 'list']);
    expect(out).toContain('red \\u001b[31m alert\\u202e');
  });

  test('CMD-16 escapes the same in JSON and exports, which read as the same text', async () => {
    await using served = await servedKeep();
    const text = 'red \u001B[31m \u009B31m \u007F alert\u202E \u2066x\u2069 \u061C';
    await served.run(['memory', 'put', text, '--name', 'x']);
    const outs = [
      await served.run(['memory', 'list', '--json']),
      await served.run(['memory', 'get', 'x', '--json']),
      await served.run(['memory', 'search', 'alert', '--json']),
      await served.run(['memory', 'history', 'x', '--json']),
      await served.run(['memory', 'export']),
    ];
    for (const out of outs) {
      expect(out).not.toMatch(/[^\n\P{Cc}]|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u);
      expect(out).toContain('alert\\u202e');
      expect(JSON.stringify(JSON.parse(out.trim().split('\n')[0] ?? ''))).toContain(
        JSON.stringify(text).slice(1, -1),
      );
    }
  });

  test('CMD-17 cuts the last column on a terminal, and has colours only there', async () => {
    await using served = await servedKeep();
    await served.run(['memory', 'put', '記憶'.repeat(100)]);
    const terminal = { columns: 120, hasColors: true };
    const shown = await served.run(['memory', 'list'], {
      environment: served.environment,
      terminal,
    });
    expect(shown).toContain('\u001B[1m');
    expect(shown).toContain('…\n');
    const piped = await served.run(['memory', 'list']);
    expect(piped).not.toContain('\u001B');
    expect(piped).toContain('記憶'.repeat(100));
  });
});
