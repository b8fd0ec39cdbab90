import type { Client, DeepReadonly, UnstructuredObject } from 'ots-runtime';
import type { TestEnvironment } from '../../environment/test-environment.ts';

/** What an oracle looks at: the cluster at the end of a plan, when nothing more happens. */
export interface World {
  /** Of the administrator. */
  readonly client: Client;
  readonly environment: TestEnvironment;
  /** The object that the operator reconciles; undefined when it is gone. */
  readonly object: DeepReadonly<UnstructuredObject> | undefined;
  /** What the operator wrote, such as `patch deployments.apps default/web`. */
  readonly writes: readonly string[];
  /** What the operator asked for, other than Leases, in order. */
  readonly requests: readonly WorldRequest[];
}

/** A request of the operator. */
export interface WorldRequest {
  /** What happened to the object before, such as `is created`; `starts` for what the operator did before that. */
  readonly step: string;
  /** As RBAC sees it, such as `list`. */
  readonly verb: string;
  /** Such as `deployments.apps`, or the path of what is not a resource. */
  readonly resource: string;
}

/** Decides whether a run went well. */
export interface Oracle {
  /** Such as `backups stay`. */
  readonly name: string;
  /** @returns what is wrong, one line each; nothing if all is well */
  check(world: World): Promise<readonly string[]> | readonly string[];
  /** The same when workloads have failed for two minutes, in the plans in which they do. Default: nothing. */
  checkWhileFailing?(world: World): Promise<readonly string[]> | readonly string[];
}
