/** The fields of a record. */
import type { MemoryRecord } from '@agentkeep/client';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { typeNameOf } from '../../differences/record-difference.js';
import { ChoiceField, Field, TextField } from '../../parts/field.js';
import { localValue } from '../../parts/time.js';
import { texts } from '../../texts/en/english.js';
import { episodeTypes, sources } from '../memory/search-filter.js';

const words = texts.record;

/** Shows the fields, empty or with what a record says. A name is given once, when it is made. */
export function RecordFields({
  record,
}: {
  readonly record: MemoryRecord | undefined;
}): JSX.Element {
  const { content, tags = [], metadata = {} } = record?.payload ?? {};
  const json = Object.keys(metadata).length === 0 ? '' : JSON.stringify(metadata, null, 2);
  return (
    <>
      <Long label={words.primary} name="primary" value={content?.primary ?? ''} isLong />
      {record === undefined ? <TextField label={words.name} name="name" /> : undefined}
      <TextField label={texts.memory.tags} name="tags" value={tags.join(', ')} />
      <details>
        <summary>{texts.audit.details}</summary>
        <div class="stack">
          <Long label={words.secondary} name="secondary" value={content?.secondary ?? ''} />
          <Long label={words.context} name="context" value={content?.context ?? ''} />
          <Kinds record={record} />
          <Times record={record} />
          <Long label={words.metadata} name="metadata" value={json} isCode />
        </div>
      </details>
    </>
  );
}

function Kinds({ record }: { readonly record: MemoryRecord | undefined }): JSX.Element {
  const given = record?.payload.episode_type ?? 'Observation';
  const custom = typeof given === 'string' ? undefined : given.Custom;
  const [type, setType] = useState(typeNameOf(given));
  const [source, setSource] = useState<string>(record?.payload.source ?? '');
  const types = custom === undefined ? episodeTypes : [...episodeTypes, custom];
  return (
    <div class="fields">
      <ChoiceField
        label={words.type}
        name="type"
        value={type}
        choices={Object.fromEntries(types.map((each) => [each, each]))}
        onChange={setType}
      />
      <ChoiceField
        label={words.source}
        name="source"
        value={source}
        choices={{ '': texts.none, ...Object.fromEntries(sources.map((each) => [each, each])) }}
        onChange={setSource}
      />
    </div>
  );
}

function Times({ record }: { readonly record: MemoryRecord | undefined }): JSX.Element {
  const { event_time_millis: event, valid_until_millis: until } = record?.payload ?? {};
  const valueOf = (millis: number | null | undefined): string =>
    typeof millis === 'number' ? localValue(millis) : '';
  return (
    <div class="fields">
      <TextField
        label={words.eventTime}
        name="event"
        type="datetime-local"
        value={valueOf(event)}
      />
      <TextField
        label={words.validUntil}
        name="until"
        type="datetime-local"
        value={valueOf(until)}
      />
    </div>
  );
}

function Long(props: {
  readonly label: string;
  readonly name: string;
  readonly value: string;
  readonly isLong?: boolean;
  readonly isCode?: boolean;
}): JSX.Element {
  const { label, name, value, isLong = false, isCode = false } = props;
  return (
    <Field
      label={label}
      field={(id) => (
        <textarea
          dir="auto"
          id={id}
          name={name}
          defaultValue={value}
          rows={isLong ? 6 : 3}
          required={isLong}
          {...(isCode ? { class: 'code' } : {})}
        />
      )}
    />
  );
}
