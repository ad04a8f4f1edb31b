/** Texts that are read page by page are made again after a failure, and give way to others. */
import { useFakeTimers, useRealTimers } from '@agentkeep/testkit/fake-timers';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import { HeldTexts, type TextSource } from './held-texts.js';

const party = (tenant: string) => ({ tenant, principal: 'p' });
const acme = party('acme');
const noTurn = (): Promise<void> => Promise.resolve();

/** A text of some pages; `turn` is awaited before each. */
function textOf(pages: number) {
  const closed = vi.fn<() => Promise<void>>(() => Promise.resolve());
  const made = vi.fn<(page: number) => void>();
  const source: TextSource = {
    state: 'a',
    pages: () => {
      let page = 0;
      return {
        next: async (turn) => {
          page += 1;
          made(page);
          await turn();
          return { text: `page ${String(page)}`, isEnd: page === pages };
        },
      };
    },
    close: closed,
  };
  return { source, closed, made, open: () => Promise.resolve(source) };
}

let texts: HeldTexts;

beforeEach(() => {
  useFakeTimers('setTimeout', 'clearTimeout');
  let seed = 0;
  texts = new HeldTexts({ bytes: (size) => Buffer.alloc(size, (seed += 1)) });
});

afterEach(async () => {
  await texts.stop();
  useRealTimers();
});

test('XPT-7 a page is made again when its caller left in the middle of it', async () => {
  const { open, closed } = textOf(3);
  const { nextAfter } = await texts.begin(acme, 'all', open, noTurn);
  const leaving = texts.next(acme, 'all', nextAfter ?? '', () => Promise.reject(new Error('left')));
  await expect(leaving).rejects.toThrow('left');
  const second = await texts.next(acme, 'all', nextAfter ?? '', noTurn);
  expect(second.text).toBe('page 2');
  const third = await texts.next(acme, 'all', second.nextAfter ?? '', noTurn);
  expect(third).toEqual({ text: 'page 3', nextAfter: null, state: 'a' });
  expect(closed).not.toHaveBeenCalled();
});

test('XPT-7 a state is held until 60 seconds after the last page was read', async () => {
  const { open, closed } = textOf(3);
  const { nextAfter } = await texts.begin(acme, 'all', open, noTurn);
  await vi.advanceTimersByTimeAsync(59_000);
  await texts.next(acme, 'all', nextAfter ?? '', noTurn);
  await vi.advanceTimersByTimeAsync(59_000);
  expect(closed).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(closed).toHaveBeenCalledOnce();
  const gone = texts.next(acme, 'all', nextAfter ?? '', noTurn);
  await expect(gone).rejects.toMatchObject({ code: 'export_gone' });
});

test('XPT-7 the only page of a text is read again without the state', async () => {
  const { open, closed, made } = textOf(1);
  const { text } = await texts.begin(acme, 'all', open, noTurn);
  expect(text).toBe('page 1');
  expect(closed).toHaveBeenCalled();
  expect(made).toHaveBeenCalledOnce();
});

test('XPT-8 texts that were read to their end give their place to others', async () => {
  const ended = textOf(2);
  for (const tenant of ['a', 'b', 'c', 'd']) {
    const { nextAfter } = await texts.begin(party(tenant), 'all', ended.open, noTurn);
    await texts.next(party(tenant), 'all', nextAfter ?? '', noTurn);
  }
  expect(ended.closed).not.toHaveBeenCalled();
  const others = textOf(2);
  for (const tenant of ['e', 'f', 'g', 'h']) {
    await texts.begin(party(tenant), 'all', others.open, noTurn);
  }
  expect(ended.closed).toHaveBeenCalledTimes(4);
  for (const tenant of ['e', 'i']) {
    const refused = texts.begin(party(tenant), 'all', others.open, noTurn);
    await expect(refused).rejects.toMatchObject({ code: 'service_busy' });
  }
});

// ERA-27
test('texts of a tenant end once the page that is being made is complete', async () => {
  const { open, closed } = textOf(3);
  const { nextAfter } = await texts.begin(acme, 'all', open, noTurn);
  let goOn: () => void = () => undefined;
  const waiting = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const making = texts.next(acme, 'all', nextAfter ?? '', () => waiting);
  await vi.advanceTimersByTimeAsync(0);
  const ended = texts.endOf('acme');
  await vi.advanceTimersByTimeAsync(0);
  expect(closed).not.toHaveBeenCalled();
  goOn();
  await ended;
  expect(closed).toHaveBeenCalledOnce();
  expect((await making).text).toBe('page 2');
  const gone = texts.next(acme, 'all', nextAfter ?? '', noTurn);
  await expect(gone).rejects.toMatchObject({ code: 'export_gone' });
});

const kept = async (tenant: string, after: string | null): Promise<string> => {
  const reading = texts.next(party(tenant), 'all', after ?? '', noTurn);
  return reading.then(
    ({ text }) => text,
    (error: unknown) => (error as AgentkeepError).code,
  );
};

test('XPT-8 a second text of a tenant gives its place to the first one of another', async () => {
  const begun = [];
  for (const tenant of ['a', 'a', 'b', 'b']) {
    begun.push(await texts.begin(party(tenant), 'all', textOf(9).open, noTurn));
  }
  const third = await texts.begin(party('c'), 'all', textOf(9).open, noTurn);
  const again = texts.begin(party('c'), 'all', textOf(9).open, noTurn);
  await expect(again).rejects.toMatchObject({ code: 'service_busy' });
  const answers = [];
  for (const [at, tenant] of ['a', 'a', 'b', 'b'].entries()) {
    answers.push(await kept(tenant, begun[at]?.nextAfter ?? null));
  }
  expect(answers).toEqual(['export_gone', 'page 2', 'page 2', 'page 2']);
  expect(await kept('c', third.nextAfter)).toBe('page 2');
});

test('XPT-8 a text that is read keeps its place, and one that waits for 5 seconds gives it up', async () => {
  const begun = [];
  for (const tenant of ['a', 'b', 'c', 'd']) {
    begun.push(await texts.begin(party(tenant), 'all', textOf(9).open, noTurn));
  }
  const early = texts.begin(party('e'), 'all', textOf(9).open, noTurn);
  await expect(early).rejects.toMatchObject({ code: 'service_busy' });
  await vi.advanceTimersByTimeAsync(4_000);
  expect(await kept('a', begun[0]?.nextAfter ?? null)).toBe('page 2');
  await vi.advanceTimersByTimeAsync(2_000);
  const fifth = await texts.begin(party('e'), 'all', textOf(9).open, noTurn);
  expect(await kept('b', begun[1]?.nextAfter ?? null)).toBe('export_gone');
  expect(await kept('a', begun[0]?.nextAfter ?? null)).toBe('page 2');
  expect(await kept('e', fifth.nextAfter)).toBe('page 2');
});
