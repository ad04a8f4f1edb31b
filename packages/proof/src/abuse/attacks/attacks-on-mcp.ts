/** Attacks with batches of MCP: unread answers, and messages that come all at once. */
import { largeScope } from '../abused-site.js';
import type { Attack, AttackResult, Stage } from '../attack.js';
import { HostileSocket, postOf } from '../hostile-socket.js';

/** Messages of a batch, the most that is taken (docs/contract/mcp.md#mcp-18). */
const BATCH = 100;
/** Connections that read large searches. */
const READERS = 8;
const ACCEPT = 'Accept: application/json, text/event-stream';

const searches = batchOf('tools/call', {
  name: 'memory_search',
  arguments: { scopes: [largeScope], limit: 100 },
});
const lists = batchOf('tools/list', {});

/** Batches of large searches that are never read. */
const unreadSearches: Attack = {
  name: 'unread MCP searches',
  run: (stage) => sendBatches(stage, searches, { connections: stage.amounts.unread }),
};

/** The same, whose answers are read, so that the server works as fast as it can. */
const readSearches: Attack = {
  name: 'MCP searches',
  run: (stage) => sendBatches(stage, searches, { connections: READERS, isRead: true }),
};

/** Batches of lists of tools that are never read. */
const unreadLists: Attack = {
  name: 'unread MCP lists',
  run: (stage) => sendBatches(stage, lists, { connections: stage.amounts.batches }),
};

/** The same, whose answers are read. */
const readLists: Attack = {
  name: 'MCP lists',
  run: (stage) => sendBatches(stage, lists, { connections: stage.amounts.batches, isRead: true }),
};

async function sendBatches(
  { site, from, enough }: Stage,
  batch: object,
  { connections, isRead = false }: { readonly connections: number; readonly isRead?: boolean },
): Promise<AttackResult> {
  const { head, body } = postOf('/mcp', site.bad.agent, batch, [ACCEPT]);
  const sockets: HostileSocket[] = [];
  for (let at = 0; at < connections; at += 1) {
    const socket = await HostileSocket.open(site.url, from);
    socket.send(head + body);
    if (isRead) socket.readAll();
    sockets.push(socket);
  }
  await enough;
  for (const socket of sockets) socket.leave();
  return { attempts: connections * BATCH, violations: [] };
}

function batchOf(method: string, params: object): object {
  return Array.from({ length: BATCH }, (_, id) => ({ jsonrpc: '2.0', id, method, params }));
}

/** All of them. */
export const attacksOnMcp: readonly Attack[] = [
  unreadSearches,
  readSearches,
  unreadLists,
  readLists,
];
