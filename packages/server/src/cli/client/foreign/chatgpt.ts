/** The conversations of an export of ChatGPT. */
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
import { listIn } from './list-formats.js';

/** The files of an export that have conversations: one, or several with numbers. */
export const CONVERSATION_FILES = /^conversations.*\.json$/;

/** What `conversations.json` has beside texts of people, models and tools, by its type there. */
const NO_TEXT: Readonly<Record<string, string>> = {
  audio_asset_pointer: 'recordings of voices',
  real_time_user_audio_video_asset_pointer: 'recordings of voices',
  image_asset_pointer: 'images',
  video_container_asset_pointer: 'videos',
  thoughts: 'thoughts of models',
  reasoning_recap: 'thoughts of models',
  user_editable_context: 'custom instructions',
  model_editable_context: 'custom instructions',
};

/** Yields a record for each message that stayed, in their order. */
export function* chatgptParts(place: string, value: unknown): Generator<ForeignPart, void> {
  for (const [at, each] of listIn(value, 'conversations').entries()) {
    const conversation = membersOf(each);
    const id = textOf(conversation['conversation_id'], conversation['id']);
    const named = `${place}, conversation ${id ?? at + 1}`;
    if (Object.keys(membersOf(conversation['mapping'])).length === 0) {
      yield { place: named, reason: 'The conversation has no messages.' };
      continue;
    }
    for (const node of pathOf(conversation)) {
      yield* messageParts(named, { conversation, id: id ?? `conversation-${at + 1}`, node });
    }
  }
}

interface MessageOf {
  readonly conversation: Members;
  readonly id: string;
  readonly node: Members;
}

function* messageParts(
  place: string,
  { conversation, id, node }: MessageOf,
): Generator<ForeignPart, void> {
  const message = membersOf(node['message']);
  if (Object.keys(message).length === 0) return;
  const role = textOf(membersOf(message['author'])['role']) ?? 'unknown';
  const { texts, leftOut } = contentOf(membersOf(message['content']));
  for (const each of leftOut) yield { leftOut: each };
  const primary = texts.join('\n');
  if (primary.trim() === '') {
    if (leftOut.length === 0) yield { leftOut: 'messages without a text' };
    return;
  }
  if (membersOf(message['metadata'])['is_visually_hidden_from_conversation'] === true) {
    yield { leftOut: 'hidden messages' };
    return;
  }
  const messageId = textOf(message['id'], node['id']);
  yield partAt(`${place}, message ${messageId ?? 'without an id'}`, (): ForeignItem => {
    if (messageId === undefined) throw new TypeError('The message has no id.');
    const times = { create_time: message['create_time'] ?? conversation['create_time'] };
    return {
      name: nameFrom('chatgpt', id, messageId),
      record: {
        episode_type: 'Conversation',
        content: {
          primary,
          secondary: textOf(conversation['title']) ?? null,
          data: { conversation_id: id, role },
        },
        ...atTime(times),
        tags: ['chatgpt', `role:${role}`],
        ...sourceOfRole(role),
      },
    };
  });
}

/** Returns the texts of a message, and what else it has. */
function contentOf(content: Members): { readonly texts: string[]; readonly leftOut: string[] } {
  const whole = NO_TEXT[textOf(content['content_type']) ?? 'text'];
  if (whole !== undefined) return { texts: [], leftOut: [whole] };
  const texts: string[] = [];
  const leftOut: string[] = [];
  const parts = elementsOf(content['parts']);
  for (const part of parts.length > 0 ? parts : [content]) {
    const members = membersOf(part);
    const text = typeof part === 'string' ? part : textOf(members['text'], members['result']);
    if (text !== undefined) texts.push(text);
    else if (part !== content) {
      const type = textOf(members['content_type']) ?? 'unknown';
      leftOut.push(NO_TEXT[type] ?? `parts of type ${type}`);
    }
  }
  return { texts, leftOut };
}

/**
 * Returns the nodes from the first message to the current one, as other branches were replaced.
 * Where the current one is missing, the newest message without an answer stands for it.
 */
function pathOf(conversation: Members): Members[] {
  const nodes = membersOf(conversation['mapping']);
  const current = conversation['current_node'];
  const isThere = typeof current === 'string' && Object.hasOwn(nodes, current);
  const seen = new Set<string>();
  const path: Members[] = [];
  let at: unknown = isThere ? current : newestLeaf(nodes);
  while (typeof at === 'string' && Object.hasOwn(nodes, at) && !seen.has(at)) {
    seen.add(at);
    const node = membersOf(nodes[at]);
    path.unshift(node);
    at = node['parent'];
  }
  return path;
}

function newestLeaf(nodes: Members): string | undefined {
  const all = Object.entries(nodes).map(([id, each]) => ({ id, node: membersOf(each) }));
  const parents = new Set(all.map(({ node }) => node['parent']));
  const timeOf = ({ node }: { readonly node: Members }): number => {
    const time = membersOf(node['message'])['create_time'];
    return typeof time === 'number' ? time : -Infinity;
  };
  const leaves = all.filter(({ id }) => !parents.has(id));
  return (leaves.length > 0 ? leaves : all).reduce((newest, each) =>
    timeOf(each) > timeOf(newest) ? each : newest,
  ).id;
}
