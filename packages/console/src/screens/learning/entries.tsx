/** The policies and the contexts of the tenant. */
import type { JSX } from 'preact';
import { Table } from '../../parts/table.js';
import { Time } from '../../parts/time.js';
import { WalkedList } from '../../parts/walked-list.js';
import { pathOf } from '../../routing/address.js';
import { Link } from '../../routing/link.js';
import { useWalk } from '../../session/use-walk.js';
import { texts } from '../../texts/en/english.js';
import { PAGE } from './learning-data.js';

const { learning: words, basis } = texts;

/** Shows the policies as a table. */
export function Policies(): JSX.Element {
  const walked = useWalk((agent, signal) => agent.learning.policies({ limit: PAGE, signal }), []);
  return (
    <WalkedList walked={walked} empty={basis.noPolicies} emptyText={basis.noPoliciesText}>
      {(policies) => (
        <EntryTable
          columns={[basis.algorithm, words.evaluator]}
          rows={policies.map(({ id, payload, recorded_at_millis: atMs }) => ({
            ...{ id, atMs, to: pathOf('learning', { policy: id }) },
            cells: [basis.algorithms[payload.algorithm], payload.parameters.evaluator_id],
          }))}
        />
      )}
    </WalkedList>
  );
}

/** Shows the contexts as a table. */
export function Contexts(): JSX.Element {
  const walked = useWalk((agent, signal) => agent.learning.contexts({ limit: PAGE, signal }), []);
  return (
    <WalkedList walked={walked} empty={basis.noContexts} emptyText={basis.noContextsText}>
      {(contexts) => (
        <EntryTable
          columns={[words.task, words.baseline]}
          rows={contexts.map(({ id, payload, recorded_at_millis: atMs }) => ({
            ...{ id, atMs, to: pathOf('learning', { context: id }) },
            cells: [payload.task, payload.baseline_revision],
          }))}
        />
      )}
    </WalkedList>
  );
}

interface EntryRow {
  readonly id: string;
  readonly to: string;
  readonly atMs: number;
  readonly cells: readonly [string, string];
}

function EntryTable(props: {
  readonly columns: readonly [string, string];
  readonly rows: readonly EntryRow[];
}): JSX.Element {
  const [first, second] = props.columns;
  return (
    <Table
      columns={[
        words.id,
        first,
        { label: second, wideOnly: true },
        { label: words.registered, wideOnly: true },
      ]}
    >
      {props.rows.map(({ id, to, atMs, cells: [one, other] }) => (
        <tr key={id}>
          <td>
            <Link to={to}>{id}</Link>
          </td>
          <td>{one}</td>
          <td class="wide-only">{other}</td>
          <td class="wide-only">
            <Time millis={atMs} />
          </td>
        </tr>
      ))}
    </Table>
  );
}
