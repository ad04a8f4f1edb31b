/** Skills: procedures that qualified, as files of instructions with their evidence. */
import type { Procedure } from '@agentkeep/client';
import { sha256Of } from '../text-digest.js';

/** A procedure as a skill (https://agentskills.io/specification), which is one file. */
export interface Skill {
  readonly name: string;
  /** The members of the front matter of its file. */
  readonly frontmatter: SkillFrontmatter;
  /** Its `SKILL.md`: the front matter, then the instructions. */
  readonly text: string;
}

/** What the front matter of a skill says. */
export interface SkillFrontmatter {
  readonly name: string;
  readonly description: string;
  /** The evidence, as texts. */
  readonly metadata: Readonly<Record<string, string>>;
}

/** Most characters of a name, by the specification of skills. */
const NAME_CHARS_MAX = 64;
const NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
/** Hexadecimal digits of a digest that make a name its own. */
const DIGEST_CHARS = 8;

/**
 * Returns the name of the skill of a procedure: its id where that is a name of skills, else its
 * letters and digits, with a part of the digest of the id.
 */
export async function skillNameOf(procedureId: string): Promise<string> {
  if (procedureId.length <= NAME_CHARS_MAX && NAME.test(procedureId)) return procedureId;
  const digest = (await sha256Of(procedureId)).slice(0, DIGEST_CHARS);
  const readable = procedureId
    .normalize('NFKD')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((part) => part !== '')
    .join('-')
    .slice(0, NAME_CHARS_MAX - DIGEST_CHARS - 1)
    .replace(/-$/, '');
  return readable === '' ? `skill-${digest}` : `${readable}-${digest}`;
}

/** Returns a procedure as a skill; `undefined` for one that has not qualified, or is suspended. */
export async function skillOf(procedure: Procedure): Promise<Skill | undefined> {
  const { record, receipt } = procedure;
  if (record.state !== 'Active') return undefined;
  const name = await skillNameOf(receipt.request.id);
  const description = record.proposal.task;
  const frontmatter = { name, description, metadata: evidenceOf(procedure) };
  return { name, frontmatter, text: textOf(frontmatter, record.proposal.instructions) };
}

/**
 * Returns what qualified a procedure. Nothing of it changes later, so that a host that has verified
 * a skill can keep it while the procedure is monitored.
 */
function evidenceOf({ record, receipt }: Procedure): Record<string, string> {
  const { policy_id: policy, context_id: context, id } = receipt.request;
  const decision = record.decisions.find(({ to }) => to === 'Active');
  const bound = record.lower_improvement_bound;
  return {
    'agentkeep-procedure': id,
    'agentkeep-policy': policy,
    'agentkeep-context': context,
    'agentkeep-evaluator': record.proposal.policy.evaluator_id,
    'agentkeep-baseline': record.proposal.baseline_revision,
    'agentkeep-trials': String(record.qualification_count),
    'agentkeep-mean-improvement': String(record.mean_improvement),
    ...(bound === null ? {} : { 'agentkeep-improvement-at-least': String(bound) }),
    ...(record.betting === undefined ? {} : { 'agentkeep-wealth': String(record.betting.wealth) }),
    ...(decision === undefined
      ? {}
      : { 'agentkeep-qualified-at': new Date(decision.recorded_at_millis).toISOString() }),
  };
}

/** Each value is a JSON string, which YAML reads as the same text. */
function textOf({ name, description, metadata }: SkillFrontmatter, instructions: string): string {
  const lines = Object.entries(metadata).map(([key, value]) => `  ${key}: ${yamlText(value)}`);
  const front = [
    `name: ${yamlText(name)}`,
    `description: ${yamlText(description)}`,
    'metadata:',
    ...lines,
  ];
  return `---\n${front.join('\n')}\n---\n\n${instructions}\n`;
}

/** YAML 1.2 takes no line separators of Unicode and no DEL in quotes, so they are escaped too. */
function yamlText(text: string): string {
  return JSON.stringify(text).replaceAll(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
