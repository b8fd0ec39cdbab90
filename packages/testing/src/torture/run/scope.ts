import type { TortureRun } from './torture-run.ts';

/** Which objects belong to an operator, and what of them. */
export interface Scope {
  /** Paths of all objects of a resource, such as `/apis/apps/v1/deployments`. */
  readonly collections: ReadonlySet<string>;
  /** Those whose status the operator writes. */
  readonly withStatus: ReadonlySet<string>;
  /**
   * What is compared of PersistentVolumeClaims, which mostly belong to StatefulSets: all of them if the operator writes them, whether
   * they are there if it deletes them, and else nothing that depends on the way: what a StatefulSet keeps of its past is not its work.
   */
  readonly claims: 'content' | 'presence' | 'of the same way';
}

const claims = '/api/v1/persistentvolumeclaims';

/** What a run has shown to belong to the operator. */
export function scopeOf({ parent, writes }: TortureRun): Scope {
  const root = parent.apiVersion.includes('/') ? '/apis/' : '/api/';
  const statuses = writes.filter(({ observed }) => /\/status(?:\.|$)/.test(observed.resource));
  const verbs = new Set(
    writes.filter(({ observed }) => observed.collection === claims).map(({ observed }) => observed.verb),
  );
  const deletes = verbs.delete('delete') || verbs.delete('deletecollection');
  return {
    collections: new Set([
      `${root}${parent.apiVersion}/${parent.plural}`,
      ...writes.map(({ observed }) => observed.collection),
      claims,
    ]),
    withStatus: new Set(statuses.map(({ observed }) => observed.collection)),
    claims: verbs.size > 0 ? 'content' : deletes ? 'presence' : 'of the same way',
  };
}
