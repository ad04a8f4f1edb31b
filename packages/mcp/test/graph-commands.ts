/** Random calls of the nine tools of a knowledge graph, over few names so that they meet. */
import fc from 'fast-check';

/** A call of a tool. */
export interface GraphCall {
  readonly tool: string;
  readonly given: Record<string, unknown>;
}

const name = fc.constantFrom('Ann', 'ann', 'Bob', 'Ünal / & co.', '', 'x'.repeat(600), 'a\nb');
const kind = fc.constantFrom('person', 'Company', '');
const fact = fc.constantFrom('Likes tea.', 'likes TEA.', 'Works at noon.', '', 'two\nlines', 'ß');
const verb = fc.constantFrom('knows', 'works at', '');

const uniqueNames = fc.uniqueArray(name, { maxLength: 3 });
const names = fc.array(name, { maxLength: 3 });
const facts = fc.array(fact, { maxLength: 3 });
const relation = fc.record({ from: name, to: name, relationType: verb });
const keyOf = ({ from, to, relationType }: { from: string; to: string; relationType: string }) =>
  JSON.stringify([from, to, relationType]);
const uniqueRelations = fc.uniqueArray(relation, { maxLength: 3, selector: keyOf });

/** Items of one call differ: the reference adds equal ones of one call twice. */
const entities = fc
  .tuple(uniqueNames, fc.array(fc.tuple(kind, facts), { minLength: 3, maxLength: 3 }))
  .map(([names, rest]) =>
    names.map((each, index) => {
      const [entityType = '', observations = []] = rest[index] ?? [];
      return { name: each, entityType, observations };
    }),
  );

const observations = fc
  .tuple(names, fc.array(facts, { minLength: 3, maxLength: 3 }))
  .map(([entityNames, contents]) =>
    entityNames.map((entityName, index) => ({ entityName, contents: contents[index] ?? [] })),
  );

const callOf = <T>(tool: string, member: string, value: fc.Arbitrary<T>) =>
  value.map((each): GraphCall => ({ tool, given: { [member]: each } }));

/** A call, more often one that changes the graph. */
export const graphCall: fc.Arbitrary<GraphCall> = fc.oneof(
  { weight: 3, arbitrary: callOf('create_entities', 'entities', entities) },
  { weight: 2, arbitrary: callOf('create_relations', 'relations', uniqueRelations) },
  { weight: 2, arbitrary: callOf('add_observations', 'observations', observations) },
  callOf('delete_entities', 'entityNames', names),
  callOf(
    'delete_observations',
    'deletions',
    observations.map((all) =>
      all.map(({ entityName, contents }) => ({ entityName, observations: contents })),
    ),
  ),
  callOf('delete_relations', 'relations', fc.array(relation, { maxLength: 3 })),
  fc.constant<GraphCall>({ tool: 'read_graph', given: {} }),
  callOf('search_nodes', 'query', fc.constantFrom('TEA', 'an', '', 'ß', 'nobody', 'two\nlines')),
  callOf('open_nodes', 'names', names),
);
