/** The erasures of tenants, which name no tenant. */
import type { JSX } from 'preact';
import { Id } from '../../parts/name.js';
import { Table } from '../../parts/table.js';
import { Time } from '../../parts/time.js';
import { WalkedList } from '../../parts/walked-list.js';
import { pathOf } from '../../routing/address.js';
import { Link } from '../../routing/link.js';
import { useWalk } from '../../session/use-walk.js';
import { texts } from '../../texts/en/english.js';
import { type Erasure, ErasureState } from './erasure-detail.js';

const words = texts.machine.tenants;
const { asked, ended, id: idLabel, notYet, state } = texts.machine.erasures;

/** Shows the erasures of tenants, the oldest first. */
export function ErasedTenants(): JSX.Element {
  const walked = useWalk(
    (_agent, signal, { administrator }) => administrator.tenants.erasures({ limit: 100, signal }),
    [],
  );
  return (
    <>
      <div class="crumbs">
        <Link to={pathOf('tenants')}>{words.back}</Link>
      </div>
      <div>
        <h2>{words.erased}</h2>
        <p class="soft">{words.erasedText}</p>
      </div>
      <WalkedList walked={walked} empty={words.noneErased} emptyText={words.noneErasedText}>
        {(erasures) => (
          <Table columns={[asked, ended, { label: idLabel, wideOnly: true }, state]}>
            {erasures.map((erasure) => (
              <ErasedTenant key={erasure.id} erasure={erasure} />
            ))}
          </Table>
        )}
      </WalkedList>
    </>
  );
}

function ErasedTenant({ erasure }: { readonly erasure: Erasure }): JSX.Element {
  const { id, requested_at_millis: askedMs, finished_at_millis: endMs } = erasure;
  return (
    <tr>
      <td>
        <Link to={pathOf('tenants', { erasure: id })}>
          <Time millis={askedMs} />
        </Link>
      </td>
      <td>{endMs === null ? notYet : <Time millis={endMs} />}</td>
      <td class="wide-only">
        <Id of={id} />
      </td>
      <td>
        <ErasureState erasure={erasure} />
      </td>
    </tr>
  );
}
