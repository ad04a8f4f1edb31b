/** A card with a setting: what it says now, and the buttons that change it. */
import type { ComponentChildren, JSX } from 'preact';
import { texts } from '../texts/en/english.js';
import type { SettingRow } from './setting-dialog.js';

/** Shows the setting. It says once that a change is stored, when `rows` show the change. */
export function SettingCard(props: {
  readonly title: string;
  readonly about: string;
  readonly rows: readonly SettingRow[];
  readonly isSaved: boolean;
  readonly children?: ComponentChildren;
}): JSX.Element {
  const { title, about, rows, isSaved, children } = props;
  return (
    <section class="card" aria-label={title}>
      <div>
        <h2>{title}</h2>
        <p class="soft">{about}</p>
      </div>
      <dl class="facts">
        {rows.map(([label, text]) => (
          <>
            <dt>{label}</dt>
            <dd>{text}</dd>
          </>
        ))}
      </dl>
      <p role="status">{isSaved ? texts.settings.saved : ''}</p>
      {children}
    </section>
  );
}
