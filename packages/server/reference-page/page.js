/** Shows the contract of the server that this page comes from, in the colours of the system. */
const darkColours = matchMedia('(prefers-color-scheme: dark)');

function chooseColours() {
  document.documentElement.classList.toggle('dark-mode', darkColours.matches);
}

darkColours.addEventListener('change', chooseColours);
chooseColours();

SwaggerUIBundle({
  dom_id: '#reference',
  url: 'openapi.json',
  // A link to an operation opens it.
  deepLinking: true,
  displayOperationId: true,
  docExpansion: 'list',
  filter: true,
  defaultModelExpandDepth: 3,
  // The operations show the schemas too; the list of all of them is long.
  defaultModelsExpandDepth: 0,
  // What is asked with a secret holds it in memory only, until the page is left.
  persistAuthorization: false,
  queryConfigEnabled: false,
  // No service elsewhere is asked whether the document is valid.
  validatorUrl: null,
});
