import { describe, expect, test } from 'vitest';
import { type Thing, thing } from '../../test/thing.ts';
import type { ReconcileContext } from '../controller/reconciler.ts';
import { Plan } from './plan.ts';
import type { PlanStatus } from './plan-status.ts';
import { type PlanStep, parallel, phase, serial, step } from './step.ts';

const abort = new AbortController();
const context = { signal: abort.signal } as ReconcileContext;

/** Runs a plan as a process does that may end at any time: all that it keeps is what was saved. */
class Runs {
  readonly calls: string[] = [];
  readonly object = thing('a');
  status: PlanStatus | undefined;
  saves = 0;
  onSave: (() => void) | undefined;

  step(name: string, run: PlanStep<Thing>['run'] = () => {}): PlanStep<Thing> {
    return step(name, (object, given) => {
      this.calls.push(name);
      return run(object, given);
    });
  }

  run(plan: Plan<Thing>, revision?: string): ReturnType<Plan<Thing>['run']> {
    return plan.run(this.object, context, {
      status: this.status,
      revision,
      save: (status) => {
        this.onSave?.();
        this.saves += 1;
        this.status = JSON.parse(JSON.stringify(status)) as PlanStatus;
      },
    });
  }

  get states(): Record<string, string> {
    return Object.fromEntries((this.status?.steps ?? []).map(({ name, state }) => [name, state]));
  }
}

describe('a plan', () => {
  test('runs its steps in order, and then nothing more', async () => {
    const runs = new Runs();
    const plan = new Plan<Thing>([
      runs.step('a'),
      parallel(runs.step('b'), serial(runs.step('c'), runs.step('d'))),
      runs.step('e'),
    ]);
    expect(await runs.run(plan)).toMatchObject({ isComplete: true, status: { phase: 'Complete' } });
    expect([runs.calls[0], runs.calls.slice(1, 4).toSorted(), runs.calls[4]]).toEqual([
      'a',
      ['b', 'c', 'd'],
      'e',
    ]);
    const { saves } = runs;
    expect((await runs.run(plan)).isComplete).toBe(true);
    expect([runs.calls.length, runs.saves]).toEqual([5, saves]);
  });

  test('names its phases, whose steps run one after another', async () => {
    const runs = new Runs();
    const plan = new Plan<Thing>([
      phase('data', runs.step('stop'), parallel(phase('files', runs.step('copy')), runs.step('copy'))),
      phase(
        'web',
        runs.step('stop', () => ({ requeueAfter: '1s' })),
        runs.step('start'),
      ),
    ]);
    await runs.run(plan);
    expect(runs.states).toEqual({
      'data/stop': 'Complete',
      'data/files/copy': 'Complete',
      'data/copy': 'Complete',
      'web/stop': 'Running',
      'web/start': 'Pending',
    });
    expect(() => new Plan<Thing>([phase('a', runs.step('b'), runs.step('b'))])).toThrow(
      'Two steps of the plan are named a/b',
    );
  });

  test('waits for a step that is not done, and resumes at the earliest requested time', async () => {
    const runs = new Runs();
    let isDone = false;
    const later = (requeueAfter?: '1s' | '2s') => () => (isDone ? undefined : { requeueAfter });
    const plan = new Plan<Thing>([
      parallel(runs.step('a', later('2s')), runs.step('b', later('1s')), runs.step('c', later())),
      runs.step('d'),
    ]);
    expect(await runs.run(plan)).toMatchObject({ isComplete: false, requeueAfter: 1000 });
    expect(runs.status?.phase).toBe('Running');
    expect(runs.states).toEqual({ a: 'Running', b: 'Running', c: 'Running', d: 'Pending' });
    isDone = true;
    expect((await runs.run(plan)).isComplete).toBe(true);
    expect(runs.calls).toEqual(['a', 'b', 'c', 'a', 'b', 'c', 'd']);
  });

  test('a delay of 0 does not count: the step waits for a change, and does not hide another delay', async () => {
    const runs = new Runs();
    const wait = (requeueAfter: '0s' | '5s') => () => ({ requeueAfter });
    const plan = new Plan<Thing>([parallel(runs.step('a', wait('0s')), runs.step('b', wait('5s')))]);
    expect(await runs.run(plan)).toMatchObject({ isComplete: false, requeueAfter: 5000 });
  });

  test('continues when a new version of the operator has other steps', async () => {
    const runs = new Runs();
    await runs.run(new Plan<Thing>([runs.step('a'), runs.step('old')]));
    await runs.run(new Plan<Thing>([runs.step('a'), runs.step('new')]));
    expect(runs.calls).toEqual(['a', 'old', 'new']);
    expect(runs.states).toEqual({ a: 'Complete', new: 'Complete' });
  });

  test('continues after a failure with the failed step, in another process', async () => {
    const runs = new Runs();
    const failure = new Error('the database is away');
    let isFailing = true;
    const plan = (): Plan<Thing> =>
      new Plan<Thing>([
        runs.step('a'),
        parallel(
          runs.step('b', () => {
            if (isFailing) throw failure;
          }),
          runs.step('c'),
        ),
        runs.step('d'),
      ]);
    await expect(runs.run(plan())).rejects.toBe(failure);
    expect(runs.status).toMatchObject({
      phase: 'Failed',
      steps: [
        { name: 'a', state: 'Complete' },
        { name: 'b', state: 'Failed', message: 'the database is away' },
        { name: 'c', state: 'Complete' },
        { name: 'd', state: 'Pending' },
      ],
    });
    isFailing = false;
    expect((await runs.run(plan())).isComplete).toBe(true);
    expect(runs.calls).toEqual(['a', 'b', 'c', 'b', 'd']);
    expect(runs.status?.steps[1]).toEqual({ name: 'b', state: 'Complete' });
  });

  test('several failures are reported together', async () => {
    const runs = new Runs();
    const fail = (message: string) => (): never => {
      throw new Error(message);
    };
    const plan = new Plan<Thing>([parallel(runs.step('a', fail('one')), runs.step('b', fail('two')))]);
    await expect(runs.run(plan)).rejects.toThrow('2 failures: one; two');
  });

  test('a step does not start before the completion of the one that it needs is saved', async () => {
    const runs = new Runs();
    const plan = new Plan<Thing>([runs.step('a'), runs.step('b')]);
    runs.onSave = () => {
      throw new Error('the process was killed');
    };
    await expect(runs.run(plan)).rejects.toThrow('the process was killed');
    expect(runs.calls).toEqual(['a']);
    runs.onSave = undefined;
    await runs.run(plan);
    expect(runs.calls).toEqual(['a', 'a', 'b']);
  });

  test('starts over for another revision, which is the generation by default', async () => {
    const runs = new Runs();
    const plan = new Plan<Thing>([runs.step('a')]);
    runs.object.metadata.generation = 1;
    await runs.run(plan);
    await runs.run(plan);
    runs.object.metadata.generation = 2;
    await runs.run(plan);
    expect([runs.calls, runs.status?.revision]).toEqual([['a', 'a'], '2']);
    await runs.run(plan, 'v1.2');
    await runs.run(plan, 'v1.2');
    expect([runs.calls, runs.status?.revision]).toEqual([['a', 'a', 'a'], 'v1.2']);
  });

  test('an empty stage does not block the plan', async () => {
    const runs = new Runs();
    const plan = new Plan<Thing>([runs.step('a'), parallel(), serial(), runs.step('b')]);
    await runs.run(plan);
    expect(runs.calls).toEqual(['a', 'b']);
  });

  test('two steps with the same name are refused', () => {
    const runs = new Runs();
    expect(() => new Plan<Thing>([runs.step('a'), serial(parallel(runs.step('a')))])).toThrow(
      'Two steps of the plan are named a',
    );
  });

  test('starts nothing after the manager stops', async () => {
    const runs = new Runs();
    const stop = new AbortController();
    const plan = new Plan<Thing>([runs.step('a', () => stop.abort(new Error('stopping'))), runs.step('b')]);
    const save = (status: PlanStatus): void => {
      runs.status = status;
    };
    const options = { status: undefined, save };
    const running = plan.run(runs.object, { ...context, signal: stop.signal }, options);
    await expect(running).rejects.toThrow('stopping');
    expect(runs.states).toEqual({ a: 'Complete', b: 'Pending' });
  });
});
