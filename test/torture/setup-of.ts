import type { TortureSetup } from 'ots-testing';
import type { Subject, Variant } from './subject.ts';

/** A subject as an author would describe it to `torture`. */
export function setupOf(subject: Subject, variant: Variant): TortureSetup {
  const { definition, object, changes, workloads = false } = subject;
  return {
    environment: { objects: [definition], workloads },
    identity: { user: 'operator', groups: ['system:masters'] },
    start: (connection, { leaderElection }) => subject.start(connection, variant, leaderElection),
    leaderElection: { id: 'operator', namespace: 'default' },
    object,
    changes,
  };
}
