/** The port that wakes the deliveries of webhooks. */
import { Port } from '../../kernel/ports/port.js';

/** Delivers due messages of webhooks, in the background. */
export const deliverWebhooks = new Port<() => void>('deliverWebhooks');
