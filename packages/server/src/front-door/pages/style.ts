/** The style sheet of the pages. */

/** Light and dark, and readable on a phone. */
export const STYLE = `:root {
  color-scheme: light dark;
  font: 1rem/1.5 system-ui, sans-serif;
}
body {
  margin: 0;
}
main {
  box-sizing: border-box;
  max-width: 34rem;
  margin: 3rem auto;
  padding: 0 1rem;
}
h1 {
  font-size: 1.4rem;
}
label,
fieldset {
  display: block;
  margin: 0 0 1rem;
}
input:not([type='checkbox']),
select {
  box-sizing: border-box;
  display: block;
  width: 100%;
  padding: 0.5rem;
  font: inherit;
}
label.choice {
  margin: 0.25rem 0;
}
button {
  padding: 0.5rem 1.25rem;
  margin-right: 0.5rem;
  font: inherit;
}
code {
  overflow-wrap: anywhere;
}
.problem {
  padding: 0.5rem 1rem;
  border-left: 4px solid #c0392b;
}
.hint {
  opacity: 0.8;
  font-size: 0.9rem;
}
`;
