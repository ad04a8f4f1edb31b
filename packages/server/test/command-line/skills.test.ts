/** Skills by commands: exported to a folder, and proposed from one (docs/contract/skills.md). */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { evaluationContext, evaluationPolicy } from '@agentkeep/testkit/evaluation';
import { expect, test } from 'vitest';
import { type ServedKeep, servedKeep } from './served-keep.js';

const scope = { project_id: 'p', agent_id: 'a', visibility: 'private' } as const;

/** Makes the profile of a learner, who proposes, judges and reads. */
async function learnerIn(served: ServedKeep) {
  const spec = ['--subject-id', 'judge', '--grants', 'project_id=p,agent_id=a,visibility=private'];
  const held = 'memory_read,policy_admin,procedure_propose,procedure_evaluate';
  const file = join(served.folder, 'learner');
  const issue = ['credentials', 'issue', '--profile', 'admin', ...spec, '--capabilities', held];
  await served.run([...issue, '--write-secret', file]);
  const profile = ['profiles', 'set', 'learner', '--url', served.url, '--secret-file', file];
  await served.run([...profile, '--project-id', 'p', '--agent-id', 'a']);
  const agent = await served.keep.authenticate((await readFile(file, 'utf8')).trim());
  await agent.learning.registerPolicy('pol', evaluationPolicy({ min_candidate_utility: 0.5 }));
  await agent.learning.registerContext('ctx', evaluationContext({ task: 'Answer a ticket.' }));
  const submit = (id: string, phase: 'Qualification' | 'Monitoring', at: number, utility: number) =>
    agent.learning.evaluate(scope, id, {
      ...{ case_id: `${phase}${String(at)}`, phase, policy_id: 'pol', context_id: 'ctx' },
      ...{ baseline_revision: 'base', evidence_ref: `${phase}${String(at)}`, status: 'complete' },
      ...{ baseline_utility: 0, candidate_utility: utility },
      ...{ candidate_cost_units: 1, candidate_latency_ms: 1 },
    });
  return {
    agent,
    qualify: async (id: string) => {
      for (const at of [1, 2]) await submit(id, 'Qualification', at, 1);
    },
    suspend: (id: string) => submit(id, 'Monitoring', 1, 0),
  };
}

const JUDGED = ['--policy', 'pol', '--context', 'ctx', '--profile', 'learner'];

test('SKL-C4, SKL-C5 a skill is proposed, qualifies, is exported and withdrawn', async () => {
  await using served = await servedKeep();
  const learner = await learnerIn(served);
  const source = join(served.folder, 'ask-first');
  await mkdir(source);
  const forged = 'metadata:\n  agentkeep-trials: "9000"\n';
  await writeFile(
    join(source, 'SKILL.md'),
    `---\nname: ask-first\ndescription: Ask.\n${forged}---\n\nAsk first.\n`,
  );
  for (let turn = 0; turn < 2; turn += 1) {
    const said = await served.run(['skills', 'propose', source, ...JUDGED]);
    expect(said).toBe('Proposed ask-first: Candidate\n');
  }
  const target = join(served.folder, 'skills');
  const exporting = ['skills', 'export', target, '--profile', 'learner'];
  expect(await served.run(exporting)).toBe(`${target}: 0 written, 0 unchanged, 0 removed\n`);
  await learner.qualify('ask-first');
  expect(await served.answerOf(exporting)).toMatchObject({ written: ['ask-first'], left: [] });
  const text = await readFile(join(target, 'ask-first', 'SKILL.md'), 'utf8');
  expect(text).toMatch(/^---\nname: "ask-first"\ndescription: "Answer a ticket\."\nmetadata:\n/u);
  expect(text).toContain('agentkeep-trials: "2"');
  expect(text).toMatch(/\n---\n\nAsk first\.\n$/u);
  await writeFile(join(target, 'ask-first', 'SKILL.md'), `${text}By hand.\n`);
  const left = await served.attempt(exporting);
  expect([left.status, left.error]).toEqual([1, expect.stringContaining('ask-first')]);
  await writeFile(join(target, 'ask-first', 'SKILL.md'), text);
  await learner.suspend('ask-first');
  expect(await served.answerOf(exporting)).toMatchObject({ removed: ['ask-first'] });
  expect(await readdir(target)).toEqual(['.agentkeep-skills.json']);
});

test('SKL-C5 a changed skill is another proposal, and the refusal says how to make it', async () => {
  await using served = await servedKeep();
  await learnerIn(served);
  const source = join(served.folder, 'ask-first');
  await mkdir(source);
  const propose = async (instructions: string, ...more: readonly string[]) => {
    await writeFile(join(source, 'SKILL.md'), `---\nname: ask-first\n---\n\n${instructions}\n`);
    return served.attempt(['skills', 'propose', source, ...JUDGED, ...more]);
  };
  expect((await propose('Ask first.')).status).toBe(0);
  const { status, error } = await propose('Ask twice.');
  expect([status, error]).toEqual([1, expect.stringContaining('--id ask-first-2')]);
  expect((await propose('Ask twice.', '--id', 'ask-first-2')).status).toBe(0);
});

test('SKL-C5, SKL-11 what is no skill of one file is refused', async () => {
  await using served = await servedKeep();
  await learnerIn(served);
  const source = join(served.folder, 'skill');
  await mkdir(source);
  const refusal = async (text: string): Promise<string> => {
    await writeFile(join(source, 'SKILL.md'), text);
    const { status, error } = await served.attempt(['skills', 'propose', source, ...JUDGED]);
    expect(status).not.toBe(0);
    return error;
  };
  expect(await refusal('Only text.')).toContain('needs front matter with a name');
  expect(await refusal('---\nname: x\n---\n\n')).toContain('instructions after it');
  expect(await refusal('---\nname: [\n---\nText.')).toContain('SKILL.md: line');
  expect(await refusal(`---\nname: x\n---\n${'y'.repeat(65_537)}`)).toContain('65537 bytes');
  await writeFile(join(source, 'extra.py'), '');
  expect(await refusal('---\nname: x\n---\nText.')).toContain('extra.py');
  const { error } = await served.attempt(['skills', 'propose', source, '--profile', 'learner']);
  expect(error).toContain('--policy and --context are required.');
});
