/** Erases a subject, and kills itself at a commit: `dying-server.ts <dir> <n> <secret>`. */
import { openKeep, openLmdbStore, type Store } from '@agentkeep/core';

const [, , dataDir = '', at = '0', secret = ''] = process.argv;
const fatal = Number(at);
let commits = 0;
let isErasing = false;

/** Kills the process behind the n-th commit of the erasure. */
function dying(below: Store): Store {
  return new Proxy(below, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      if (name !== 'transact') return value.bind(target) as unknown;
      return async (...body: Parameters<Store['transact']>) => {
        const result = await target.transact(...body);
        if (isErasing && ++commits === fatal) process.kill(process.pid, 'SIGKILL');
        return result;
      };
    },
  });
}

const store = dying(await openLmdbStore({ directory: dataDir }));
const keep = await openKeep({ store, dataDir });
const admin = await keep.authenticate(secret);
isErasing = true;
await admin.erasures.start({ kind: 'subject', subject_id: 'canary-subject' });
// Until it is killed.
setInterval(() => undefined, 1_000);
