/** Formats of other projects that are JSON, or lines of JSON. */
import {
  atTime,
  type ForeignItem,
  membersOf,
  type Members,
  nameFrom,
  textOf,
} from './foreign-item.js';

/** The file of the reference server of the Model Context Protocol: a graph, line by line. */
export function graphItem(value: unknown): ForeignItem {
  const { type, name, entityType, observations, from, to, relationType } = membersOf(value);
  if (type === 'entity' && typeof name === 'string') {
    const seen = Array.isArray(observations) ? observations.map(String) : [];
    const kind = textOf(entityType) ?? null;
    return {
      name: nameFrom('graph/entity', encodeURIComponent(name)),
      record: {
        episode_type: { Custom: 'entity' },
        content: {
          primary: name,
          secondary: kind,
          context: seen.join('\n').slice(0, 8_192),
          data: { name, entityType: kind ?? '', observations: seen },
        },
        event_time_millis: 0,
        tags: ['graph/entity'],
      },
    };
  }
  if (type === 'relation' && typeof from === 'string' && typeof to === 'string') {
    const kind = textOf(relationType) ?? '';
    const ends = [from, kind, to].map(encodeURIComponent).join('/');
    return {
      name: nameFrom('graph/relation', ends),
      record: {
        episode_type: { Custom: 'relation' },
        content: { primary: `${from} ${kind} ${to}`, data: { from, to, relationType: kind } },
        event_time_millis: 0,
        tags: ['graph/relation'],
      },
    };
  }
  throw new TypeError('The line is neither an entity nor a relation.');
}

/** The memories of mem0, as `getAll()`, `get_all()` and the export of the platform return them. */
export function mem0Items(value: unknown): ForeignItem[] {
  return listIn(value, 'results', 'memories').map((each) => {
    const members = membersOf(each);
    const primary = textOf(members['memory'], members['text'], members['data']);
    const id = textOf(members['id'], members['hash']);
    if (primary === undefined) throw new TypeError('A memory has no text.');
    const owners = ['user_id', 'agent_id', 'run_id'].flatMap((member) => {
      const owner = textOf(members[member], members[camelCase(member)]);
      return owner === undefined ? [] : [`${member}:${owner}`];
    });
    const categories = Array.isArray(members['categories'])
      ? members['categories'].map(String)
      : [];
    return {
      ...(id === undefined ? {} : { name: nameFrom('mem0', id) }),
      record: {
        content: { primary, data: membersOf(members['metadata']) },
        ...atTime(members['created_at'], members['createdAt']),
        tags: ['mem0', ...owners, ...categories],
      },
    };
  });
}

/** Items of a store of LangGraph: namespace, key and value, as `search()` returns them. */
export function langgraphItems(value: unknown): ForeignItem[] {
  return listIn(value, 'items').map((each) => {
    const {
      namespace,
      key,
      value: stored,
      created_at,
      createdAt,
      updated_at,
      updatedAt,
    } = membersOf(each);
    if (!Array.isArray(namespace) || typeof key !== 'string') {
      throw new TypeError('An item has no namespace or no key.');
    }
    const members = membersOf(stored);
    const text = textOf(
      ...['text', 'content', 'memory', 'data', 'value', 'summary'].map((name) => members[name]),
    );
    return {
      name: nameFrom('langgraph', ...namespace.map(String), key),
      record: {
        content: { primary: text ?? JSON.stringify(stored), data: stored },
        ...atTime(updated_at, updatedAt, created_at, createdAt),
        tags: ['langgraph', `namespace:${namespace.map(String).join('/')}`],
      },
    };
  });
}

/** The conversations of an export of ChatGPT: a record for each message, in its order. */
export function chatgptItems(value: unknown): ForeignItem[] {
  return listIn(value, 'conversations').flatMap((each) => {
    const conversation = membersOf(each);
    const id = textOf(conversation['conversation_id'], conversation['id']) ?? 'conversation';
    const title = textOf(conversation['title']) ?? null;
    return pathOf(conversation).flatMap((node): ForeignItem[] => {
      const message = membersOf(node['message']);
      const content = membersOf(message['content']);
      const parts = Array.isArray(content['parts']) ? content['parts'] : [content['text']];
      const primary = parts.filter((part) => typeof part === 'string').join('\n');
      const role = textOf(membersOf(message['author'])['role']) ?? 'unknown';
      const messageId = textOf(message['id'], node['id']);
      if (primary.trim() === '' || messageId === undefined) return [];
      return [
        {
          name: nameFrom('chatgpt', id, messageId),
          record: {
            episode_type: 'Conversation',
            content: { primary, secondary: title, data: { conversation_id: id, role } },
            ...atTime(message['create_time'], conversation['create_time']),
            tags: ['chatgpt', `role:${role}`],
          },
        },
      ];
    });
  });
}

/** Returns the nodes from the first message to the current one: other branches were replaced. */
function pathOf(conversation: Members): Members[] {
  const nodes = membersOf(conversation['mapping']);
  const path: Members[] = [];
  let at = conversation['current_node'];
  while (typeof at === 'string' && path.length <= Object.keys(nodes).length) {
    const node = membersOf(nodes[at]);
    path.unshift(node);
    at = node['parent'];
  }
  return path.length > 0 ? path : Object.values(nodes).map(membersOf);
}

/** Returns the list that a file is, or that one of its members is. */
function listIn(value: unknown, ...members: readonly string[]): readonly unknown[] {
  if (Array.isArray(value)) return value;
  const found = members.map((name) => membersOf(value)[name]).find(Array.isArray);
  if (found !== undefined) return found as unknown[];
  // One of several lines.
  if (Object.keys(membersOf(value)).length > 0) return [value];
  throw new TypeError('The file is neither a list nor an object with one.');
}

function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
