import { forbidden, rulesOfManager } from './check-rbac.ts';
import type { Manifest } from './manifest.ts';
import { containersOf, podsOf } from './pods.ts';

const leaseGroup = 'coordination.k8s.io';

/**
 * The replicas elect a leader and have the rights to: for one lease, and no other.
 *
 * @param id the name of the lease, as the program says it
 */
export function checkElection(all: readonly Manifest[], id: string): string[] {
  const rules = rulesOfManager(all, 'RoleBinding');
  const wanted = [
    { group: leaseGroup, plural: 'leases', verbs: ['create'] },
    { group: leaseGroup, plural: 'leases', name: id, verbs: ['get', 'update'] },
    { group: 'events.k8s.io', plural: 'events', verbs: ['create', 'patch'] },
  ];
  const missing = wanted.flatMap((requests) =>
    forbidden(rules, requests).map(
      (verb) => `the manager may not ${verb} ${requests.plural} ${requests.name ?? ''}`,
    ),
  );
  const others = forbidden(rules, {
    group: leaseGroup,
    plural: 'leases',
    name: 'other',
    verbs: ['get', 'update'],
  });
  const silent = podsOf(all).filter(({ spec }) =>
    containersOf(spec).every(({ args = [] }) => !args.includes('--leader-elect')),
  );
  return [
    ...missing,
    ...(others.length === 2 ? [] : ['the manager has rights for the leases of others']),
    ...silent.map(({ owner }) => `${owner} elects no leader`),
  ];
}
