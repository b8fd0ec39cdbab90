import { RuntimeError } from '../errors/runtime-error.ts';

/** A request or a program names a cluster that is not there, or not any more. */
export class UnknownClusterError extends RuntimeError {
  /** Stable; to branch on. */
  readonly code = 'CLUSTER_UNKNOWN';

  /** @param name that of the cluster */
  constructor(name: string) {
    super(
      `There is no cluster ${JSON.stringify(name)}`,
      'Its provider does not name it now. In a reconcile, pass request.cluster.',
    );
  }
}

/** A cluster has left. The reason with which the signals of its reconciles abort. */
export class ClusterLeftError extends RuntimeError {
  /** Stable; to branch on. */
  readonly code = 'CLUSTER_LEFT';

  /** @param name that of the cluster */
  constructor(name: string) {
    super(
      `The cluster ${JSON.stringify(name)} has left`,
      'Its provider no longer names it, or names another server.',
    );
  }
}
