/** The style sheet of the pages, with the colours and the type of the console. */

/** Light and dark, and readable on a phone. */
export const STYLE = `:root {
  color-scheme: light dark;
  --text: #1c2024;
  --text-soft: #5a6169;
  --page: #fbfcfd;
  --surface: #ffffff;
  --surface-soft: #f2f4f6;
  --line: #dfe3e6;
  --line-strong: #8a9199;
  --accent: #2557c7;
  --accent-text: #ffffff;
  --danger: #b3261e;
  --danger-soft: #fceceb;
  --radius: 6px;
  font-family:
    Inter,
    system-ui,
    -apple-system,
    'Segoe UI',
    Roboto,
    'Helvetica Neue',
    'Noto Sans',
    'DejaVu Sans',
    sans-serif;
  font-size: 15px;
  line-height: 1.5;
}

@media (prefers-color-scheme: dark) {
  :root {
    --text: #e8eaed;
    --text-soft: #a3abb4;
    --page: #111417;
    --surface: #191d21;
    --surface-soft: #22272c;
    --line: #30363d;
    --line-strong: #737c86;
    --accent: #8fb2ff;
    --accent-text: #0d1b38;
      --danger: #ff9d94;
    --danger-soft: #3b1f1d;
          }
}

*,
*::before,
*::after {
  box-sizing: border-box;
}
body {
  margin: 0;
  background: var(--page);
  color: var(--text);
  overflow-wrap: anywhere;
}
main {
  display: grid;
  place-content: center;
  grid-template-columns: minmax(0, 30rem);
  min-height: 100vh;
  padding: 1.5rem 1rem;
}
.card {
  display: grid;
  gap: 1.1rem;
  padding: 2rem;
  border: 1px solid var(--line);
  border-radius: var(--radius);
  background: var(--surface);
}
.brand {
  display: flex;
  align-items: center;
  gap: 0.55rem;
  font-weight: 650;
}
.brand svg {
  width: 1.2rem;
  height: 1.2rem;
  color: var(--accent);
}
h1 {
  margin: 0;
  font-size: 1.5rem;
  line-height: 1.25;
  font-weight: 650;
  letter-spacing: -0.01em;
}
p {
  margin: 0;
}
a {
  color: var(--accent);
}
:focus-visible {
  outline: 2px solid var(--accent);
  outline-offset: 2px;
}
form,
fieldset,
.list {
  display: grid;
  gap: 0.9rem;
  min-width: 0;
}
fieldset {
  gap: 0.5rem;
  margin: 0;
  padding: 0;
  border: 0;
}
legend {
  padding: 0 0 0.35rem;
}
.field {
  display: grid;
  gap: 0.25rem;
}
.field > label,
legend,
summary {
  font-size: 0.87rem;
  font-weight: 550;
}
details > .field {
  margin-top: 0.7rem;
}
summary {
  cursor: pointer;
}
input:not([type='checkbox']),
select {
  width: 100%;
  min-width: 0;
  height: 2.35rem;
  padding: 0.4rem 0.6rem;
  border: 1px solid var(--line-strong);
  border-radius: var(--radius);
  background: var(--surface);
  color: var(--text);
  font: inherit;
}
input[type='checkbox'] {
  margin: 0.3rem 0 0;
  accent-color: var(--accent);
}
label.choice {
  display: grid;
  grid-template-columns: auto minmax(0, 1fr);
  gap: 0 0.6rem;
}
.row {
  display: flex;
  flex-wrap: wrap;
  gap: 0.6rem;
}
button,
.button {
  padding: 0.38rem 0.8rem;
  border: 1px solid var(--line-strong);
  border-radius: var(--radius);
  background: var(--surface);
  color: var(--text);
  font: inherit;
  font-weight: 500;
  line-height: 1.4;
  text-align: center;
  text-decoration: none;
  cursor: pointer;
}
button:hover,
.button:hover {
  background: var(--surface-soft);
}
button.main {
  border-color: var(--accent);
  background: var(--accent);
  color: var(--accent-text);
}
button.danger {
  justify-self: start;
  border-color: var(--danger);
  color: var(--danger);
}
code {
  font-size: 0.87em;
}
.soft {
  color: var(--text-soft);
}
.small {
  font-size: 0.87rem;
}
.problem {
  padding: 0.7rem 0.9rem;
  border-radius: var(--radius);
  background: var(--danger-soft);
  color: var(--danger);
}
.item {
  padding-top: 0.9rem;
  border-top: 1px solid var(--line);
}
@media (max-width: 560px) {
  .card {
    padding: 1.25rem;
  }
}
`;
