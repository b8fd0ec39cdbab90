/** What becomes of the objects that a deleted one owns. */
export type PropagationPolicy = 'Foreground' | 'Background' | 'Orphan';

/** How a deletion is to be done. */
export interface DeleteOptions {
  dryRun: boolean;
  propagationPolicy?: PropagationPolicy;
  /** The predecessor of the policy. Never given together with it. */
  orphanDependents?: boolean;
  /** How long a pod has to end. Not negative. */
  gracePeriodSeconds?: number;
  preconditions: { uid?: string; resourceVersion?: string };
}
