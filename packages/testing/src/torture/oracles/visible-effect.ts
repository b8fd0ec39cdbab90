import type { ClusterState } from '../../convergence/cluster-state.ts';
import { differences } from '../../convergence/differences.ts';
import type { TortureRun } from '../run/torture-run.ts';

/** Whether a change of the spec is visible elsewhere: in other objects, or in the status of the object. */
export function isVisible({ parent, key }: TortureRun, before: ClusterState, after: ClusterState): boolean {
  const [group] = parent.apiVersion.split('/');
  const name = `${parent.plural}.${group} ${key.namespace === undefined ? '' : `${key.namespace}/`}${key.name}`;
  const elsewhere = (state: ClusterState): ClusterState => ({
    ...state,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an object, unless `comparable` makes something else of it
    [name]: (state[name] as { status?: unknown } | undefined)?.status,
  });
  return differences(elsewhere(after), elsewhere(before)).length > 0;
}
