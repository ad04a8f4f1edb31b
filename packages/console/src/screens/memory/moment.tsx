/** The slider that shows memory as it was at a time. */
import type { JSX } from 'preact';
import { useId, useState } from 'preact/hooks';
import { localZone } from '../../parts/local-time.js';
import { preciseValue, timeText } from '../../parts/time.js';
import { changeQuery } from '../../routing/router.js';
import { memoryOf } from '../../scopes/scope-agent.js';
import { useLoaded } from '../../session/use-loaded.js';
import { texts } from '../../texts/en/english.js';
import { stateAt } from './next-page.js';
import type { ScopeProps } from './scope-props.js';
import { timeOf } from './search-filter.js';

const words = texts.memory;
const STEPS = 720;
/** Shortest time that the slider covers, so that a new scope has one. */
const SPAN_MIN_MS = 3_600_000;

/** The moment, and of what; `undefined` for now. */
interface MomentProps extends ScopeProps {
  readonly atMillis: number | undefined;
}

/** Shows the slider, from the oldest record of the scope to now; the field takes any time. */
export function Moment(props: MomentProps): JSX.Element {
  const { atMillis } = props;
  const id = useId();
  const [nowMs] = useState(() => Date.now());
  const [moved, setMoved] = useState<number>();
  const [isUsed, setUsed] = useState(false);
  const oldestMs = useOldest(props, isUsed || atMillis !== undefined);
  const shown = moved ?? atMillis;
  const spanMs = Math.max(SPAN_MIN_MS, nowMs - Math.min(oldestMs ?? nowMs, atMillis ?? nowMs));
  const stepOf = (millis: number): number =>
    Math.max(0, Math.round(STEPS - ((nowMs - millis) / spanMs) * STEPS));
  const millisOf = (step: number): number | undefined =>
    step >= STEPS ? undefined : Math.round(nowMs - ((STEPS - step) / STEPS) * spanMs);
  const choose = (millis: number | undefined): void => {
    setMoved(undefined);
    changeQuery({ at: millis === undefined ? undefined : String(millis) });
  };
  return (
    <div class="moment">
      <label for={id}>{words.at}</label>
      <input
        id={id}
        type="range"
        min={0}
        max={STEPS}
        value={shown === undefined ? STEPS : stepOf(shown)}
        onFocus={() => setUsed(true)}
        onPointerEnter={() => setUsed(true)}
        aria-valuetext={shown === undefined ? words.now : timeText(shown)}
        onInput={(event) => setMoved(millisOf(Number(event.currentTarget.value)))}
        onChange={(event) => choose(millisOf(Number(event.currentTarget.value)))}
      />
      <input
        class="moment-time"
        type="datetime-local"
        step="1"
        aria-label={texts.filters.exactTime}
        key={shown}
        defaultValue={shown === undefined ? '' : preciseValue(shown)}
        onChange={(event) => choose(timeOf(event.currentTarget.value) ?? undefined)}
      />
      <small class="soft">
        {texts.zone(localZone())}
        {oldestMs === undefined ? undefined : ` · ${words.oldest(timeText(oldestMs))}`}
      </small>
      {atMillis === undefined ? undefined : (
        <Earlier key={atMillis} {...props} atMillis={atMillis} onChoose={choose} />
      )}
    </div>
  );
}

/** Returns when the oldest record of the scope was created, once that is wanted and known. */
function useOldest({ caller, shown }: ScopeProps, isWanted: boolean): number | undefined {
  const { value } = useLoaded(
    async (agent, signal) => {
      if (!isWanted) return undefined;
      const memory = memoryOf(agent, shown, caller.credential?.spec.subject_id);
      const { matches } = await memory.searchPage({}, { order: 'oldest', limit: 1, signal });
      return matches[0]?.record.created_at_millis;
    },
    [isWanted],
  );
  return value;
}

/** Says which moment is shown, and what of it is no longer stored. */
function Earlier(
  props: ScopeProps & {
    readonly atMillis: number;
    readonly onChoose: (millis: number | undefined) => void;
  },
): JSX.Element {
  const { caller, shown, atMillis, onChoose } = props;
  const { value, failure } = useLoaded(async (agent, signal) => {
    const memory = memoryOf(agent, shown, caller.credential?.spec.subject_id);
    const wanted = { ...stateAt(atMillis), counts: {}, scanLimit: 1, signal };
    return (await memory.searchPage({}, wanted)).missing_records ?? 0;
  }, []);
  const from = failure?.completeFromMillis;
  return (
    <div class="note warned">
      <p>
        {words.atText(timeText(atMillis))}{' '}
        {value === undefined || value === 0 ? undefined : `${words.missing(value)} `}
        <button type="button" class="plain" onClick={() => onChoose(undefined)}>
          {words.backToNow}
        </button>
      </p>
      {from === undefined ? undefined : (
        <p>
          {words.completeFrom(timeText(from))}{' '}
          <button type="button" class="plain" onClick={() => onChoose(from)}>
            {words.showEarliest}
          </button>
        </p>
      )}
    </div>
  );
}
