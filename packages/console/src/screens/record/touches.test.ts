/** Who touched a record, from its revisions. */
import { expect, test } from 'vitest';
import { touchesOf } from './touches.js';

const by = (subject: string) => ({ subject_id: subject, credential_id: `key of ${subject}` });
const payload = { episode_type: 'Observation' } as never;

test('names who created, changed, deleted and redacted a record, newest first', () => {
  const touches = touchesOf([
    { revision: 3, modified_at_millis: 30, payload: null, author: by('ann'), redacted: null },
    { revision: 2, modified_at_millis: 20, payload, author: by('bea'), redacted: null },
    {
      ...{ revision: 1, modified_at_millis: 10, payload: null, author: by('ann') },
      redacted: { at_millis: 25, author: by('cleo') },
    },
  ]);
  expect(touches.map((each) => [each.atMillis, each.subjectId, each.revision, each.deed])).toEqual([
    [30, 'ann', 3, 'deleted'],
    [25, 'cleo', 1, 'redacted'],
    [20, 'bea', 2, 'changed'],
    [10, 'ann', 1, 'created'],
  ]);
});
