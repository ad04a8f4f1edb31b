/**
 * Review in the chat (MCP Apps, SEP-1865): the page that a host shows beside what `memory_review`
 * answers. It calls the same tools as a model does, as the same caller.
 */
import { reviewScript } from './review-script.js';
import type { ServedView } from './served-view.js';

const style = `
:root { color-scheme: light dark; font: 14px/1.5 var(--font-sans, system-ui, sans-serif);
  color: var(--color-text-primary, light-dark(#1c1c1c, #f2f2f2));
  background: var(--color-background-primary, light-dark(#fff, #1c1c1c)); }
body { margin: 0; padding: 12px; overflow-wrap: anywhere; }
h1 { font-size: 16px; margin: 0 0 8px; } h2 { font-size: 14px; margin: 12px 0 4px; }
details, .done { border-top: 1px solid var(--color-border-primary, #8886); margin: 0;
  padding: 8px 0; }
summary { cursor: pointer; font-weight: 600; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: start; vertical-align: top; padding: 2px 8px 2px 0; white-space: pre-wrap; }
th { font-weight: 400; opacity: 0.75; }
del { color: var(--color-text-danger, light-dark(#a1260d, #ff9c8a)); }
ins { color: var(--color-text-success, light-dark(#0b6b2f, #7fd89c)); text-decoration: none; }
.bad { color: var(--color-text-danger, light-dark(#a1260d, #ff9c8a)); }
.row { display: flex; flex-wrap: wrap; gap: 8px; margin: 8px 0; }
button, input, textarea { font: inherit; color: inherit; background: transparent; padding: 4px 10px;
  border: 1px solid var(--color-border-primary, #888); border-radius: 6px; }
textarea { box-sizing: border-box; display: block; width: 100%; margin: 8px 0; }
button { cursor: pointer; }
`;

const html = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Review</title><style>${style}</style></head>
<body><main><h1>Waiting for review</h1><p id="said" role="status"></p><div id="proposals"></div></main>
<script>${reviewScript}</script></body>
</html>
`;

/** The view of waiting proposals. */
export const reviewView: ServedView = {
  uri: 'ui://agentkeep/review',
  name: 'review',
  title: 'Review',
  description: 'Proposals that wait: what each changes, to accept, correct or forget.',
  capability: 'memory_review',
  html,
};
