/**
 * Observations of a tenant in a history, without the values that change in every run: ids, secrets,
 * cursors.
 */
import { generateKeyPairSync } from 'node:crypto';
import { inMemoryStore, openKeep } from '../../src/index.js';
import { runtimeOf } from '../../src/keep/keep.js';
import { ManualClock } from '../../src/testing/manual-clock.js';
import { quickPasswords } from '../../src/testing/quick-passwords.js';
import { CountingStore } from './counting-store.js';
import { OTHER_TENANT, Party } from './party.js';
import type { Step } from './steps.js';

/** Generated once, because it takes long. */
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
const privateKeyPem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

/** The answers to a tenant, and the cost of each. */
export interface Observations {
  readonly answers: readonly string[];
  readonly costs: readonly number[];
}

const UUID = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/g;
const SECRET = /"(?<name>secret|access_token|refresh_token)":"[^"]+"/g;
const CURSOR = /"next_cursor":"[^"]+"/g;

/** Runs a history and observes the first tenant, with or without the second one. */
export async function observe(
  steps: readonly Step[],
  { isAlone, isAudited }: { readonly isAlone: boolean; readonly isAudited: boolean },
): Promise<Observations> {
  const clock = new ManualClock();
  const counting = new CountingStore(inMemoryStore());
  const audit = { enabled: isAudited };
  await using keep = await openKeep({
    store: counting.store,
    clock,
    audit,
    passwords: quickPasswords,
    tokens: { privateKeyPem },
  });
  const first = await Party.start(keep, 'a');
  const second = isAlone ? undefined : await Party.start(keep, OTHER_TENANT);
  // Any query of events stores the events that wait in memory, so the order of commits would vary.
  const settle = () => runtimeOf(keep).audit.flush();
  await settle();
  const answers: string[] = [];
  const costs: number[] = [];
  const told = teller();
  for (const each of steps) {
    if ('advanceMs' in each) clock.advance(each.advanceMs);
    else if (each.tenant === 1) await second?.act(each.action, first);
    else {
      const { answer, cost } = await counting.costOf(() => first.act(each.action, second));
      answers.push(told(answer));
      costs.push(cost);
      await settle();
    }
  }
  return { answers, costs };
}

/** Returns a function that formats answers, with ids numbered in order of first appearance. */
function teller(): (answer: unknown) => string {
  const numbers = new Map<string, number>();
  return (answer) =>
    JSON.stringify(answer)
      .replaceAll(SECRET, '"$<name>":"S"')
      .replaceAll(CURSOR, '"next_cursor":"C"')
      .replaceAll(UUID, (id) => {
        const number = numbers.get(id) ?? numbers.size;
        numbers.set(id, number);
        return `#${number}`;
      });
}
