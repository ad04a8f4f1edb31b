/** `agentkeep pause` and `resume`: stop an agent or a person, and let it go on. */
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
    'From then on calls with its credentials, sessions, API keys, tokens and programs are refused, ' +
      'and nothing acts for it. Nothing is deleted: `agentkeep resume` lets all of it go on.',
    'Name the subject of the agent, or the username of an invited person. `subjects list` shows ' +
      'those that are paused, with the reason.',
  ],
  isCall: true,
  hasJson: true,
  ownFlags: [
    {
      name: 'reason',
      placeholder: '<text>',
      summary: 'Why, for other administrators, up to 256 bytes. The paused one never sees it.',
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
  summary: 'Let a paused agent or person go on.',
  description: [
    'Its credentials, sessions, API keys, tokens and programs work again, apart from those that ' +
      'ended meanwhile. An agent or person that is not paused stays as it is.',
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
