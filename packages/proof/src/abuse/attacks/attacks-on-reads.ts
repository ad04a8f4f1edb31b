/**
 * Attacks with large and long reads: unread answers, concurrent scans and pages, and callers that
 * disconnect.
 */
import { largeScope, smallScope } from '../abused-site.js';
import { type Attack, type AttackResult, type Stage } from '../attack.js';
import { HostileSocket, postOf } from '../hostile-socket.js';
import { inParallel } from '../in-parallel.js';
import { LocalClient } from '../local-client.js';

const QUERY = '/api/v1/memory/query';
const page = { contract_version: 1, scope: largeScope, filter: { limit: 1_000 } };
const scan = {
  contract_version: 1,
  scope: smallScope,
  filter: { text_contains: 'nowhere to be found', limit: 1_000 },
};

/** One connection that sends large queries ahead and never reads. */
const pipelinedPages: Attack = {
  name: 'pipelined pages',
  run: async ({ site, amounts, from, enough }) => {
    const socket = await HostileSocket.open(site.url, from);
    const { head, body } = postOf(QUERY, site.bad.agent, page);
    socket.send((head + body).repeat(amounts.pipelined));
    await enough;
    socket.leave();
    return { attempts: amounts.pipelined, violations: [] };
  },
};

/** Many connections with one large query each that never read. */
const unreadPages: Attack = {
  name: 'unread pages',
  run: async ({ site, amounts, from, enough }) => {
    const { head, body } = postOf(QUERY, site.bad.agent, page);
    const sockets: HostileSocket[] = [];
    for (let at = 0; at < amounts.unread; at += 1) {
      const socket = await HostileSocket.open(site.url, from);
      socket.send(head + body);
      sockets.push(socket);
    }
    await enough;
    for (const socket of sockets) socket.leave();
    return { attempts: sockets.length, violations: [] };
  },
};

/** Many scans at the same time, whose answers are read. */
const parallelScans: Attack = { name: 'parallel scans', run: (stage) => askAll(stage, scan) };

/** Many large pages at the same time, which are read. */
const parallelPages: Attack = { name: 'parallel pages', run: (stage) => askAll(stage, page) };

/** Clients that leave as soon as their scan is sent. */
const leavingClients: Attack = {
  name: 'leaving clients',
  run: async ({ site, amounts, from, enough }) => {
    const { head, body } = postOf(QUERY, site.bad.agent, scan);
    await inParallel(amounts.leaving, amounts.parallel, async () => {
      const socket = await HostileSocket.open(site.url, from);
      await socket.sendAndLeave(head + body);
    });
    await enough;
    return { attempts: amounts.leaving, violations: [] };
  },
};

async function askAll(
  { site, amounts: { parallel, repeats }, from, enough }: Stage,
  document: object,
): Promise<AttackResult> {
  using client = new LocalClient(site.url, from);
  const attempts = parallel * repeats;
  const request = { method: 'POST', path: QUERY, secret: site.bad.agent, document };
  await inParallel(attempts, parallel, () => client.ask(request));
  await enough;
  return { attempts, violations: [] };
}

/** All of them. */
export const attacksOnReads: readonly Attack[] = [
  pipelinedPages,
  unreadPages,
  parallelScans,
  parallelPages,
  leavingClients,
];
