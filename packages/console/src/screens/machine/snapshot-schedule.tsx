/** The schedule of snapshots: what applies, and a stored one that goes before the options. */
import type { Administrator } from '@agentkeep/client';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { ChoiceField, TextField } from '../../parts/field.js';
import { SettingCard } from '../../parts/setting-card.js';
import {
  type SentForm,
  type Setting,
  SettingDialog,
  type SettingRow,
} from '../../parts/setting-dialog.js';
import { spanText, timeText } from '../../parts/time.js';
import { texts } from '../../texts/en/english.js';

const words = texts.machine.snapshots.schedule;

/** The bounds and the default of what is kept, and the bounds of the interval in minutes. */
const KEPT = { min: 1, max: 1_000, byDefault: 7 } as const;
const MINUTES = { min: 1, max: 527_040 } as const;

/** A schedule as it applies. */
export type Schedule = Awaited<ReturnType<Administrator['snapshots']['schedule']>>;

/** Shows the schedule, and lets the caller change it. */
export function SnapshotSchedule(props: {
  readonly schedule: Schedule;
  /** Snapshots that a schedule made and still keeps. */
  readonly kept: number;
  readonly isSaved: boolean;
  readonly onSaved: () => void;
}): JSX.Element {
  const { schedule, kept, isSaved, onSaved } = props;
  const [isOpen, setOpen] = useState(false);
  return (
    <SettingCard
      title={words.title}
      about={words.about}
      rows={[...rowsOf(schedule), ...dueRow(schedule)]}
      isSaved={isSaved}
    >
      <div class="row">
        <button type="button" onClick={() => setOpen(true)}>
          {words.change}
        </button>
      </div>
      {isOpen ? (
        <ChangeSchedule {...{ schedule, kept, onSaved }} onLeave={() => setOpen(false)} />
      ) : undefined}
    </SettingCard>
  );
}

function rowsOf({ every_secs: every, keep, is_stored }: Schedule): readonly SettingRow[] {
  return [
    [words.interval, every === null ? words.none : spanText(every * 1_000)],
    ...(keep === null ? [] : ([[words.kept, keep.toLocaleString(texts.locale)]] as const)),
    [words.source, is_stored ? words.stored : words.options],
  ];
}

function dueRow({ due_at: due }: Schedule): readonly SettingRow[] {
  return due === null ? [] : [[words.due, timeText(new Date(due).getTime())]];
}

function ChangeSchedule(props: {
  readonly schedule: Schedule;
  readonly kept: number;
  readonly onSaved: () => void;
  readonly onLeave: () => void;
}): JSX.Element {
  const { schedule, kept, onSaved, onLeave } = props;
  const { every_secs: every, keep, is_stored } = schedule;
  const [mode, setMode] = useState(every === null && is_stored ? 'off' : 'on');
  const setting: Setting<Schedule> = {
    shown: schedule,
    load: ({ administrator }) => administrator.snapshots.schedule(),
    rows: rowsOf,
    risk: (_present, form) => riskOf(form, kept),
    put: ({ administrator }, present, form) =>
      administrator.snapshots.setSchedule({
        ...scheduleOf(form, present),
        expectedRevision: present.revision,
      }),
  };
  return (
    <SettingDialog title={words.change} {...{ setting, onSaved, onLeave }}>
      <ChoiceField
        label={words.mode}
        name="mode"
        value={mode}
        choices={words.modes}
        onChange={setMode}
      />
      {mode === 'on' ? (
        <>
          <TextField
            label={words.minutes}
            name="every_secs"
            type="number"
            required
            value={minutesOf(every)}
            hint={words.minutesHint}
            {...MINUTES}
          />
          <TextField
            label={words.kept}
            name="keep"
            type="number"
            value={keep?.toString() ?? ''}
            hint={words.keptHint}
            min={KEPT.min}
            max={KEPT.max}
          />
        </>
      ) : undefined}
    </SettingDialog>
  );
}

function minutesOf(every: number | null): string {
  return every === null ? '' : String(Math.ceil(every / 60));
}

/** Returns what a form asks for. An interval that was left as it was keeps its seconds. */
function scheduleOf(form: SentForm, present: Schedule) {
  const { mode, every_secs: minutes } = form;
  if (mode !== 'on') return mode === 'off' ? { everySeconds: null } : {};
  const isSame = minutes === minutesOf(present.every_secs);
  return {
    everySeconds: isSame ? present.every_secs : Number(minutes) * 60,
    keep: keptBy(form),
  };
}

function keptBy({ keep }: SentForm): number {
  return keep === undefined ? KEPT.byDefault : Number(keep);
}

function riskOf(form: SentForm, kept: number): string | undefined {
  if (form['mode'] === 'off') return words.riskOff;
  const removed = form['mode'] === 'on' ? kept - keptBy(form) : 0;
  return removed > 0 ? words.riskRemoved(removed) : undefined;
}
