/** The stores and transports that the example runs on: in memory, on disk, behind a server. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inMemoryStore, type Keep, openKeep } from '@agentkeep/core';
import { bootstrapTenant } from '@agentkeep/core/operator';
import { createServer } from '@agentkeep/server';
import { embeddedAccess, type KeepAccess, serverAccess } from '../src/keep-access.js';
import { serveOnSocket } from './serve-on-socket.js';

/** A fresh keep with one tenant, and access to it. */
export interface KeepFixture extends AsyncDisposable {
  readonly access: KeepAccess;
}

async function makeAdmin(keep: Keep): Promise<string> {
  return (await bootstrapTenant(keep, { tenantId: 'readers', subjectId: 'operator' })).secret;
}

/** A keep in this process, over an in-memory store. */
export async function inMemory(): Promise<KeepFixture> {
  const keep = await openKeep({ store: inMemoryStore() });
  const access = await embeddedAccess(keep, await makeAdmin(keep));
  return { access, [Symbol.asyncDispose]: () => keep.close() };
}

/** A keep in this process, over a temporary directory. */
export async function onDisk(): Promise<KeepFixture> {
  const dataDir = await temporaryDirectory();
  const keep = await openKeep({ dataDir });
  return {
    access: await embeddedAccess(keep, await makeAdmin(keep)),
    [Symbol.asyncDispose]: async () => {
      await keep.close();
      await rm(dataDir, { recursive: true });
    },
  };
}

/** The server app, called without a network. */
export async function behindApp(): Promise<KeepFixture> {
  const keep = await openKeep({ store: inMemoryStore() });
  const secret = await makeAdmin(keep);
  const app = createServer(keep);
  return {
    access: serverAccess({
      url: 'http://localhost',
      secret,
      fetch: (url, init) => app.request(url, init),
    }),
    [Symbol.asyncDispose]: () => keep.close(),
  };
}

/** A server on a socket, over a temporary directory. */
export async function overHttp(): Promise<
  KeepFixture & { readonly url: string; readonly secret: string }
> {
  const dataDir = await temporaryDirectory();
  const keep = await openKeep({ dataDir });
  const secret = await makeAdmin(keep);
  const server = await serveOnSocket(createServer(keep));
  return {
    url: server.url,
    secret,
    access: serverAccess({ url: server.url, secret }),
    [Symbol.asyncDispose]: async () => {
      await server.stop();
      await keep.close();
      await rm(dataDir, { recursive: true });
    },
  };
}

/** Makes a directory, which the caller removes. */
export function temporaryDirectory(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'agentkeep-dialogues-test-'));
}
