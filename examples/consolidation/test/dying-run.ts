/**
 * One run of the job over a directory that kills itself at a commit: `dying-run.ts <dir> <n> <ms>`.
 * Its clock is so many milliseconds ahead.
 */
import { consolidate, openKeep, openLmdbStore, type ScopeInput, type Store } from '@agentkeep/core';
import { agentFor } from '@agentkeep/core/operator';
import { summarize } from '../src/summarize.js';

const scope: ScopeInput = { project_id: 'shop', agent_id: 'desk', visibility: 'shared' };
const [, , directory = '', at = '0', ahead = '0'] = process.argv;
const clock = {
  now: () => Date.now() + Number.parseInt(ahead, 10),
  monotonic: () => performance.now(),
};

/** Kills the process before the n-th commit of the job, or after it if n ends with `+`. */
function dying(below: Store): Store {
  const fatal = Number.parseInt(at, 10);
  let commits = 0;
  return new Proxy(below, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      if (name !== 'transact') return value.bind(target) as unknown;
      return async (...body: Parameters<Store['transact']>) => {
        if (isWorking) commits += 1;
        const isFatal = isWorking && commits === fatal;
        if (isFatal && !at.endsWith('+')) process.kill(process.pid, 'SIGKILL');
        const result = await target.transact(...body);
        if (isFatal) process.kill(process.pid, 'SIGKILL');
        return result;
      };
    },
  });
}

let isWorking = false;
const store = dying(await openLmdbStore({ directory }));
const keep = await openKeep({ store, clock });
const job = await agentFor(keep, { tenantId: 'acme', subjectId: 'nightly', scopes: [scope] });
isWorking = true;
const options = { limit: 3, leaseSeconds: 60 };
const done = await consolidate(job, scope, summarize(job.memory.in(scope)), options);
isWorking = false;
console.log(JSON.stringify(done));
await keep.close();
