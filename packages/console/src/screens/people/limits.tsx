/** The rate limits of the installation. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Table } from '../../parts/table.js';
import { VerbButtons } from '../../parts/verb-buttons.js';
import { WalkedList } from '../../parts/walked-list.js';
import { useWalk } from '../../session/use-walk.js';
import { texts } from '../../texts/en/english.js';
import { DeleteLimit, SwitchLimit } from './end-limit.js';
import { type Limit, type LimitState, limitText, partText, statesOf } from './limit-facts.js';
import { LimitForm } from './limit-form.js';

const words = texts.limits;

const looks = { applies: 'tag good', replaced: 'tag', disabled: 'tag warned' } as const;

/** Shows the limits, and lets the caller make, change, disable and delete them. */
export function Limits(): JSX.Element {
  const [changed, setChanged] = useState(0);
  const [isOpen, setOpen] = useState(false);
  const walked = useWalk(
    (_agent, signal, { administrator }) => administrator.rateLimits.list({ limit: 100, signal }),
    [changed],
  );
  const change = (): void => setChanged((before) => before + 1);
  return (
    <>
      <p class="soft">{words.about}</p>
      <div class="row">
        <button type="button" class="main" onClick={() => setOpen(true)}>
          {words.create}
        </button>
      </div>
      {isOpen ? <LimitForm onPut={change} onLeave={() => setOpen(false)} /> : undefined}
      <WalkedList walked={walked} empty={words.empty} emptyText={words.emptyText}>
        {(limits) => <LimitTable limits={limits} onChanged={change} />}
      </WalkedList>
    </>
  );
}

function LimitTable(props: {
  readonly limits: readonly Limit[];
  readonly onChanged: () => void;
}): JSX.Element {
  const { limits, onChanged } = props;
  const states = statesOf(limits);
  return (
    <Table
      columns={[
        words.name,
        { label: words.part, wideOnly: true },
        { label: words.limit, wideOnly: true },
        words.state,
        words.actions,
      ]}
    >
      {limits.map((limit, index) => (
        <LimitRow
          key={limit.id}
          limit={limit}
          state={states[index] ?? 'disabled'}
          onChanged={onChanged}
        />
      ))}
    </Table>
  );
}

interface RowProps {
  readonly limit: Limit;
  readonly onChanged: () => void;
}

function LimitRow({ limit, state, onChanged }: RowProps & { state: LimitState }): JSX.Element {
  return (
    <tr>
      <td>{limit.name}</td>
      <td class="wide-only">{partText(limit)}</td>
      <td class="wide-only">{limitText(limit)}</td>
      <td>
        <span class={looks[state]}>{words.states[state]}</span>
      </td>
      <td>
        <LimitActions limit={limit} onChanged={onChanged} />
      </td>
    </tr>
  );
}

function LimitActions({ limit, onChanged }: RowProps): JSX.Element {
  const { name, enabled } = limit;
  const [open, setOpen] = useState<'change' | 'switch' | 'delete'>();
  // Whatever came of it, the list shows what is there now.
  const leave = (): void => {
    setOpen(undefined);
    onChanged();
  };
  const verbs = [
    ['change', words.change, words.changeName(name)],
    enabled
      ? (['switch', words.disable, words.disableName(name)] as const)
      : (['switch', words.enable, words.enableName(name)] as const),
    ['delete', words.delete, words.deleteName(name)],
  ] as const;
  return (
    <>
      <VerbButtons verbs={verbs} onOpen={setOpen} />
      {open === 'change' ? (
        <LimitForm limit={limit} onPut={onChanged} onLeave={leave} />
      ) : undefined}
      {open === 'switch' ? <SwitchLimit limit={limit} onLeave={leave} /> : undefined}
      {open === 'delete' ? <DeleteLimit limit={limit} onLeave={leave} /> : undefined}
    </>
  );
}
