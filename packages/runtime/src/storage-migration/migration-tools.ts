import type { Clock } from 'ots-apimachinery/clock/clock';
import type { Client } from '../client/client.ts';
import type { Pace } from './pace.ts';

/** What every step of a migration works with. */
export interface MigrationTools {
  /** Reads from the server. */
  readonly client: Client;
  readonly clock: Clock;
  readonly pace: Pace;
  readonly signal: AbortSignal | undefined;
}
