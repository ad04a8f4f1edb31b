/** Who may have a place, and what few tenants can take of all of them. */
import { expect, test } from 'vitest';
import { mayTakeSlot } from './party.js';

const most = { inAll: 32, byTenant: 4 };

/** Lets tenants take places in turn until none of them may have a further one. */
function takenBy(tenants: number): number[] {
  const byTenant = Array.from({ length: tenants }, () => 0);
  for (let isGrowing = true; isGrowing;) {
    isGrowing = false;
    for (const [at, count] of byTenant.entries()) {
      const inAll = byTenant.reduce((sum, each) => sum + each, 0);
      if (!mayTakeSlot(most, { inAll, byTenant: count })) continue;
      byTenant[at] = count + 1;
      isGrowing = true;
    }
  }
  return byTenant;
}

test.each([
  [1, [4]],
  [4, [4, 4, 4, 4]],
  [8, [2, 2, 2, 2, 2, 2, 2, 2]],
])('%d tenants that keep what they get leave places to others', (tenants, taken) => {
  expect(takenBy(tenants)).toEqual(taken);
});

test('half as many tenants as there are places cannot take all of them', () => {
  for (let tenants = 1; tenants < 20; tenants += 1) {
    const inAll = takenBy(tenants).reduce((sum, each) => sum + each, 0);
    expect(mayTakeSlot(most, { inAll, byTenant: 0 })).toBe(true);
  }
});

test('as many tenants as there are places have one each', () => {
  expect(takenBy(40)).toEqual([...Array.from({ length: 32 }, () => 1), ...Array(8).fill(0)]);
});
