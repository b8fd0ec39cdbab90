/** One write that the server accepted from a client, or that one of its own controllers made. */
export interface TracedWrite {
  /** Who wrote. */
  readonly user: string;
  /** Such as `create` or `patch`. */
  readonly verb: string;
  /** Such as `deployments.apps` or `pods/status`. */
  readonly resource: string;
  /** Empty for what has none. */
  readonly namespace: string;
  readonly name: string;
  /** That of the stored object. Empty if the response has none. */
  readonly resourceVersion: string;
  /** The time of the cluster, in milliseconds since 1970. */
  readonly time: number;
}
