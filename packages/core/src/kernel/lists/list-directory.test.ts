/** Which cursors a directory accepts. */
import { describe, expect, test } from 'vitest';
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import { isTextId } from '../../contract/schema/text.js';
import { encodeCursor, staleCursor } from './cursor.js';
import { listDirectory } from './list-directory.js';
import { testStore } from '@agentkeep/testkit/test-store';

const identity = { list: 'letters', tenantId: 'acme' };
const letters = ['a', 'b', 'c', 'd'];

async function page(limit: number, cursor?: string) {
  const store = testStore();
  const answer = await listDirectory(
    store,
    { limit, cursor },
    {
      identity,
      read: (_tx, { after, limit: most }) =>
        letters.filter((each) => after === undefined || each > after).slice(0, most),
      show: (_tx, each) => each,
      placeOf: (each) => each,
      isPlace: isTextId,
    },
  );
  await store.close();
  return answer.page;
}

describe('listDirectory', () => {
  test('continues after a cursor, to the end', async () => {
    const first = await page(3);
    expect(first).toEqual({ items: ['a', 'b', 'c'], next_cursor: encodeCursor(identity, 'c') });
    expect(await page(3, first.next_cursor ?? '')).toEqual({ items: ['d'], next_cursor: null });
  });

  test('accepts a cursor of an entry that does not exist', async () => {
    expect((await page(9, encodeCursor(identity, 'bb'))).items).toEqual(['c', 'd']);
    expect(await page(9, encodeCursor(identity, 'z'))).toEqual({ items: [], next_cursor: null });
  });

  test.each([
    ['a text that is no position', ' '],
    ['a text that is too long for a position', 'a'.repeat(5_000)],
  ])('refuses a well-formed cursor of %s', async (_, place) => {
    const refused = new AgentkeepError('invalid_request', { members: [staleCursor] });
    await expect(page(3, encodeCursor(identity, place))).rejects.toThrow(refused);
  });
});
