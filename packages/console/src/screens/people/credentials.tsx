/** The list of credentials. */
import type { Credential } from '@agentkeep/client';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Name } from '../../parts/name.js';
import { Table } from '../../parts/table.js';
import { Tags } from '../../parts/tags.js';
import { Time } from '../../parts/time.js';
import { WalkedList } from '../../parts/walked-list.js';
import { pathOf } from '../../routing/address.js';
import { Link } from '../../routing/link.js';
import { useWalk } from '../../session/use-walk.js';
import { texts } from '../../texts/en/english.js';
import { credentialQuery, proofOf, rightText, stateOf } from './credential-facts.js';
import { CredentialStateTag } from './credential-state-tag.js';
import { IssueCredential } from './issue-credential.js';

const words = texts.credentials;

/** Shows all credentials of the tenant, and lets the caller issue one. */
export function Credentials(): JSX.Element {
  const [issued, setIssued] = useState(0);
  const [isOpen, setOpen] = useState(false);
  const walked = useWalk(
    (agent, signal) => agent.credentials.list({ limit: 100, signal }),
    [issued],
  );
  return (
    <>
      <div class="row">
        <button type="button" class="main" onClick={() => setOpen(true)}>
          {texts.issue.open}
        </button>
      </div>
      {isOpen ? (
        <IssueCredential onIssued={() => setIssued(issued + 1)} onLeave={() => setOpen(false)} />
      ) : undefined}
      <WalkedList walked={walked} empty={words.empty} emptyText={words.emptyText}>
        {(credentials) => <CredentialTable credentials={credentials} />}
      </WalkedList>
    </>
  );
}

function CredentialTable(props: { readonly credentials: readonly Credential[] }): JSX.Element {
  const nowMs = Date.now();
  return (
    <Table
      columns={[
        words.subject,
        { label: words.rights, wideOnly: true },
        { label: words.proof, wideOnly: true },
        words.state,
        { label: words.expires, wideOnly: true },
      ]}
    >
      {props.credentials.map((each) => (
        <CredentialRow key={each.id} credential={each} nowMs={nowMs} />
      ))}
    </Table>
  );
}

function CredentialRow(props: {
  readonly credential: Credential;
  readonly nowMs: number;
}): JSX.Element {
  const { credential, nowMs } = props;
  const { id, spec } = credential;
  const { expires_at_millis: expires } = spec;
  return (
    <tr>
      <td>
        <Link to={pathOf('access', credentialQuery(id))}>
          <Name of={spec.subject_id} />
        </Link>
        {/* Ids of one moment begin alike. */}
        <div class="soft small">
          <code>{id.slice(-8)}</code>
        </div>
      </td>
      <td class="wide-only">
        <Tags words={spec.capabilities.map(rightText)} />
      </td>
      <td class="wide-only">{words.proofs[proofOf(credential)]}</td>
      <td>
        <CredentialStateTag state={stateOf(credential, nowMs)} />
      </td>
      <td class="wide-only">{expires === null ? words.never : <Time millis={expires} />}</td>
    </tr>
  );
}
