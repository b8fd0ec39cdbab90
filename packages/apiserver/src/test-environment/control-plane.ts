import type { Connection } from './connection.ts';

/** A running API server, embedded or real. */
export interface ControlPlane {
  readonly connection: Connection;
  /** Stops it and removes all that it has written. */
  stop(): Promise<void>;
}
