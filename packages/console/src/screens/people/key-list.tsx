/** API keys of an account, each with a button that revokes it. */
import type { Agent } from '@agentkeep/client';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Confirm } from '../../parts/confirm.js';
import { Table } from '../../parts/table.js';
import { Time } from '../../parts/time.js';
import { WalkedList } from '../../parts/walked-list.js';
import { useAction } from '../../session/use-loaded.js';
import type { Walked } from '../../session/use-walk.js';
import { texts } from '../../texts/en/english.js';

const words = texts.keys;

const columnsOf = () => [
  words.name,
  { label: words.state, wideOnly: true },
  { label: words.lastUsed, wideOnly: true },
  words.expires,
  words.actions,
];

type ApiKey = Awaited<ReturnType<Agent['keys']['listPage']>>['keys'][number];

interface Revoking {
  readonly revoke: (agent: Agent, keyId: string) => Promise<void>;
  readonly onRevoked: () => void;
}

/** Shows the keys, the newest first. */
export function KeyList(props: Revoking & { readonly walked: Walked<ApiKey> }): JSX.Element {
  const { walked, ...revoking } = props;
  return (
    <WalkedList walked={walked} empty={words.empty} emptyText={words.emptyText}>
      {(keys) => (
        <Table columns={columnsOf()}>
          {keys.map((each) => (
            <KeyRow key={each.id} apiKey={each} {...revoking} />
          ))}
        </Table>
      )}
    </WalkedList>
  );
}

function KeyRow({
  apiKey,
  revoke,
  onRevoked,
}: Revoking & { readonly apiKey: ApiKey }): JSX.Element {
  const { id, name, prefix, is_active: isActive } = apiKey;
  const [isOpen, setOpen] = useState(false);
  const act = useAction(async (agent) => {
    await revoke(agent, id);
    setOpen(false);
    onRevoked();
  });
  return (
    <tr>
      <td>
        {name}
        <div class="soft small">
          <code>{prefix}…</code>
        </div>
      </td>
      <td class="wide-only">
        <span class={isActive ? 'tag good' : 'tag'}>
          {isActive ? words.states.live : words.states.expired}
        </span>
      </td>
      <td class="wide-only">
        <ShownTime time={apiKey.last_used} />
      </td>
      <td>
        <ShownTime time={apiKey.expires_at} />
      </td>
      <td>
        <button type="button" aria-label={words.revokeName(name)} onClick={() => setOpen(true)}>
          {words.revoke}
        </button>
        {isOpen ? (
          <Confirm
            title={words.revokeTitle(name)}
            verb={words.revokeGo}
            act={act}
            onLeave={() => setOpen(false)}
          >
            <p>{words.revokeText}</p>
          </Confirm>
        ) : undefined}
      </td>
    </tr>
  );
}

function ShownTime({ time }: { readonly time: string | null }): JSX.Element {
  return time === null ? <>{words.never}</> : <Time millis={new Date(time).getTime()} />;
}
