/** What a tenant stores, counted when a person asks. */
import type { Administrator } from '@agentkeep/client';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { sizeText } from '../../parts/amounts.js';
import { FailureNote } from '../../parts/notes.js';
import { useWork } from '../../session/use-loaded.js';
import { texts } from '../../texts/en/english.js';

const words = texts.machine.quota;

type TenantUse = Awaited<ReturnType<Administrator['tenants']['use']>>;

/** Offers the count, and shows how far it is and its result. */
export function CountedUse({ id }: { readonly id: string }): JSX.Element {
  const [use, setUse] = useState<TenantUse>();
  const act = useWork(async ({ administrator }) => {
    setUse(undefined);
    await administrator.tenants.use(id, { onProgress: setUse });
  });
  return (
    <>
      <div class="row">
        <button type="button" disabled={act.isRunning} onClick={() => act.run()}>
          {words.countNow}
        </button>
        <span role="status">{use === undefined ? '' : useText(use)}</span>
      </div>
      <FailureNote failure={act.failure} />
    </>
  );
}

function useText({ records, entries, bytes, is_complete: isComplete }: TenantUse): string {
  const [r, e] = [records, entries].map((each) => each.toLocaleString(texts.locale));
  const text = words.counted(r ?? '', e ?? '', sizeText(bytes));
  return isComplete ? text : words.countedSoFar(text);
}
