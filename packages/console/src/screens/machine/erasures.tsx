/** The erasures of the tenant: those that were asked for, and a new one. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Id } from '../../parts/name.js';
import { Table } from '../../parts/table.js';
import { Time } from '../../parts/time.js';
import { WalkedList } from '../../parts/walked-list.js';
import { pathOf } from '../../routing/address.js';
import { Link } from '../../routing/link.js';
import { useWalk } from '../../session/use-walk.js';
import { texts } from '../../texts/en/english.js';
import { type Erasure, ErasureState } from './erasure-detail.js';
import { StartErasure } from './start-erasure.js';

const words = texts.machine.erasures;

/** Shows all erasures, the oldest first, and lets the caller begin one. */
export function Erasures(): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const walked = useWalk((agent, signal) => agent.erasures.list({ limit: 100, signal }), []);
  return (
    <>
      <div class="row">
        <button type="button" class="danger" onClick={() => setOpen(true)}>
          {words.start}
        </button>
      </div>
      {isOpen ? <StartErasure onLeave={() => setOpen(false)} /> : undefined}
      <WalkedList walked={walked} empty={words.empty} emptyText={words.emptyText}>
        {(erasures) => (
          <Table
            columns={[
              words.asked,
              words.kind,
              { label: words.pseudonym, wideOnly: true },
              words.state,
            ]}
          >
            {erasures.map((erasure) => (
              <ErasureRow key={erasure.id} erasure={erasure} />
            ))}
          </Table>
        )}
      </WalkedList>
    </>
  );
}

function ErasureRow({ erasure }: { readonly erasure: Erasure }): JSX.Element {
  const { id, kind, pseudonym, requested_at_millis: askedMs } = erasure;
  return (
    <tr>
      <td>
        <Link to={pathOf('erasures', { id })}>
          <Time millis={askedMs} />
        </Link>
      </td>
      <td>{words.kinds[kind]}</td>
      <td class="wide-only">{pseudonym === null ? texts.none : <Id of={pseudonym} />}</td>
      <td>
        <ErasureState erasure={erasure} />
      </td>
    </tr>
  );
}
