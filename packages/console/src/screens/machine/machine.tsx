/** The screens of the system: its health and snapshots, tenants, webhooks and erasures. */
import type { JSX } from 'preact';
import { Empty } from '../../parts/notes.js';
import { Screen } from '../../parts/screen.js';
import { pathOf } from '../../routing/address.js';
import { Link } from '../../routing/link.js';
import { address } from '../../routing/router.js';
import type { Caller } from '../../session/caller.js';
import { texts } from '../../texts/en/english.js';
import { ErasureDetail } from './erasure-detail.js';
import { Erasures } from './erasures.js';
import { Now } from './now.js';
import { RetentionSettings } from './retention.js';
import { administersTenant, seesTenants, type SystemSection, systemSections } from './sections.js';
import { Snapshots } from './snapshots.js';
import { Tenants } from './tenants.js';
import { Traffic } from './traffic.js';
import { WebhookDetail } from './webhook-detail.js';
import { Webhooks } from './webhooks.js';

const words = texts.machine;

/** Shows the section of the address, or the first one that the caller may see. */
export function SystemScreen({ caller }: { readonly caller: Caller }): JSX.Element {
  const shown = systemSections(caller);
  const chosen = shown.find((name) => name === address.value.query.get('show')) ?? shown[0];
  return (
    <Screen title={words.title} about={words.about}>
      <nav class="tabs" aria-label={words.sections}>
        {shown.map((name) => (
          <Link key={name} to={pathOf('system', { show: name })} current={name === chosen}>
            {words.names[name]}
          </Link>
        ))}
      </nav>
      {chosen === undefined ? <NotYours /> : sectionOf(chosen, caller)}
    </Screen>
  );
}

function sectionOf(name: SystemSection, caller: Caller): JSX.Element {
  switch (name) {
    case 'now':
      return <Now caller={caller} />;
    case 'traffic':
      return <Traffic caller={caller} />;
    case 'snapshots':
      return <Snapshots />;
    case 'retention':
      return <RetentionSettings />;
  }
}

/** Shows the tenants of the installation, or the one that the address names. */
export function TenantsScreen({ caller }: { readonly caller: Caller }): JSX.Element {
  return (
    <Screen title={words.names.tenants} about={words.tenants.about}>
      {seesTenants(caller) ? <Tenants caller={caller} query={address.value.query} /> : <NotYours />}
    </Screen>
  );
}

/** Shows the webhooks of the tenant, or the one that the address names. */
export function WebhooksScreen({ caller }: { readonly caller: Caller }): JSX.Element {
  const id = address.value.query.get('id');
  return (
    <Screen title={words.names.webhooks} about={words.webhooks.about}>
      {administersTenant(caller) ? (
        id === null ? (
          <Webhooks caller={caller} />
        ) : (
          <WebhookDetail caller={caller} id={id} />
        )
      ) : (
        <NotYours />
      )}
    </Screen>
  );
}

/** Shows the erasures of the tenant, or the one that the address names. */
export function ErasuresScreen({ caller }: { readonly caller: Caller }): JSX.Element {
  const id = address.value.query.get('id');
  return (
    <Screen title={words.names.erasures} about={words.erasures.about}>
      {administersTenant(caller) ? (
        id === null ? (
          <Erasures />
        ) : (
          <ErasureDetail id={id} />
        )
      ) : (
        <NotYours />
      )}
    </Screen>
  );
}

function NotYours(): JSX.Element {
  return <Empty title={words.nothing} text={words.nothingText} />;
}
