/** Starts the console in the page. */
import { render } from 'preact';
import { App } from './app.js';
import { followSession } from './live/changes.js';
import { forgetPlaces } from './routing/kept.js';
import { followHistory, takeFragment } from './routing/router.js';
import { resume, session } from './session/session.js';
import { startTheme } from './session/theme.js';
import { startLanguage } from './texts/language.js';
import './styles/all.css';

const page = document.getElementById('console');
if (page !== null) {
  // The link works once, so it leaves the address before anything else is done.
  const link = takeFragment('link');
  followHistory();
  followSession();
  session.subscribe(({ kind }) => {
    if (kind !== 'open') forgetPlaces();
  });
  startTheme();
  // Without its texts the page is in English.
  await startLanguage().catch(() => undefined);
  render(<App />, page);
  void resume(link);
  // A link that is opened in a page that is already there changes the fragment only.
  addEventListener('hashchange', () => {
    const next = takeFragment('link');
    if (next !== undefined) void resume(next);
  });
}
