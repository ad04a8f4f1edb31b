/** Pausing agents and people by commands (docs/contract/command-line.md#cmd-49). */
import { expect, test } from 'vitest';
import { servedKeep } from './served-keep.js';

const ADMIN = ['--profile', 'admin'];
const AGENT = ['--profile', 'agent'];

test('CMD-49, CMD-50 an agent is paused with a reason, and goes on with its limits', async () => {
  await using served = await servedKeep();
  const limits = ['--expected-revision', '0', '--capabilities', 'memory_read'];
  await served.run(['subjects', 'put', 'helper', ...limits, ...ADMIN]);
  await served.run(['whoami', ...AGENT]);
  const reason = 'Repeats itself';
  const { out } = await served.attempt(['pause', 'helper', '--reason', reason, ...ADMIN]);
  expect(out).toBe('helper is paused. Undo it with: agentkeep resume helper\n');
  const refused = await served.attempt(['whoami', ...AGENT]);
  expect(refused.status).toBe(1);
  expect(refused.error).toContain('subject_blocked');
  expect(refused.error).not.toContain(reason);
  expect(await served.run(['subjects', 'list', ...ADMIN])).toContain(reason);
  const resumed = await served.answerOf(['resume', 'helper', ...ADMIN]);
  const capabilities = ['memory_read'];
  expect(resumed).toMatchObject({ revision: 3, is_blocked: false, capabilities, reason: null });
  await served.run(['whoami', ...AGENT]);
  // Once more changes nothing.
  expect(await served.answerOf(['resume', 'helper', ...ADMIN])).toEqual(resumed);
});

test('CMD-49 a person is paused by her username', async () => {
  await using served = await servedKeep();
  const scope = ['--role', 'writer', '--scope', 'support/desk'];
  await served.run(['people', 'invite', 'ann@example.com', ...scope, ...ADMIN]);
  const paused = await served.answerOf(['pause', 'ann@example.com', ...ADMIN]);
  expect(paused).toMatchObject({ subject_id: 'ann@example.com', is_blocked: true, revision: 1 });
});

test('CMD-49, CMD-50 what is not known, or is the caller, is refused', async () => {
  await using served = await servedKeep();
  expect((await served.attempt(['resume', 'eve', ...ADMIN])).error).toContain('subject_not_found');
  expect((await served.attempt(['pause', 'ops', ...ADMIN])).error).toContain('forbidden');
  expect((await served.attempt(['pause', 'helper', ...AGENT])).error).toContain('forbidden');
});
