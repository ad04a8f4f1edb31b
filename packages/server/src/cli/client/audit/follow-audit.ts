/** `agentkeep audit follow`: prints audit events as they are recorded. */
import { setTimeout as pause } from 'node:timers/promises';
import type { AuditEvent } from '@agentkeep/client';
import type { CallOperation } from '@agentkeep/core/clients';
import type { ClientCommand, ClientInvocation } from '../../command/command.js';
import { UsageError } from '../../command/usage-error.js';
import { cellOf, jsonLine } from '../../output/printable.js';
import { withConnection } from '../connection.js';
import { numberOf } from '../flag-values.js';
import { untilInterrupted } from '../until-interrupted.js';

const SECONDS_DEFAULT = 2;
const SECONDS_MIN = 0.1;
const SECONDS_MAX = 3_600;

/**
 * Events are stored within a second of their time; this is how much further back a reader looks.
 */
const LOOK_BACK_MS = 10_000;

const PAGE_EVENTS = 1_000;

/** Prints a line for each event, until Ctrl+C. */
export const followAudit: ClientCommand = {
  name: 'audit follow',
  positionals: [],
  summary: 'Print audit events as they are recorded, until Ctrl+C.',
  description: [
    'Asks the server for new events every few seconds and prints a line for each, the oldest ' +
      'first. Begins with the events of the last ten seconds.',
  ],
  isCall: true,
  hasJson: true,
  ownFlags: [
    { name: 'event-type', placeholder: '<type>', summary: 'Only events of this type.' },
    { name: 'username', placeholder: '<name>', summary: 'Only events of this person.' },
    { name: 'resource', placeholder: '<kind:id>', summary: 'Only events about this resource.' },
    { name: 'result', placeholder: '<result>', summary: 'Only events with this result.' },
    { name: 'tenant-id', placeholder: '<id>', summary: 'Log of this tenant, for administrators.' },
    {
      name: 'interval',
      placeholder: '<seconds>',
      summary: `Time between two looks. Default: ${SECONDS_DEFAULT}.`,
    },
  ],
  examples: ['agentkeep audit follow --event-type login_failed'],
  run,
};

async function run(invocation: ClientInvocation): Promise<void> {
  const { io, flags, json } = invocation;
  const intervalMs = 1_000 * secondsOf(flags.text('interval'));
  const filter = Object.fromEntries(
    ['event-type', 'username', 'resource', 'result', 'tenant-id'].flatMap((name) => {
      const value = flags.text(name);
      return value === undefined ? [] : [[name.replaceAll('-', '_'), value]];
    }),
  );
  await withConnection(invocation, ({ call }) =>
    untilInterrupted(io, async (signal) => {
      const follower = new AuditFollower(call, filter);
      for (;;) {
        for (const event of await follower.newEvents(signal)) {
          await io.writeOut(json ? jsonLine(event) : `${lineOf(event)}\n`);
        }
        await pause(intervalMs, undefined, { signal });
      }
    }),
  );
}

function secondsOf(text: string | undefined): number {
  if (text === undefined) return SECONDS_DEFAULT;
  const seconds = numberOf(text, '--interval');
  if (seconds >= SECONDS_MIN && seconds <= SECONDS_MAX) return seconds;
  throw new UsageError(`--interval: ${text} is not from ${SECONDS_MIN} to ${SECONDS_MAX}.`);
}

function lineOf(event: AuditEvent): string {
  const { timestamp, event_type, result, username, user_id, resource } = event;
  return [timestamp, event_type, result, username ?? user_id, resource].map(cellOf).join('  ');
}

/** Finds the events that it has not returned before. */
class AuditFollower {
  readonly #call: CallOperation;
  readonly #filter: Readonly<Record<string, string>>;
  /** Times by the ids of events that may be found again. */
  #seen = new Map<string, number>();
  #fromMs = Date.now() - LOOK_BACK_MS;

  constructor(call: CallOperation, filter: Readonly<Record<string, string>>) {
    this.#call = call;
    this.#filter = filter;
  }

  /** Returns new events, the oldest first. */
  async newEvents(signal: AbortSignal): Promise<AuditEvent[]> {
    const found: AuditEvent[] = [];
    const filter = { ...this.#filter, start_time: new Date(this.#fromMs).toISOString() };
    for (let cursor: string | null | undefined; cursor !== null;) {
      const parameters = { ...filter, limit: PAGE_EVENTS, ...(cursor && { cursor }) };
      const page = await this.#call('queryAudit', { parameters }, { signal });
      found.push(...page.events.filter(({ event_id }) => !this.#seen.has(event_id)));
      cursor = page.next_cursor;
    }
    for (const { event_id, timestamp } of found) this.#seen.set(event_id, Date.parse(timestamp));
    this.#forget();
    return found.reverse();
  }

  /** Moves to shortly before the newest event, and forgets older ones. */
  #forget(): void {
    for (const ms of this.#seen.values()) {
      this.#fromMs = Math.max(this.#fromMs, ms - LOOK_BACK_MS);
    }
    this.#seen = new Map([...this.#seen].filter(([, ms]) => ms >= this.#fromMs));
  }
}
