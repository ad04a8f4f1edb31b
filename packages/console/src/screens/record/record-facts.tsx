/** The facts about a record beside what it says. */
import type { MemoryRecord } from '@agentkeep/client';
import type { JSX } from 'preact';
import { typeNameOf } from '../../differences/record-difference.js';
import { Cut, Id, Name } from '../../parts/name.js';
import { Time } from '../../parts/time.js';
import { texts } from '../../texts/en/english.js';

const words = texts.record;

/** Shows who made a record, when, and what kind it is. */
export function RecordFacts({ record }: { readonly record: MemoryRecord }): JSX.Element {
  const { payload, author, merged_by: merger } = record;
  const until = payload.valid_until_millis;
  return (
    <section class="card" aria-label={words.title}>
      <dl class="facts">
        <Fact label={words.author}>
          <Name of={author.subject_id} />
        </Fact>
        {merger === undefined ? undefined : (
          <Fact label={words.merged}>
            <Name of={merger.subject_id} />
          </Fact>
        )}
        {payload.source === undefined ? undefined : (
          <Fact label={words.source}>
            <Cut text={payload.source} />
          </Fact>
        )}
        <Fact label={words.type}>{typeNameOf(payload.episode_type)}</Fact>
        <Fact label={words.event}>
          <Time millis={payload.event_time_millis} />
        </Fact>
        <Fact label={words.created}>
          <Time millis={record.created_at_millis} />
        </Fact>
        <Fact label={words.modified}>
          <Time millis={record.modified_at_millis} />
        </Fact>
        {typeof until === 'number' ? (
          <Fact label={words.validUntil}>
            <Time millis={until} />
          </Fact>
        ) : undefined}
        <Fact label={words.revision}>{record.revision}</Fact>
        <Fact label={words.id}>
          <Id of={record.record_id} />
        </Fact>
      </dl>
    </section>
  );
}

function Fact(props: {
  readonly label: string;
  readonly children: JSX.Element | string | number;
}): JSX.Element {
  return (
    <>
      <dt>{props.label}</dt>
      <dd>{props.children}</dd>
    </>
  );
}
