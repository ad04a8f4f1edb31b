/** The bound on clients: what is dropped, and what a flood cannot push out. */
import { describe, expect, it } from 'vitest';
import { BucketTable } from './bucket-table.js';
import { defaultRateLimitPolicies, type RateLimitPolicy } from './rate-limit-policy.js';

const [login] = defaultRateLimitPolicies as [RateLimitPolicy];

function takeTimes(table: BucketTable, client: string, count: number, nowMs = 0): void {
  for (let taken = 0; taken < count; taken++) table.take(client, nowMs);
}

const remainingOf = (table: BucketTable, client: string, nowMs = 0): number =>
  table.peek(client, nowMs).remaining;

describe('BucketTable', () => {
  it('drops the bucket that is fullest now, not the one that was fullest on arrival', () => {
    const table = new BucketTable(login, 3);
    takeTimes(table, 'a', 1);
    takeTimes(table, 'b', 3);
    takeTimes(table, 'c', 2);
    takeTimes(table, 'a', 4);
    table.take('d', 500);
    expect(table.size).toBe(3);
    expect(remainingOf(table, 'c', 500)).toBe(98);
    table.take('d', 1_000);
    expect(table.size).toBe(3);
    expect(remainingOf(table, 'c', 1_000)).toBe(100);
    expect(remainingOf(table, 'a', 1_000)).toBe(96);
    expect(remainingOf(table, 'b', 1_000)).toBe(98);
    expect(remainingOf(table, 'd', 1_000)).toBe(99);
  });

  it('does not keep a newcomer that is itself the fullest', () => {
    const table = new BucketTable(login, 2);
    takeTimes(table, 'a', 2);
    takeTimes(table, 'b', 2);
    expect(table.take('c', 0)).toMatchObject({ type: 'allowed', remaining: 99 });
    expect(remainingOf(table, 'c')).toBe(100);
    expect(remainingOf(table, 'a')).toBe(98);
    expect(remainingOf(table, 'b')).toBe(98);
  });

  it('drops full buckets when new clients arrive', () => {
    const table = new BucketTable(login, 1_000);
    for (let client = 0; client < 1_000; client++) table.take(`old ${client}`, 0);
    expect(table.size).toBe(1_000);
    for (let client = 0; client < 600; client++) table.take(`new ${client}`, 600);
    expect(table.size).toBe(600);
  });

  it('peeks without storing a bucket', () => {
    const table = new BucketTable(login, 10);
    table.peek('a', 0);
    expect(table.size).toBe(0);
  });
});
