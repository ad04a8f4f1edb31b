/** `agentkeep pause` and `resume`: refuse all calls of an agent or a person for a while. */
import type { Agent } from '@agentkeep/client';
import type { ClientCommand, ClientInvocation } from '../../command/command.js';
import { jsonLine, printable } from '../../output/printable.js';
import { withConnection } from '../connection.js';

type Subject = Awaited<ReturnType<Agent['subjects']['get']>>;

const POSITIONALS = ['agent or person'];

/** Blocks a subject, and keeps its limits. */
export const pause: ClientCommand = {
  name: 'pause',
  positionals: POSITIONALS,
  summary: 'Pause an agent or a person until it is resumed.',
  description: [
    'Calls with the credentials, sessions, API keys, tokens and connected programs of the agent or ' +
      'person are refused, and others cannot act for it. Nothing is deleted: `agentkeep resume` ' +
      'ends the pause.',
    'Name the subject of the agent, or the username of an invited person. `subjects list` shows ' +
      'paused agents and people, with the reason.',
  ],
  isCall: true,
  hasJson: true,
  ownFlags: [
    {
      name: 'reason',
      placeholder: '<text>',
      summary: 'Reason, up to 256 bytes. Only administrators see it.',
    },
  ],
  examples: [`agentkeep pause nightly-agent --reason 'Repeats itself' --profile dev-admin`],
  run: (invocation) =>
    changed(
      invocation,
      (agent, id) => agent.subjects.pause(id, invocation.flags.text('reason')),
      ({ subject_id: id }) => `${id} is paused. Undo it with: agentkeep resume ${id}`,
    ),
};

/** Unblocks a subject, and keeps its limits. */
export const resume: ClientCommand = {
  name: 'resume',
  positionals: POSITIONALS,
  summary: 'Resume a paused agent or person.',
  description: [
    'Credentials, sessions, API keys, tokens and connected programs work again, except those that ' +
      'expired or were revoked in the meantime. If the agent or person is not paused, nothing changes.',
  ],
  isCall: true,
  hasJson: true,
  ownFlags: [],
  examples: ['agentkeep resume nightly-agent --profile dev-admin'],
  run: (invocation) =>
    changed(
      invocation,
      (agent, id) => agent.subjects.resume(id),
      ({ subject_id: id }) => `${id} is not paused.`,
    ),
};

async function changed(
  invocation: ClientInvocation,
  change: (agent: Agent, id: string) => Promise<Subject>,
  toText: (subject: Subject) => string,
): Promise<void> {
  const { io, json, positionals } = invocation;
  const [id = ''] = positionals;
  await withConnection(invocation, async ({ agent }) => {
    const subject = await change(agent, id);
    await io.writeOut(json ? jsonLine(subject) : `${printable(toText(subject))}\n`);
  });
}
