/** The dialogs that disable, enable and delete a rate limit. */
import type { JSX } from 'preact';
import { Confirm } from '../../parts/confirm.js';
import { useWork } from '../../session/use-loaded.js';
import { texts } from '../../texts/en/english.js';
import type { Limit } from './limit-facts.js';

const words = texts.limits;

interface EndProps {
  readonly limit: Limit;
  readonly onLeave: () => void;
}

/** Asks, then disables a limit, or enables a disabled one. */
export function SwitchLimit({ limit, onLeave }: EndProps): JSX.Element {
  const { id, name, enabled } = limit;
  const act = useWork(async ({ administrator }) => {
    await administrator.rateLimits.update(id, { enabled: !enabled });
    onLeave();
  });
  return (
    <Confirm
      title={enabled ? words.disableTitle(name) : words.enableTitle(name)}
      verb={enabled ? words.disableGo : words.enableGo}
      act={act}
      onLeave={onLeave}
    >
      <p>{enabled ? words.endText : words.enableText}</p>
    </Confirm>
  );
}

/** Asks, then deletes a limit. */
export function DeleteLimit({ limit, onLeave }: EndProps): JSX.Element {
  const act = useWork(async ({ administrator }) => {
    await administrator.rateLimits.delete(limit.id);
    onLeave();
  });
  return (
    <Confirm
      title={words.deleteTitle(limit.name)}
      verb={words.deleteGo}
      act={act}
      onLeave={onLeave}
    >
      <p>
        {limit.enabled ? words.endText : undefined} {words.deleteText}
      </p>
    </Confirm>
  );
}
