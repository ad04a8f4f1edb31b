/** The screen of the machine: how it does, its copies, tenants, deliveries and erasures. */
import type { JSX } from 'preact';
import { Empty } from '../../parts/notes.js';
import { Screen } from '../../parts/screen.js';
import { pathOf } from '../../routing/address.js';
import { Link } from '../../routing/link.js';
import { address } from '../../routing/router.js';
import type { Caller } from '../../session/caller.js';
import { texts } from '../../texts/en.js';
import { ErasureDetail } from './erasure-detail.js';
import { Erasures } from './erasures.js';
import { Now } from './now.js';
import { type MachineSection, machineSections } from './sections.js';
import { Snapshots } from './snapshots.js';
import { Tenants } from './tenants.js';
import { Traffic } from './traffic.js';
import { WebhookDetail } from './webhook-detail.js';
import { Webhooks } from './webhooks.js';

const words = texts.machine;

/** Shows the section of the address, or the first one that the caller may see. */
export function MachineScreen({ caller }: { readonly caller: Caller }): JSX.Element {
  const { query } = address.value;
  const shown = machineSections(caller);
  const chosen = shown.find((name) => name === query.get('show')) ?? shown[0];
  return (
    <Screen title={words.title} about={words.about}>
      <nav class="tabs" aria-label={words.sections}>
        {shown.map((name) => (
          <Link key={name} to={pathOf('machine', { show: name })} current={name === chosen}>
            {words.names[name]}
          </Link>
        ))}
      </nav>
      {chosen === undefined ? (
        <Empty title={words.nothing} text={words.nothingText} />
      ) : (
        sectionOf(chosen, caller, query)
      )}
    </Screen>
  );
}

function sectionOf(name: MachineSection, caller: Caller, query: URLSearchParams): JSX.Element {
  const id = query.get('id');
  switch (name) {
    case 'now':
      return <Now caller={caller} />;
    case 'traffic':
      return <Traffic caller={caller} />;
    case 'snapshots':
      return <Snapshots />;
    case 'tenants':
      return <Tenants caller={caller} query={query} />;
    case 'webhooks':
      return id === null ? <Webhooks caller={caller} /> : <WebhookDetail caller={caller} id={id} />;
    case 'erasures':
      return id === null ? <Erasures /> : <ErasureDetail id={id} />;
  }
}
