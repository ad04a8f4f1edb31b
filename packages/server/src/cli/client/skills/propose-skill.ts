/** `agentkeep skills propose`: a skill becomes a candidate that has to qualify. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { AgentkeepError } from '@agentkeep/client';
import { sha256 } from '@agentkeep/core/store';
import { CommandError } from '../../command/command-error.js';
import type { ClientCommand, ClientInvocation } from '../../command/command.js';
import { scopeFlags } from '../../command/scope-flags.js';
import { UsageError } from '../../command/usage-error.js';
import { jsonLine } from '../../output/printable.js';
import { withConnection } from '../connection.js';
import { inputText } from '../input-text.js';
import { readFrontMatter } from '../markdown/front-matter.js';

const FILE = 'SKILL.md';
/** Most bytes of instructions (CON-96). */
const INSTRUCTIONS_BYTES_MAX = 65_536;

/** Registers the instructions of a skill as a procedure. */
export const proposeSkill: ClientCommand = {
  name: 'skills propose',
  positionals: ['folder'],
  summary: 'Propose the skill in a folder as a procedure, which has to qualify first.',
  description: [
    'Reads <folder>/SKILL.md and proposes its instructions under a learning policy and for a ' +
      'context. Agents get it as a skill only after it has qualified.',
    'Evidence in the file counts for nothing. The same skill again is the same proposal.',
  ],
  isCall: true,
  hasJson: true,
  ownFlags: [
    ...scopeFlags,
    { name: 'policy', placeholder: '<id>', summary: 'Learning policy that judges it. Required.' },
    { name: 'context', placeholder: '<id>', summary: 'Context that it is for. Required.' },
    { name: 'id', placeholder: '<id>', summary: 'Id of the procedure. Default: the name.' },
  ],
  examples: ['agentkeep skills propose ./skills/ask-first --policy careful --context spring'],
  run,
};

async function run(invocation: ClientInvocation): Promise<void> {
  const { io, flags, json, positionals } = invocation;
  const [folder = ''] = positionals;
  const [policy, context] = [flags.text('policy'), flags.text('context')];
  if (policy === undefined || context === undefined) {
    throw new UsageError('--policy and --context are required.');
  }
  const { name, instructions, digest } = await skillIn(invocation, folder);
  const proposal = {
    id: flags.text('id') ?? name,
    policy_id: policy,
    context_id: context,
    instructions,
    source_refs: [`skill:${name}@sha256:${digest}`],
  };
  await withConnection(invocation, async ({ agent, scope }) => {
    const receipt = await agent.learning.propose(scope(), proposal).catch((cause: unknown) => {
      if (!(cause instanceof AgentkeepError) || cause.code !== 'idempotency_conflict') throw cause;
      throw new CommandError(
        `${proposal.id} was proposed with other content, and a proposal never changes. ` +
          `Propose this one with another id: --id ${proposal.id}-2`,
        { cause },
      );
    });
    const { state } = receipt.record;
    await io.writeOut(json ? jsonLine({ receipt }) : `Proposed ${proposal.id}: ${state}\n`);
  });
}

/** Reads a skill. Its digest is that of the whole file. */
async function skillIn({ io }: ClientInvocation, folder: string) {
  const path = join(folder, FILE);
  const text = await inputText(io, path, 'folder');
  const others = (await readdir(folder)).filter((each) => each !== FILE).toSorted();
  if (others.length > 0) {
    throw new CommandError(
      `${folder} has more than ${FILE}: ${others.join(', ')}. A procedure is one text, so put what ` +
        `it needs into ${FILE}.`,
    );
  }
  const { members, body } = partsOf(path, text);
  const name = members?.['name'];
  const instructions = body.trim();
  if (typeof name !== 'string' || name === '' || instructions === '') {
    throw new CommandError(
      `${path} is no skill: it needs front matter with a name, and instructions after it.`,
    );
  }
  const bytes = Buffer.byteLength(instructions, 'utf8');
  if (bytes > INSTRUCTIONS_BYTES_MAX) {
    throw new CommandError(
      `${path} has ${bytes} bytes of instructions; a procedure has at most ${INSTRUCTIONS_BYTES_MAX}.`,
    );
  }
  return { name, instructions, digest: Buffer.from(sha256(text)).toString('hex') };
}

function partsOf(path: string, text: string) {
  try {
    return readFrontMatter(text);
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw new CommandError(`${path}: ${cause.message}`, { cause });
  }
}
