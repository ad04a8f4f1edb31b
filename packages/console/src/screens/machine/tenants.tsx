/** The tenants of the installation. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Name } from '../../parts/name.js';
import { Table } from '../../parts/table.js';
import { Time } from '../../parts/time.js';
import { WalkedList } from '../../parts/walked-list.js';
import { pathOf } from '../../routing/address.js';
import { Link } from '../../routing/link.js';
import { type Caller, may } from '../../session/caller.js';
import { useWalk } from '../../session/use-walk.js';
import { texts } from '../../texts/en/english.js';
import { ErasedTenants } from './erased-tenants.js';
import { TenantErasure } from './erasure-detail.js';
import { RegisterTenant } from './register-tenant.js';
import { TenantDetail } from './tenant-detail.js';

const words = texts.machine.tenants;

/** Shows the tenant or the erasure of the address, or all tenants. */
export function Tenants(props: {
  readonly caller: Caller;
  readonly query: URLSearchParams;
}): JSX.Element {
  const { caller, query } = props;
  const [id, erasure] = [query.get('id'), query.get('erasure')];
  if (erasure !== null) return <TenantErasure key={erasure} id={erasure} />;
  if (id !== null) return <TenantDetail key={id} caller={caller} id={id} />;
  if (query.get('show') === 'erased') return <ErasedTenants />;
  return <AllTenants caller={caller} />;
}

function AllTenants({ caller }: { readonly caller: Caller }): JSX.Element {
  const [registered, setRegistered] = useState(0);
  const [isOpen, setOpen] = useState(false);
  const walked = useWalk(
    (_agent, signal, { administrator }) => administrator.tenants.list({ limit: 100, signal }),
    [registered],
  );
  return (
    <>
      <div class="row">
        {may(caller, 'tenant_create') ? (
          <button type="button" class="main" onClick={() => setOpen(true)}>
            {words.register}
          </button>
        ) : undefined}
        {caller.installation?.is_master === true ? (
          <Link to={pathOf('tenants', { show: 'erased' })}>{words.erased}</Link>
        ) : undefined}
      </div>
      {isOpen ? (
        <RegisterTenant
          onRegistered={() => setRegistered(registered + 1)}
          onLeave={() => setOpen(false)}
        />
      ) : undefined}
      <WalkedList walked={walked} empty={words.empty} emptyText={words.emptyText}>
        {(tenants) => (
          <Table columns={[words.tenant, { label: words.name, wideOnly: true }, words.registered]}>
            {tenants.map(({ tenant_id: id, registration }) => (
              <tr key={id}>
                <td>
                  <Link to={pathOf('tenants', { id })}>
                    <Name of={id} />
                  </Link>
                </td>
                <td class="wide-only">
                  <Name of={registration?.display_name ?? ''} />
                </td>
                <td>
                  {registration === null ? (
                    words.byOperator
                  ) : (
                    <Time millis={registration.created_at_millis} />
                  )}
                </td>
              </tr>
            ))}
          </Table>
        )}
      </WalkedList>
    </>
  );
}
