/** A server of an empty keep on a loopback port, and profiles of its callers in a folder. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Keep, openKeep } from '@agentkeep/core';
import { bootstrapMaster, bootstrapTenant, createAdmin } from '@agentkeep/core/operator';
import { quickPasswords } from '@agentkeep/core/testing';
import { testStore } from '@agentkeep/testkit/test-store';
import { createServer } from '../../src/http/create-server.js';
import { startServer } from '../../src/lifecycle/start-server.js';
import { type CommandRun, runCommand, type Surroundings } from './run-command.js';

const PASSWORD = 'Correct-Horse-7';

/** A server, its callers, and commands that call it. */
export interface ServedKeep extends AsyncDisposable {
  readonly keep: Keep;
  readonly url: string;
  /** A folder that is removed at the end. */
  readonly folder: string;
  /** Variables that name the profiles of the folder. */
  readonly environment: Readonly<Record<string, string>>;
  /** Runs a command that succeeds; returns its output. */
  readonly run: (words: readonly string[], surroundings?: Surroundings) => Promise<string>;
  /** Runs a command with `--json`; returns its answer. */
  readonly answerOf: (words: readonly string[], surroundings?: Surroundings) => Promise<unknown>;
  /** Runs a command that may fail. */
  readonly attempt: (words: readonly string[], surroundings?: Surroundings) => Promise<CommandRun>;
}

/** Serves a keep with a tenant; has the profiles `agent`, `admin`, `master` and `root`. */
export async function servedKeep(): Promise<ServedKeep> {
  const folder = mkdtempSync(join(tmpdir(), 'agentkeep-commands-'));
  const keep = await openKeep({ store: testStore(), passwords: quickPasswords });
  const { secret: admin } = await bootstrapTenant(keep, { tenantId: 'acme', subjectId: 'ops' });
  const { secret: agent } = await (
    await keep.authenticate(admin)
  ).credentials.issue({
    subject_id: 'helper',
    capabilities: ['memory_read', 'memory_write'],
    grants: [{ project_id: 'p', agent_id: 'a', visibility: 'private' }],
  });
  const { secret: master } = await bootstrapMaster(keep, 'root');
  await createAdmin(keep, { username: 'root', password: PASSWORD });
  const server = await startServer(createServer(keep), { host: '127.0.0.1', port: 0 });
  const environment = { AGENTKEEP_PROFILES_FILE: join(folder, 'profiles.json') };
  const attempt: ServedKeep['attempt'] = (words, surroundings) =>
    runCommand(words, { environment, ...surroundings });
  const run: ServedKeep['run'] = async (words, surroundings) => {
    const { status, out, error } = await attempt(words, surroundings);
    if (status !== 0) throw new Error(`${words.join(' ')} failed: ${error}`);
    return out;
  };
  const fileWith = (name: string, text: string): string => {
    const path = join(folder, name);
    writeFileSync(path, `${text}\n`, { mode: 0o600 });
    return path;
  };
  const set = (name: string, ...words: readonly string[]) =>
    run(['profiles', 'set', name, '--url', server.url, ...words]);
  const scope = ['--project-id', 'p', '--agent-id', 'a'];
  await set('agent', '--secret-file', fileWith('agent', agent), ...scope);
  await set('admin', '--secret-file', fileWith('admin', admin));
  await set('master', '--secret-file', fileWith('master', master));
  await set('root', '--username', 'root', '--password-file', fileWith('password', PASSWORD));
  return {
    keep,
    url: server.url,
    folder,
    environment,
    run,
    answerOf: async (words, surroundings) =>
      JSON.parse(await run([...words, '--json'], surroundings)) as unknown,
    attempt,
    [Symbol.asyncDispose]: async () => {
      await server.stop();
      await keep.close();
      rmSync(folder, { recursive: true });
    },
  };
}
