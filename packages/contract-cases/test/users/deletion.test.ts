/** Deleting accounts (docs/contract/users.md). */
import { expect } from 'vitest';
import { outcome, refused, result } from '../harness/answer.js';
import { unknownId } from '../harness/documents.js';
import { PASSWORD, withUsers } from './user-fixture.js';

// CON-4, AUD-44, SES-97
withUsers(
  'USR-C23, USR-C36 a deleted account is gone, and cannot be deleted again',
  async (users) => {
    const { root } = users;
    const ann = await users.person('ann');
    const answer = await root.delete(ann.id);
    expect(result(answer)).toEqual({ success: true, message: expect.any(String) as string });
    expect(await ann.isAlive()).toBe(false);
    expect(await users.loginOutcome('ann')).toBe('401 invalid_login');
    for (const id of [ann.id, unknownId]) {
      expect(outcome(await root.delete(id))).toBe('404 not_found');
      expect(outcome(await root.get(id))).toBe('404 not_found');
      expect(outcome(await root.update(id, {}))).toBe('404 not_found');
      expect(outcome(await root.setRoles(id, []))).toBe('404 not_found');
      expect(outcome(await root.reset(id, PASSWORD))).toBe('404 not_found');
    }
    const [event, ...more] = await root.events({ event_type: 'user_deleted' });
    expect(more).toEqual([]);
    expect(event).toMatchObject({
      user_id: root.id,
      username: 'root',
      action: 'user_deleted',
      resource: `user:${ann.id}`,
      result: 'success',
      tenant_id: null,
    });
    expect(event?.metadata).toMatchObject({ deleted_username: 'ann', principal: 'account' });
  },
);

withUsers('a SuperAdmin may delete itself if another one is left', async (users) => {
  const { root } = users;
  await users.person('deputy', { roles: ['SuperAdmin'] });
  expect(outcome(await root.delete(root.id))).toBe('200');
  expect(await root.isAlive()).toBe(false);
});

withUsers('a deletion accepts an id and nothing else', async (users) => {
  const { root } = users;
  const ann = await users.person('ann');
  expect(outcome(await ann.delete(ann.id))).toBe(refused.forbidden);
  expect(outcome(await root.delete(ann.id, { force: 1 }))).toBe(refused.invalid);
  expect(await ann.isAlive()).toBe(true);
});
