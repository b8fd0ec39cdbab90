import type { DeepReadonly, JsonPatchOperation, UnstructuredObject } from 'ots-runtime';
import type { ClusterState } from '../../convergence/cluster-state.ts';
import { childrenOf, editsOf } from '../../convergence/edit-by-hand.ts';
import { describeWrite } from '../../convergence/observed-write.ts';
import type { TestEnvironment } from '../../environment/test-environment.ts';
import type { Child } from '../plans/plan.ts';
import type { PlacedWrite, SeenEvent } from '../run/placed-write.ts';
import type { TortureRun } from '../run/torture-run.ts';
import type { Scope } from '../run/scope.ts';
import { type Counts, countsOf } from './counts.ts';

/** How long to watch for writes at rest, in virtual milliseconds. */
const restMs = 10 * 60_000;

/** What an undisturbed operator makes of a step. */
export interface Stage {
  /** The cluster before the step. */
  readonly before: ReturnType<TestEnvironment['snapshot']>;
  /** At the end. */
  readonly state: ClusterState;
  /** The object at the end; undefined when it is gone. */
  readonly parent: DeepReadonly<UnstructuredObject> | undefined;
  readonly writes: readonly PlacedWrite[];
  /** The writes that changed something. */
  readonly effective: readonly PlacedWrite[];
  /**
   * The effective writes before which something happened that the operator did not do: the user's act, a write of another client, or time
   * that passed. Before all others, the cluster is as after the write before.
   */
  readonly awaited: readonly PlacedWrite[];
  /** What the operator saw. */
  readonly events: readonly SeenEvent[];
  readonly counts: Counts;
  /** What the operator created and that is there at the end, and edits of the fields that it owns. */
  readonly children: readonly EditableChild[];
  /** What the operator wrote in ten minutes at rest, such as `patch pages/status.example.com default/home`. Empty if it got none. */
  readonly writesAtRest: readonly string[];
}

/** An object that the operator created, and how a user could edit it. */
interface EditableChild {
  readonly child: Child;
  readonly patch: readonly JsonPatchOperation[];
}

/** What to look at. */
interface Look {
  readonly scope: Scope;
  readonly children: boolean;
  /** Whether the operator is at rest when it has done everything, which costs more than all else. */
  readonly rest: boolean;
}

/** Performs a step, and looks at its end. */
export async function observeStage(run: TortureRun, index: number, look: Look): Promise<Stage> {
  const { scope } = look;
  const before = run.environment.snapshot();
  const known = run.effects.length;
  await run.perform(index);
  const state = run.state(scope);
  const parent = await run.client.get(run.parent, run.key);
  const counts = countsOf(run, index);
  const done = run.effects.length;
  const writes = run.writes.filter(({ step }) => step === index);
  const changes = new Set(run.effects.slice(known, done));
  const effective = writes.filter(({ traced, observed }) => {
    const own = run.environment.trace
      .slice(traced)
      .find(
        ({ user, verb, resource }) =>
          user === run.user && verb === observed.verb && resource === observed.resource,
      );
    return own !== undefined && changes.has(own);
  });
  const awaited = effective.filter((write, at) => isAwaited(run, effective[at - 1], write));
  const events = run.events.filter(({ step }) => step === index);
  const children = look.children ? await editableChildren(run) : [];
  if (look.rest) await run.advance(restMs);
  return {
    before,
    state,
    parent,
    writes,
    effective,
    awaited,
    events,
    counts,
    children,
    writesAtRest: run.effects.slice(done).map(describeWrite),
  };
}

/** Whether something else happened between two writes of the operator. */
function isAwaited(
  { environment, user }: TortureRun,
  before: PlacedWrite | undefined,
  write: PlacedWrite,
): boolean {
  if (!before) return true;
  const between = environment.trace.slice(before.traced, write.traced);
  return before.time !== write.time || between.some((each) => each.user !== user);
}

async function editableChildren(run: TortureRun): Promise<EditableChild[]> {
  const editable: EditableChild[] = [];
  for (const created of await childrenOf(run)) {
    const { apiVersion, kind } = created.kind;
    const { name, namespace } = created.key;
    const child = { apiVersion, kind, ...(namespace !== undefined && { namespace }), name };
    if (!run.isSpared(created.object)) editable.push({ child, patch: await editsOf(run, created) });
  }
  return editable;
}
