import type { ClusterState } from '../convergence/cluster-state.ts';
import { differences } from '../convergence/differences.ts';
import type { TortureRun } from './torture-run.ts';

/** Where to look. */
export interface Scope {
  /** Paths of all objects of a resource, such as `/apis/apps/v1/deployments`. */
  readonly collections: ReadonlySet<string>;
  /** Those whose status the operator writes. */
  readonly withStatus: ReadonlySet<string>;
  /** Whether the operator writes claims: those of others only have to be there. */
  readonly comparesClaims: boolean;
}

/** What is in the cluster at the end of a step. */
export interface Stage {
  readonly state: ClusterState;
  /** What the operator wrote in the ten minutes after it had done everything, such as `patch pages/status.example.com default/home`. */
  readonly writesAtRest: readonly string[];
}

/** When to look whether a run has come to the same end as the reference, in virtual milliseconds since the last look: often at first, as
 * most operators need no time, and for eleven minutes in all. */
const looks = [0, 1000, 2000, 4000, 8000, 15_000, ...Array.from({ length: 21 }, () => 30_000)];
/** How long to watch for writes at rest, in virtual milliseconds. */
const restMs = 10 * 60_000;

/** Claims are data: it counts which of them there are, even if the operator never writes them. */
const claims = '/api/v1/persistentvolumeclaims';

/** What a run has shown to belong to the operator. */
export function scopeOf({ parent, writes }: TortureRun): Scope {
  const root = parent.apiVersion.includes('/') ? '/apis/' : '/api/';
  const statuses = writes.filter(({ observed }) => /\/status(?:\.|$)/.test(observed.resource));
  return {
    collections: new Set([
      `${root}${parent.apiVersion}/${parent.plural}`,
      ...writes.map(({ observed }) => observed.collection),
      claims,
    ]),
    withStatus: new Set(statuses.map(({ observed }) => observed.collection)),
    comparesClaims: writes.some(
      ({ observed }) => observed.collection === claims && observed.verb !== 'delete',
    ),
  };
}

/** Looks at the end of a step, and then whether the operator is at rest. */
export async function observeStage(run: TortureRun, scope: Scope): Promise<Stage> {
  const state = await run.state(scope);
  const before = run.effects.length;
  await run.advance(restMs);
  const writesAtRest = run.effects
    .slice(before)
    .map(
      ({ verb, resource, namespace, name }) => `${verb} ${resource} ${namespace && `${namespace}/`}${name}`,
    );
  return { state, writesAtRest };
}

/**
 * Moves time until a cluster is in a state and nothing is held back any more, but not further.
 *
 * @returns what still differs after eleven minutes
 */
export async function differencesTo(
  run: TortureRun,
  expected: ClusterState,
  scope: Scope,
): Promise<string[]> {
  let found: string[] = [];
  for (const milliseconds of looks) {
    await run.advance(milliseconds);
    if (run.isBusy) continue;
    found = differences(await run.state(scope), expected);
    if (found.length === 0) return [];
  }
  return found.length > 0 || !run.isBusy ? found : ['the object is still being deleted'];
}
