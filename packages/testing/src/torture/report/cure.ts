import type { Pattern } from './torture-report.ts';

/** What usually helps, and where the documentation says more. */
export interface Cure {
  readonly cure: string;
  readonly link: string;
}

const page = 'docs/runtime/patterns.md';

const crash: Cure = {
  cure: 'Decide from what is in the cluster now, for each object on its own, and not from whether an earlier step was done or from memory.',
  link: `${page}#between-two-writes`,
};
const staleView: Cure = {
  cure: 'A cache is always behind. Compare UIDs before you delete, delete with preconditions, and read from the API server what a deletion depends on.',
  link: `${page}#what-the-cache-does-not-know-yet`,
};

const byPattern: Readonly<Record<Pattern, Cure>> = {
  undisturbed: {
    cure: 'Write only what differs from the desired state, and keep what the server sets.',
    link: `${page}#apply-the-desired-state`,
  },
  crash,
  'refused request': crash,
  'stale view': staleView,
  'second replica': staleView,
  'missed state': {
    cure: 'Do not wait for a state to pass by: compare what is there with what should be there, in every reconcile.',
    link: `${page}#states-that-pass-unseen`,
  },
  order: {
    cure: 'Do not rely on the order in which events arrive, or on each arriving once.',
    link: `${page}#states-that-pass-unseen`,
  },
  'changed spec': {
    cure: 'Apply the whole desired state, so that fields that users remove disappear from the children, too.',
    link: `${page}#apply-the-desired-state`,
  },
  deletion: {
    cure: 'Find children by the UID of their owner: an object with the same name may be another one.',
    link: `${page}#what-the-cache-does-not-know-yet`,
  },
  'edit by hand': {
    cure: 'Watch the children with owns(), and apply the whole desired state in every reconcile.',
    link: `${page}#apply-the-desired-state`,
  },
  'failing workload': {
    cure: 'Apply the desired state first, and wait for readiness afterwards: what is broken may need the change.',
    link: `${page}#waiting`,
  },
};

/** Oracles whose findings have one cure, whatever the plan. */
const byOracle: Readonly<Record<string, Cure>> = {
  rights: {
    cure: 'Add the right to the @rbac tags of the controller, and run `ots manifests`.',
    link: 'docs/manifests.md',
  },
  errors: {
    cure: 'Check what users may leave out, and report what is wrong in a condition instead of throwing.',
    link: `${page}#user-input`,
  },
  identity: {
    cure: 'Pass the object that you read to client.delete, not its name, and compare the UID of its owner before: names can be taken again.',
    link: `${page}#what-the-cache-does-not-know-yet`,
  },
  status: {
    cure: 'Set status.observedGeneration in every reconcile that succeeds, also if nothing else changed.',
    link: `${page}#conditions`,
  },
  'leaves nothing': {
    cure: 'After dropFinalizer return at once: the object is gone, and what is made for it stays.',
    link: `${page}#finalizers`,
  },
  'rolls back': {
    cure: 'Apply the desired state before you wait for anything: a user must be able to take a bad change back.',
    link: `${page}#waiting`,
  },
};

export function cureOf(pattern: Pattern, oracle: string): Cure {
  return byOracle[oracle] ?? byPattern[pattern];
}
