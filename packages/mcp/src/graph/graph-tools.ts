/** The nine tools of a knowledge graph. Names and documents are those of the reference server. */
import { listOf, objectOf, text } from '../json-schema.js';
import { defineTool, type Tool } from '../tools/tool.js';
import { createTools } from './create-tools.js';
import { deleteTools } from './delete-tools.js';
import { around, entitiesWith, readGraph } from './graph-reads.js';
import { graph, graphObject } from './graph-schemas.js';
import { writerOf } from './graph-writer.js';

const readGraphTool: Tool = defineTool<object>({
  name: 'read_graph',
  title: 'Read the graph',
  description: 'Returns all entities and relations.',
  effect: 'reads',
  isIdempotent: true,
  input: { ...objectOf({}), additionalProperties: true },
  output: graph,
  run: (_given, call) => {
    const { memory, signal } = writerOf(call);
    return readGraph(memory, signal);
  },
});

const searchNodes: Tool = defineTool<{ readonly query: string }>({
  name: 'search_nodes',
  title: 'Search the graph',
  description:
    'Returns the entities that have a text in their name, type or observations, whatever the ' +
    'letter case, and the relations that begin or end at one of them.',
  effect: 'reads',
  isIdempotent: true,
  input: graphObject({ query: text('The text to find.') }),
  output: graph,
  run: async ({ query }, call) => {
    const { memory, signal } = writerOf(call);
    const all = await readGraph(memory, signal);
    return around(all, entitiesWith(all, query));
  },
});

const openNodes: Tool = defineTool<{ readonly names: readonly string[] }>({
  name: 'open_nodes',
  title: 'Open entities',
  description:
    'Returns the entities of these names, and the relations that begin or end at one of them.',
  effect: 'reads',
  isIdempotent: true,
  input: graphObject({ names: listOf(text('Name of an entity.')) }),
  output: graph,
  run: async ({ names }, call) => {
    const { memory, signal } = writerOf(call);
    const all = await readGraph(memory, signal);
    return around(
      all,
      all.entities.filter(({ name }) => names.includes(name)),
    );
  },
});

/** The nine tools. */
export const graphTools: readonly Tool[] = [
  ...createTools,
  ...deleteTools,
  readGraphTool,
  searchNodes,
  openNodes,
];
