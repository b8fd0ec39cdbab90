/** What a person can do to a session: the body of `POST api/actions`. */
export type DevAction =
  | { readonly action: 'restart' | 'crash' | 'apply-samples' }
  /** Holds all reconciles, or those of one object. */
  | ({ readonly action: 'pause' | 'resume' } & Partial<ReconciledObject>)
  /** Lets the next held reconcile run, or that of one object. */
  | ({ readonly action: 'step' } & Partial<ReconciledObject>)
  /** Moves the cluster's time. */
  | { readonly action: 'advance'; readonly seconds: number }
  /** Breaks a pod: its containers crash, or the kubelet evicts it. */
  | { readonly action: 'fail-pod' | 'evict-pod'; readonly namespace: string; readonly name: string }
  /** Answers the next update or patch of the operator with 409 Conflict. */
  | { readonly action: 'conflict' }
  | { readonly action: 'snapshot' }
  | { readonly action: 'restore'; readonly snapshot: string };

/** An object in the queue of a controller. */
export interface ReconciledObject {
  readonly controller: string;
  /** Absent for an object of the cluster. */
  readonly namespace?: string;
  readonly name: string;
}
