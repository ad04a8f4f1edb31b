/** Agent files of Letta (`.af`): memory blocks and the messages of people and models. */
import {
  elementsOf,
  type ForeignItem,
  type ForeignPart,
  membersOf,
  type Members,
  nameFrom,
  partAt,
  sourceOfRole,
  textOf,
} from './foreign-item.js';
import { atTime } from './foreign-time.js';

const SPOKEN = new Set(['user', 'assistant']);

/** What an agent file has beside memory, by its member. */
const NO_MEMORY = ['tools', 'mcp_servers', 'sources', 'files', 'groups'] as const;

/**
 * Yields a record for each block and each message.
 * @throws {TypeError} for a value that is no agent file.
 */
export function* lettaParts(place: string, value: unknown): Generator<ForeignPart, void> {
  const file = membersOf(value);
  // Files of earlier releases are one agent.
  const agents = Array.isArray(file['agents']) ? file['agents'].map(membersOf) : [file];
  const blocks = [file, ...agents].flatMap((each) => [
    ...elementsOf(each['blocks']),
    ...elementsOf(each['core_memory']),
  ]);
  if (blocks.length === 0 && agents.every((each) => elementsOf(each['messages']).length === 0)) {
    throw new TypeError('The file has neither blocks nor messages.');
  }
  for (const [at, block] of [...new Set(blocks)].entries()) {
    const members = membersOf(block);
    const label = textOf(members['label']) ?? String(at + 1);
    yield partAt(`${place}, block ${label}`, () => blockItem(members, label));
  }
  for (const agent of agents) yield* messagesOf(place, agent);
  for (const member of NO_MEMORY) {
    for (let left = elementsOf(file[member]).length; left > 0; left -= 1) {
      yield { leftOut: member.replace('_', ' ') };
    }
  }
}

function blockItem(block: Members, label: string): ForeignItem {
  const primary = textOf(block['value']);
  if (primary === undefined) throw new TypeError('The block has no text.');
  const { updated_at, created_at } = block;
  return {
    name: nameFrom('letta', 'block', textOf(block['id']) ?? label),
    record: {
      content: {
        primary,
        secondary: textOf(block['description']) ?? null,
        data: { label, metadata: block['metadata'] ?? block['metadata_'] ?? null },
      },
      ...atTime({ updated_at, created_at }),
      tags: ['letta', `block:${label}`],
    },
  };
}

function* messagesOf(place: string, agent: Members): Generator<ForeignPart, void> {
  const name = textOf(agent['name'], agent['id']) ?? 'agent';
  for (const [at, each] of elementsOf(agent['messages']).entries()) {
    const message = membersOf(each);
    const role = textOf(message['role']) ?? 'unknown';
    const primary = textOfMessage(message);
    if (!SPOKEN.has(role) || primary === undefined) {
      yield { leftOut: SPOKEN.has(role) ? 'messages without a text' : `messages of role ${role}` };
      continue;
    }
    const id = textOf(message['id']) ?? String(at + 1);
    yield partAt(`${place}, agent ${name}, message ${id}`, (): ForeignItem => {
      const { created_at, date } = message;
      return {
        name: nameFrom('letta', 'message', name, id),
        record: {
          episode_type: 'Conversation',
          content: { primary, secondary: name, data: { role } },
          ...atTime({ created_at, date }),
          tags: ['letta', `role:${role}`],
          ...sourceOfRole(role),
        },
      };
    });
  }
}

function textOfMessage({ content, text }: Members): string | undefined {
  if (!Array.isArray(content)) return textOf(content, text);
  return textOf(content.flatMap((part) => textOf(part, membersOf(part)['text']) ?? []).join('\n'));
}
