/** The snapshots of everything that is stored: those that are there, and a new one. */
import type { Administrator } from '@agentkeep/client';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { sizeText } from '../../parts/amounts.js';
import { Id } from '../../parts/name.js';
import { Empty, FailureNote, Loading } from '../../parts/notes.js';
import { Table } from '../../parts/table.js';
import { Time } from '../../parts/time.js';
import { useSetting, useWork } from '../../session/use-loaded.js';
import { texts } from '../../texts/en/english.js';
import { type Schedule, SnapshotSchedule } from './snapshot-schedule.js';

const words = texts.machine.snapshots;

type Client = Administrator['snapshots'];
type Snapshot = Awaited<ReturnType<Client['list']>>[number];

/** Shows the snapshots, the newest first, and makes one. */
export function Snapshots(): JSX.Element {
  const [made, setMade] = useState<string>();
  const { value, failure, isSaved, onSaved } = useSetting(
    (_agent, signal, { administrator: { snapshots } }) =>
      Promise.all([snapshots.list({ signal }), snapshots.schedule({ signal })]),
    [made],
  );
  const make = useWork(async ({ administrator }) => {
    setMade((await administrator.snapshots.create()).snapshot_id);
  });
  return (
    <>
      {value === undefined && failure !== undefined ? undefined : (
        <div class="row">
          <button type="button" class="main" disabled={make.isRunning} onClick={() => make.run()}>
            {words.make}
          </button>
          <span role="status" class="soft">
            {make.isRunning ? words.making : made === undefined ? '' : words.made(made)}
          </span>
        </div>
      )}
      {make.isRunning ? <progress aria-label={words.making} /> : undefined}
      <FailureNote failure={make.failure ?? failure} />
      {value === undefined && failure === undefined ? <Loading /> : undefined}
      {value === undefined ? undefined : (
        <Listed snapshots={value[0]} schedule={value[1]} isSaved={isSaved} onSaved={onSaved} />
      )}
    </>
  );
}

function Listed(props: {
  readonly snapshots: readonly Snapshot[];
  readonly schedule: Schedule;
  readonly isSaved: boolean;
  readonly onSaved: () => void;
}): JSX.Element {
  const { snapshots, schedule, isSaved, onSaved } = props;
  const kept = snapshots.filter(({ is_scheduled }) => is_scheduled).length;
  return (
    <>
      <SnapshotSchedule {...{ schedule, kept, isSaved, onSaved }} />
      <p class="note">{words.verified}</p>
      {snapshots.length === 0 ? (
        <Empty title={words.empty} text={words.emptyText} />
      ) : (
        <Table
          columns={[
            words.time,
            words.origin,
            { label: words.size, isNumber: true },
            { label: words.path, wideOnly: true },
          ]}
        >
          {snapshots.map((each) => (
            <tr key={each.snapshot_id}>
              <td>
                <Time millis={new Date(each.created_at).getTime()} />
              </td>
              <td>{each.is_scheduled ? words.bySchedule : words.byRequest}</td>
              <td class="number">{sizeText(each.size_bytes)}</td>
              <td class="wide-only">
                <Id of={each.path} />
              </td>
            </tr>
          ))}
        </Table>
      )}
    </>
  );
}
