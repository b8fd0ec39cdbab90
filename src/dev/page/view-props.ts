import type { DevState } from '../model/dev-state.ts';
import type { SessionIndex } from './objects/session-index.ts';
import type { Route } from './route.ts';

/** What every view draws. */
export interface ViewProps {
  readonly state: DevState;
  readonly index: SessionIndex;
  readonly route: Route;
  /** The time of the cluster in milliseconds. */
  readonly now: number;
}
