/** The server that a runtime calls in its trial, with an agent of its own. */
import type { TrialSettings } from '../../packages/client/test/runtimes/trial.ts';
import { inMemoryStore, type Keep, openKeep } from '../../packages/core/src/index.ts';
import { bootstrapTenant } from '../../packages/core/src/operator.ts';
import { createServer, startServer } from '../../packages/server/src/index.ts';
import { startProxy } from './interrupting-proxy.ts';

/** Servers that listen, and what a trial has to know of them. */
export interface TrialServer extends AsyncDisposable {
  readonly settings: TrialSettings;
  /** Tries of the call that is interrupted. */
  readonly tries: () => number;
}

/** Starts servers; `origin` is that of the page that calls, in a browser. */
export async function startTrialServer(origin?: string): Promise<TrialServer> {
  const keep = await openKeep({ store: inMemoryStore() });
  const secret = await issueSecret(keep);
  const at = { host: '127.0.0.1', port: 0 };
  const app = createServer(keep, origin === undefined ? {} : { adminOrigin: origin });
  const server = await startServer(app, at);
  const refusing = await startServer(createServer(keep), at);
  const proxy = await startProxy(server.url);
  return {
    settings: {
      url: server.url,
      interruptedUrl: proxy.url,
      secret,
      ...(origin === undefined ? {} : { refusingUrl: refusing.url }),
    },
    tries: proxy.tries,
    [Symbol.asyncDispose]: async () => {
      await proxy[Symbol.asyncDispose]();
      await Promise.all([server.stop(), refusing.stop()]);
      await keep.close();
    },
  };
}

async function issueSecret(keep: Keep): Promise<string> {
  const { secret } = await bootstrapTenant(keep, { tenantId: 'acme', subjectId: 'ops' });
  const admin = await keep.authenticate(secret);
  const issued = await admin.credentials.issue({
    subject_id: 'helper',
    capabilities: ['memory_read', 'memory_write'],
    grants: [{ project_id: 'p', agent_id: 'a', visibility: 'private' }],
  });
  return issued.secret;
}
