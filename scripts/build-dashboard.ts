/** Prints the dashboard for Grafana as JSON: `npm run -s dashboard:build > dashboard.json`. */
import { dashboard } from './watch/dashboard.ts';

console.log(JSON.stringify(dashboard(), null, 2));
