import type { PlacedWrite } from './placed-write.ts';
import type { TortureRun } from './torture-run.ts';

/** Which objects belong to an operator, and what of them. */
export interface Scope {
  /** Paths of all objects of a resource, such as `/apis/apps/v1/deployments`. */
  readonly collections: ReadonlySet<string>;
  /** Those whose status the operator writes. */
  readonly withStatus: ReadonlySet<string>;
  /**
   * What is compared of PersistentVolumeClaims, which mostly belong to StatefulSets: all of them if the operator writes them; whether they
   * are there if it deletes them while its object stays; and else whether they are there if the same was done to the object before: what
   * a StatefulSet keeps of its past is not the work of the operator.
   */
  readonly claims: 'content' | 'presence' | 'of the same way';
}

const claims = '/api/v1/persistentvolumeclaims';

/**
 * What a run has shown to belong to the operator.
 *
 * @param staysAfter whether the object is still there at the end of a step
 */
export function scopeOf({ parent, writes }: TortureRun, staysAfter: (step: number) => boolean): Scope {
  const root = parent.apiVersion.includes('/') ? '/apis/' : '/api/';
  const statuses = writes.filter(({ observed }) => /\/status(?:\.|$)/.test(observed.resource));
  const ofClaims = writes.filter(({ observed }) => observed.collection === claims);
  const deletes = ofClaims.some((write) => isDeletion(write) && staysAfter(write.step));
  return {
    collections: new Set([
      `${root}${parent.apiVersion}/${parent.plural}`,
      ...writes.map(({ observed }) => observed.collection),
      claims,
    ]),
    withStatus: new Set(statuses.map(({ observed }) => observed.collection)),
    claims: ofClaims.some((write) => !isDeletion(write))
      ? 'content'
      : deletes
        ? 'presence'
        : 'of the same way',
  };
}

/** @param name as in a `ClusterState` */
export function isClaim(name: string): boolean {
  return name.startsWith('persistentvolumeclaims ');
}

function isDeletion({ observed }: PlacedWrite): boolean {
  return observed.verb.startsWith('delete');
}
