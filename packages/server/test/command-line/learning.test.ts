/** `agentkeep learning plan` says what an evaluation can see, without a server. */
import { expect, test } from 'vitest';
import { runCommand } from './run-command.js';

test('CMD-35 a plan names what each algorithm sees', async () => {
  const { status, out } = await runCommand(['learning', 'plan', '--trials', '200']);
  expect(status).toBe(0);
  expect(out).toMatch(/^fixed_budget_hoeffding_v1 +200 +0\.\d\d +\d\d % +200$/m);
  expect(out).toMatch(/^betting_e_process_v1 +200 +0\.\d\d +\d\d % +\d+$/m);
  const more = ['--difference', '0.2', '--baseline', '0.6', '--shared', '0.5', '--json'];
  const { out: line } = await runCommand(['learning', 'plan', ...more]);
  const { plans } = JSON.parse(line) as { plans: { trials: number; difference: number }[] };
  expect(plans.map(({ difference }) => difference)).toEqual([0.2, 0.2]);
  expect(plans[1]!.trials).toBeLessThan(plans[0]!.trials);
});

test('CMD-35 a plan says where nothing is seen, and refuses what it cannot plan', async () => {
  const { out } = await runCommand(['learning', 'plan', '--trials', '10']);
  expect(out).toMatch(/^fixed_budget_hoeffding_v1 +10 +none +- +-$/m);
  const refused = await runCommand(['learning', 'plan']);
  expect(refused.status).toBe(1);
  expect(refused.error).toContain('Give trials, difference or both');
  const wrong = await runCommand(['learning', 'plan', '--trials', 'many']);
  expect(wrong.error).toContain('--trials: "many" is not a number.');
});
