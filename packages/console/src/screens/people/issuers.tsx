/** The issuers whose assertions prove credentials of the tenant. */
import type { Agent } from '@agentkeep/client';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Confirm } from '../../parts/confirm.js';
import { Table } from '../../parts/table.js';
import { WalkedList } from '../../parts/walked-list.js';
import { useAction } from '../../session/use-loaded.js';
import { useWalk } from '../../session/use-walk.js';
import { texts } from '../../texts/en/english.js';
import { type Issuer, IssuerForm } from './issuer-form.js';

const words = texts.issuers;

/** Shows the issuers, and lets the caller trust, change and block them. */
export function Issuers(): JSX.Element {
  const [changed, setChanged] = useState(0);
  const [isOpen, setOpen] = useState(false);
  const walked = useWalk((agent, signal) => agent.issuers.list({ limit: 100, signal }), [changed]);
  const change = (): void => setChanged(changed + 1);
  return (
    <>
      <div class="row">
        <button type="button" class="main" onClick={() => setOpen(true)}>
          {words.create}
        </button>
      </div>
      {isOpen ? <IssuerForm onPut={change} onLeave={() => setOpen(false)} /> : undefined}
      <WalkedList walked={walked} empty={words.empty} emptyText={words.emptyText}>
        {(issuers) => (
          <Table
            columns={[
              words.name,
              { label: words.audience, wideOnly: true },
              { label: words.keys, wideOnly: true },
              words.state,
              words.actions,
            ]}
          >
            {issuers.map((each) => (
              <IssuerRow key={each.name} issuer={each} onChanged={change} />
            ))}
          </Table>
        )}
      </WalkedList>
    </>
  );
}

interface RowProps {
  readonly issuer: Issuer;
  readonly onChanged: () => void;
}

function IssuerRow({ issuer, onChanged }: RowProps): JSX.Element {
  const { name, audience, keys, is_blocked: isBlocked } = issuer;
  const [open, setOpen] = useState<'change' | 'block'>();
  // Whatever came of it, the list shows what is there now.
  const leave = (): void => {
    setOpen(undefined);
    onChanged();
  };
  return (
    <tr>
      <td>
        {name}
        <div class="soft small">{issuer.issuer ?? words.noIssuer}</div>
      </td>
      <td class="wide-only">{audience}</td>
      <td class="wide-only">{words.modes[keys.mode]}</td>
      <td>
        <span class={isBlocked ? 'tag bad' : 'tag good'}>
          {isBlocked ? words.states.blocked : words.states.trusted}
        </span>
      </td>
      <td>
        <div class="row">
          <button
            type="button"
            aria-label={words.changeName(name)}
            onClick={() => setOpen('change')}
          >
            {words.change}
          </button>
          <button
            type="button"
            aria-label={isBlocked ? words.trustName(name) : words.blockName(name)}
            onClick={() => setOpen('block')}
          >
            {isBlocked ? words.trust : words.block}
          </button>
        </div>
        {open === 'change' ? (
          <IssuerForm issuer={issuer} onPut={onChanged} onLeave={leave} />
        ) : undefined}
        {open === 'block' ? <BlockIssuer issuer={issuer} onLeave={leave} /> : undefined}
      </td>
    </tr>
  );
}

/** Asks, then blocks an issuer, or trusts a blocked one again. */
function BlockIssuer(props: {
  readonly issuer: Issuer;
  readonly onLeave: () => void;
}): JSX.Element {
  const { issuer, onLeave } = props;
  const { name, audience, keys, revision, is_blocked: isBlocked } = issuer;
  const act = useAction(async (agent: Agent) => {
    const trust = { issuer: issuer.issuer, audience, keys, is_blocked: !isBlocked };
    await agent.issuers.put(name, trust, revision);
    onLeave();
  });
  return (
    <Confirm
      title={isBlocked ? words.trustTitle(name) : words.blockTitle(name)}
      verb={isBlocked ? words.trustGo : words.blockGo}
      act={act}
      onLeave={onLeave}
    >
      <p>{isBlocked ? words.trustText : words.blockText}</p>
    </Confirm>
  );
}
