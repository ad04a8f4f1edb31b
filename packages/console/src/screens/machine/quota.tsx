/** The storage quota of a tenant, and what it uses. */
import type { Administrator } from '@agentkeep/client';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { sizeText } from '../../parts/amounts.js';
import { CountedUse } from './counted-use.js';
import { TextField } from '../../parts/field.js';
import { FailureNote, Loading } from '../../parts/notes.js';
import { type Setting, SettingDialog } from '../../parts/setting-dialog.js';
import { useSetting } from '../../session/use-loaded.js';
import { texts } from '../../texts/en/english.js';

const words = texts.machine.quota;

type TenantQuota = Awaited<ReturnType<Administrator['tenants']['quota']>>;

const count = (value: number): string => value.toLocaleString(texts.locale);

/** Shows the quota, and lets the caller set it. */
export function Quota(props: { readonly id: string; readonly maySet: boolean }): JSX.Element {
  const { id, maySet } = props;
  const [isOpen, setOpen] = useState(false);
  const { value, failure, isSaved, onSaved } = useSetting(
    (_agent, signal, { administrator }) => administrator.tenants.quota(id, { signal }),
    [id],
  );
  return (
    <section class="card" aria-label={words.title}>
      <div>
        <h2>{words.title}</h2>
        <p class="soft">{words.text}</p>
      </div>
      {failure === undefined ? undefined : <FailureNote failure={failure} />}
      {value === undefined && failure === undefined ? <Loading /> : undefined}
      {value === undefined ? undefined : <Use quota={value} />}
      <CountedUse key={id} id={id} />
      <p role="status">{isSaved ? texts.settings.saved : ''}</p>
      {value === undefined || !maySet ? undefined : (
        <div class="row">
          <button type="button" onClick={() => setOpen(true)}>
            {words.set}
          </button>
        </div>
      )}
      {value === undefined || !isOpen ? undefined : (
        <SetQuota id={id} quota={value} onSaved={onSaved} onLeave={() => setOpen(false)} />
      )}
    </section>
  );
}

function Use({ quota: { quota, use } }: { readonly quota: TenantQuota }): JSX.Element {
  if (use === null) return <p>{words.unbounded}</p>;
  const rows = [
    [words.entries, use.entries, quota.max_entries, count],
    [words.bytes, use.bytes, quota.max_bytes, sizeText],
  ] as const;
  return (
    <>
      <dl class="facts">
        {rows.map(([label, used, most, show]) => (
          <>
            <dt>{label}</dt>
            <dd>
              {most === null ? words.noBound(show(used)) : words.usedOf(show(used), show(most))}
              {most === null ? undefined : (
                <>
                  {' '}
                  <progress aria-label={label} max={Math.max(1, most)} value={used} />
                </>
              )}
            </dd>
          </>
        ))}
      </dl>
      {use.is_complete ? undefined : <p class="note warned">{words.counting}</p>}
    </>
  );
}

/** Asks for the bounds, and replaces the quota that the person has seen. */
function SetQuota(props: {
  readonly id: string;
  readonly quota: TenantQuota;
  readonly onSaved: () => void;
  readonly onLeave: () => void;
}): JSX.Element {
  const { id, quota, onSaved, onLeave } = props;
  const setting: Setting<TenantQuota> = {
    shown: quota,
    load: ({ administrator }) => administrator.tenants.quota(id),
    rows: ({ quota: { max_entries: entries, max_bytes: bytes } }) => [
      [words.maxEntries, entries === null ? words.none : count(entries)],
      [words.maxBytes, bytes === null ? words.none : sizeText(bytes)],
    ],
    risk: ({ use }, form) => {
      const { maxEntries, maxBytes } = quotaOf(form);
      const isFull =
        (use?.entries ?? 0) >= (maxEntries ?? Infinity) ||
        (use?.bytes ?? 0) >= (maxBytes ?? Infinity);
      return isFull || maxEntries === 0 || maxBytes === 0 ? words.risk : undefined;
    },
    put: ({ administrator }, { revision: expectedRevision }, form) =>
      administrator.tenants.setQuota(id, { ...quotaOf(form), expectedRevision }),
  };
  const { max_entries: entries, max_bytes: bytes } = quota.quota;
  return (
    <SettingDialog title={words.setTitle(id)} {...{ setting, onSaved, onLeave }}>
      <p class="soft">{words.hint}</p>
      <TextField
        label={words.maxEntries}
        name="max_entries"
        type="number"
        min={0}
        value={entries?.toString() ?? ''}
        hint={words.entriesHint}
      />
      <TextField
        label={words.maxBytes}
        name="max_bytes"
        type="number"
        min={0}
        value={bytes?.toString() ?? ''}
        hint={words.bytesHint(bytes === null ? words.none : sizeText(bytes))}
      />
    </SettingDialog>
  );
}

function quotaOf(form: Readonly<Record<string, string>>) {
  const { max_entries: entries, max_bytes: bytes } = form;
  return {
    maxEntries: entries === undefined ? null : Number(entries),
    maxBytes: bytes === undefined ? null : Number(bytes),
  };
}
