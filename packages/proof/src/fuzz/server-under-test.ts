/** A keep in its own directory, behind an app, with a clock that the fuzzer controls. */
import { createHash, generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Keep, type KeepPorts, openKeep } from '@agentkeep/core';
import { ManualClock, quickPasswords } from '@agentkeep/core/testing';
import { type AgentkeepApp, createServer } from '@agentkeep/server';

/** Generated once, because that takes longer than a hundred requests. */
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
const privateKeyPem = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();

/** A server with its keep and its clock. */
export interface ServerUnderTest extends AsyncDisposable {
  readonly keep: Keep;
  readonly app: AgentkeepApp;
  /** The same without rate limits, for the logins of callers. */
  readonly unlimited: AgentkeepApp;
  readonly clock: ManualClock;
  /** Unexpected failures with their causes, from the server's log. */
  readonly failures: string[];
}

/** Opens a keep and mounts it, with or without rate limits. */
export async function openServer(limits: 'lifted' | 'in force'): Promise<ServerUnderTest> {
  const dataDir = await mkdtemp(join(tmpdir(), 'agentkeep-fuzz-'));
  const clock = new ManualClock();
  const keep = await openKeep({
    dataDir,
    clock,
    entropy: sameEntropy(),
    durability: 'relaxed',
    passwords: quickPasswords,
    tokens: { privateKeyPem },
  });
  const failures: string[] = [];
  const ignore = (): void => undefined;
  const error = (_message: string, fields?: object): void => {
    failures.push(JSON.stringify(fields));
  };
  const log = { debug: ignore, info: ignore, warn: ignore, error };
  const unlimited = createServer(keep, { log, rateLimitPolicies: [] });
  const app = limits === 'lifted' ? unlimited : createServer(keep, { log });
  return {
    keep,
    app,
    unlimited,
    clock,
    failures,
    async [Symbol.asyncDispose]() {
      await keep.close();
      await rm(dataDir, { recursive: true });
    },
  };
}

/**
 * Returns the same bytes in each run. Otherwise a change to an id or a cursor would sometimes be
 * none, and a seed would not choose the same requests again.
 */
function sameEntropy(): NonNullable<KeepPorts['entropy']> {
  let count = 0;
  return {
    bytes: (length) => {
      count += 1;
      return createHash('shake256', { outputLength: length }).update(String(count)).digest();
    },
  };
}
