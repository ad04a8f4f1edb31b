/**
 * Attempts, their observations and their history (docs/contract/experiences.md).
 */
import { Refusal } from '../../../models/outcome.js';
import { found, inScope, namespaceOf, original, register } from '../../ledger.js';
import type { Play } from '../../play.js';
import type { Rule } from '../../rule.js';
import { IDS, SCOPES, VERSION } from '../../vocabulary.js';
import type { Attempt } from '../../../models/world.js';
import { may } from '../memory.js';

const DIGEST = 'c'.repeat(64);
const input = { reference: 'in:1', sha256: DIGEST };
const EVENTS = 10;

const registerAttempt: Rule = {
  name: 'register an experience',
  weight: 3,
  run: async (play) => {
    const { dice, world } = play;
    const scope = dice.mostly(SCOPES);
    const request = {
      ...{ id: dice.mostly(IDS), context_id: dice.mostly(IDS), accounting_unit: 'credit', input },
      ...{ reporter_subject_id: dice.isLucky(85) ? 'ann' : 'bob', parent: null },
    };
    const parts = { document: { ...VERSION, scope, request } };
    const caller = play.caller(may('experience_write'));
    await play.ask('registerExperience', caller, parts, (made, who) => {
      const credential = inScope(play, who, 'experience_write', scope);
      const { tenant_id, spec } = credential;
      const { subject_id: subject } = spec;
      const { reporter_subject_id: reporter } = request;
      if (scope.visibility === 'private' && reporter !== subject) {
        throw new Refusal('invalid_request');
      }
      const entry = { kind: 'attempt', place: namespaceOf(credential, scope), id: request.id };
      const known = original(world, entry, { request, subject });
      if (known !== undefined) return known;
      found(world, { kind: 'context', place: tenant_id, id: request.context_id });
      register(world, entry, { request, subject, answer: made });
      world.attempts.set(JSON.stringify(entry), {
        ...{ receipt: made.receipt, reporter, events: [], outcome: null, lastEventId: null },
        ...{ totals: [null, null], observed: [null, null] },
      });
      return { receipt: { request } };
    });
  },
};

/** An attempt of a namespace, or a refusal. */
export function attemptIn({ world }: Play, place: string, id: string): Attempt {
  const entry = { kind: 'attempt', place, id };
  found(world, entry);
  return world.attempts.get(JSON.stringify(entry))!;
}

/** What the model knows of an attempt. */
export function shown({ receipt, events, outcome, lastEventId, totals, observed }: Attempt) {
  return {
    ...{ receipt, revision: events.length + 1, outcome, last_event_id: lastEventId },
    ...{ reported_cost_units: totals[0], reported_latency_ms: totals[1] },
    ...{ observed_cost_units: observed[0], observed_latency_ms: observed[1] },
  };
}

const read: Rule = {
  name: 'read an experience',
  weight: 1,
  run: async (play) => {
    const [scope, attempt_id] = [play.dice.mostly(SCOPES), play.dice.mostly(IDS)];
    const parts = { document: { ...VERSION, scope, attempt_id } };
    await play.ask('readExperience', play.caller(may('experience_read')), parts, (_made, who) => {
      const place = namespaceOf(inScope(play, who, 'experience_read', scope), scope);
      return { experience: shown(attemptIn(play, place, attempt_id)) };
    });
  },
};

function commandOf({ dice, world }: Play, id: string) {
  const like = [...world.attempts].filter(([key]) => key.endsWith(`"id":"${id}"}`));
  const seen = dice.any(like)?.[1];
  const total = (): number | null => (dice.isLucky(80) ? 5 + dice.below(3) : null);
  return {
    event_id: `event ${dice.below(EVENTS)}`,
    expected_revision: (seen?.events.length ?? 0) + 1,
    context_digest: dice.isLucky(92) ? (seen?.receipt.context_digest ?? DIGEST) : DIGEST,
    outcome: dice.one([
      'unknown',
      'unknown',
      'unknown',
      'succeeded',
      'failed',
      'cancelled',
    ] as const),
    evidence: input,
    cost_units: total(),
    latency_ms: total(),
  };
}

type Command = ReturnType<typeof commandOf>;

/** Requires an observation to follow from earlier ones. */
function requireNext(attempt: Attempt, command: Command): void {
  const { outcome, events, observed, receipt } = attempt;
  if (command.expected_revision !== events.length + 1) throw new Refusal('revision_conflict');
  const isOpen = outcome === null || outcome === 'unknown';
  const isConflict =
    (!isOpen && command.outcome !== outcome) || command.context_digest !== receipt.context_digest;
  if (isConflict) throw new Refusal('idempotency_conflict');
  const totals = [command.cost_units, command.latency_ms];
  const shrinks = totals.some((total, index) => total !== null && total < (observed[index] ?? 0));
  if (shrinks) throw new Refusal('invalid_request');
}

const record: Rule = {
  name: 'record an experience event',
  weight: 7,
  run: async (play) => {
    const { dice, world } = play;
    const [scope, attempt_id] = [dice.mostly(SCOPES), dice.mostly(IDS)];
    const command = commandOf(play, attempt_id);
    const parts = { document: { ...VERSION, scope, attempt_id, command } };
    const caller = play.caller(may('experience_report'));
    await play.ask('recordExperienceEvent', caller, parts, (made, who) => {
      const credential = inScope(play, who, 'experience_report', scope);
      const place = namespaceOf(credential, scope);
      const attempt = attemptIn(play, place, attempt_id);
      const { subject_id: subject } = credential.spec;
      if (subject !== attempt.reporter) throw new Refusal('forbidden');
      const id = JSON.stringify([attempt_id, command.event_id]);
      const entry = { kind: 'experience event', place, id };
      const known = original(world, entry, { request: command, subject });
      if (known !== undefined) return known;
      requireNext(attempt, command);
      const totals = [command.cost_units, command.latency_ms];
      attempt.events.push(command.event_id);
      Object.assign(attempt, { outcome: command.outcome, lastEventId: command.event_id, totals });
      totals.forEach(
        (total, index) => (attempt.observed[index] = total ?? attempt.observed[index]!),
      );
      register(world, entry, { request: command, subject, answer: made });
      return { event: { command, record: shown(attempt) } };
    });
  },
};

const readEvent: Rule = {
  name: 'read an experience event',
  weight: 2,
  run: async (play) => {
    const { dice, world } = play;
    const [scope, attempt_id] = [dice.mostly(SCOPES), dice.mostly(IDS)];
    const event_id = `event ${dice.below(EVENTS)}`;
    const parts = { document: { ...VERSION, scope, attempt_id, event_id } };
    await play.ask('readExperienceEvent', play.caller(may('experience_read')), parts, (_, who) => {
      const place = namespaceOf(inScope(play, who, 'experience_read', scope), scope);
      const id = JSON.stringify([attempt_id, event_id]);
      return found(world, { kind: 'experience event', place, id }).answer;
    });
  },
};

const history: Rule = {
  name: 'read the history of an experience',
  weight: 2,
  run: async (play) => {
    const [scope, attempt_id] = [play.dice.mostly(SCOPES), play.dice.mostly(IDS)];
    const query = { limit: 64, cursor: null };
    const parts = { document: { ...VERSION, scope, attempt_id, query } };
    const caller = play.caller(may('experience_read'));
    await play.ask('readExperienceHistory', caller, parts, (_made, who) => {
      const place = namespaceOf(inScope(play, who, 'experience_read', scope), scope);
      const { events, receipt } = attemptIn(play, place, attempt_id);
      // All event ids have one length.
      const inOrder = [...events].sort().map((event_id) => ({ command: { event_id } }));
      const { receipt_digest } = receipt;
      const through_revision = events.length + 1;
      return { page: { receipt_digest, through_revision, events: inOrder, complete: true } };
    });
  },
};

/** Steps that record experiences. */
export const experienceRules = [registerAttempt, read, record, readEvent, history];
