import type { Client } from 'ots-runtime';
import type { TestEnvironment } from '../../environment/test-environment.ts';

/** What an oracle looks at: the cluster at the end of a plan, when nothing more happens. */
export interface World {
  /** Of the administrator. */
  readonly client: Client;
  readonly environment: TestEnvironment;
  /** What the operator wrote, such as `patch deployments.apps default/web`. */
  readonly writes: readonly string[];
}

/** Decides whether a run went well. */
export interface Oracle {
  /** Such as `backups stay`. */
  readonly name: string;
  /** @returns what is wrong, one line each; nothing if all is well */
  check(world: World): Promise<readonly string[]> | readonly string[];
}
