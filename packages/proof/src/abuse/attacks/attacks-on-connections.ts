/**
 * Attacks with connections: idle ones, and ones that send half a body.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { smallScope } from '../abused-site.js';
import { type Attack } from '../attack.js';
import { HostileSocket, postOf } from '../hostile-socket.js';
import { inParallel } from '../in-parallel.js';

const OPENING = 16;
/** Far more than it takes. */
const TURNS_MAX = 1_000;
const HEALTH = 'GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n';

/** One address with more idle connections than it may have. */
const idleConnections: Attack = {
  name: 'idle connections',
  run: async ({ site, amounts, from, enough }) => {
    const sockets: HostileSocket[] = [];
    await inParallel(amounts.idle, OPENING, async () => {
      const socket = await HostileSocket.open(site.url, from);
      sockets.push(socket);
      socket.send(HEALTH);
      await socket.status();
    });
    await enough;
    const open = await stillOpen(sockets, amounts.connectionsPerAddress);
    for (const socket of sockets) socket.leave();
    const violations =
      open > amounts.connectionsPerAddress ? [`One address has ${open} connections.`] : [];
    return { attempts: amounts.idle, violations };
  },
};

/** Returns how many are open once those that the server has closed have noticed. */
async function stillOpen(sockets: readonly HostileSocket[], most: number): Promise<number> {
  const count = (): number => sockets.filter(({ isClosed }) => !isClosed).length;
  for (let turn = 0; count() > most && turn < TURNS_MAX; turn += 1) await sleep(10);
  return count();
}

/** Many connections that send half a body and wait. */
const halfBodies: Attack = {
  name: 'half bodies',
  run: async ({ site, amounts, from, enough }) => {
    const document = { contract_version: 1, scope: smallScope, filter: {} };
    const { head } = postOf('/api/v1/memory/query', site.bad.agent, document);
    const sockets: HostileSocket[] = [];
    await inParallel(amounts.halfSent, OPENING, async () => {
      const socket = await HostileSocket.open(site.url, from);
      socket.send(`${head}{"contract_version":1`);
      sockets.push(socket);
    });
    await enough;
    for (const socket of sockets) socket.leave();
    return { attempts: sockets.length, violations: [] };
  },
};

/** All of them. */
export const attacksOnConnections: readonly Attack[] = [idleConnections, halfBodies];
