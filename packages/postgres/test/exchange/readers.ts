/** Readers that go on while servers are exchanged: each has to see every record once. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Agent, ScopedMemory } from '@agentkeep/core';

/** What a reader has seen. */
export interface Seen {
  readonly name: string;
  /** Ids in their order; one that is there twice was doubled. */
  readonly records: string[];
}

/** Reads until a signal, and then returns. */
export type Reader = (signal: AbortSignal) => Promise<void>;

const WAIT_MS = 2_000;
/** When a reader of a stream that ended comes again. */
const COME_AGAIN_MS = 200;

/** Goes on from the cursor of the feed. */
export function feedReader(agent: Agent, { records }: Seen): Reader {
  return async (signal) => {
    let after: string | undefined;
    while (!signal.aborted) {
      const page = await agent.memory.changesPage({ after, limit: 50, waitMillis: WAIT_MS });
      records.push(...page.changes.map(({ record_id }) => record_id));
      after = page.next_after;
    }
  };
}

/** Goes on from the position that the servers keep for a name; a new worker after some pages. */
export function consumerReader(agent: Agent, { name, records }: Seen): Reader {
  return async (signal) => {
    let worker = agent.memory.consumers.open(name, { holder: 'w0' });
    await worker.claim();
    for (let pages = 1; !signal.aborted; pages += 1) {
      const { page } = await worker.read({ limit: 20, waitMillis: WAIT_MS });
      await worker.commit(page.next_after);
      records.push(...page.changes.map(({ record_id }) => record_id));
      if (pages % 10 !== 0) continue;
      await worker.release();
      worker = agent.memory.consumers.open(name, { holder: `w${String(pages)}` });
      await worker.claim();
    }
  };
}

/** Walks all pages again and again; each walk has what was there before it, once. */
export function pageReader(memory: ScopedMemory, stored: () => readonly string[]) {
  const violations: string[] = [];
  let walks = 0;
  const read: Reader = async (signal) => {
    while (!signal.aborted) {
      const before = [...stored()];
      const found: string[] = [];
      let after: string | null = null;
      do {
        const page = await memory.queryPage(
          {},
          { limit: 10, ...(after === null ? {} : { after }) },
        );
        found.push(...page.records.map(({ record_id }) => record_id));
        after = page.next_after;
      } while (after !== null);
      const all = new Set(found);
      if (all.size !== found.length) violations.push('A page had a record of another one.');
      if (before.some((id) => !all.has(id))) violations.push('Pages lacked a record.');
      walks += 1;
    }
  };
  return { read, violations, walks: () => walks };
}

/** Reads events of a stream, and comes again when it ends, at any of the servers. */
export function streamReader(urls: readonly string[], secret: string, { records }: Seen) {
  let [streams, endings] = [0, 0];
  const read: Reader = async (signal) => {
    let last = '';
    while (!signal.aborted) {
      const url = `${urls[streams % urls.length]!}/api/v1/memory/changes?contract_version=1`;
      streams += 1;
      const headers = { accept: 'text/event-stream', authorization: `Bearer ${secret}` };
      const resume = last === '' ? {} : { 'last-event-id': last };
      try {
        const answer = await fetch(url, { headers: { ...headers, ...resume }, signal });
        if (answer.status !== 200) throw new Error(String(answer.status));
        let text = '';
        const decoder = new TextDecoder();
        for await (const chunk of answer.body!) {
          text += decoder.decode(chunk as Uint8Array, { stream: true });
          const events = text.split('\n\n');
          text = events.pop()!;
          for (const event of events) {
            if (event === 'retry: 1000') endings += 1;
            last = /^id: (.*)$/mu.exec(event)?.[1] ?? last;
            const data = /^data: (.*)$/mu.exec(event)?.[1];
            if (data !== undefined)
              records.push((JSON.parse(data) as { record_id: string }).record_id);
          }
        }
      } catch {
        // The server is gone, and another one or the next one has what follows.
      }
      await pause(COME_AGAIN_MS);
    }
  };
  return { read, endings: () => endings };
}
