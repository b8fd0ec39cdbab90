import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import type { DevState, ObjectState, ReconcileState } from '../../src/dev/model/dev-state.ts';
import { DevProcess } from '../support/dev-process.ts';
import { DevProject } from '../support/dev-project.ts';
import { addField, breakField, pasteRule, removeRule, throwOnImport } from '../support/memcached-edits.ts';

const objectsOf = (state: DevState, kind: string): ObjectState[] =>
  Object.values(state.objects).filter((object) => object.kind === kind && !object.isGone);
const isReady = ({ conditions }: ObjectState) =>
  conditions.some(({ type, status }) => type === 'Available' && status === 'True');
const finished = ({ reconciles }: DevState): ReconcileState[] =>
  reconciles.filter(({ result }) => result?.outcome === 'done');

test(
  'an author changes types, breaks the code, fixes it, removes a rule, and breaks a pod',
  { timeout: 300_000 },
  async () => {
    const project = new DevProject('memcached');
    const dev = new DevProcess(project.directory);

    // The sample is applied, reconciled, and its pods run.
    const ready = await dev.until('the sample is available', (state) =>
      objectsOf(state, 'Memcached').find(isReady),
    );
    expect(ready.columns.map(({ name }) => name)).toContain('Available');
    expect(dev.state.operator).toMatchObject({ phase: 'running', starts: 1 });
    const pods = await dev.until(
      'its pods',
      (state) => objectsOf(state, 'Pod').length > 0 && objectsOf(state, 'Pod'),
    );
    const [deployment] = objectsOf(dev.state, 'Deployment');
    expect(deployment?.owners).toEqual([ready.uid]);
    const reasons = dev.state.reconciles.flatMap((reconcile) => reconcile.reasons);
    expect(reasons.some((reason) => reason.startsWith('Memcached default/memcached-sample created'))).toBe(
      true,
    );
    expect(
      reasons.some((reason) => /^Deployment default\/memcached-sample updated: .*status/.test(reason)),
    ).toBe(true);
    const verbs = dev.state.reconciles.flatMap(({ requests }) =>
      requests.map(({ verb, from }) => `${verb} ${from}`),
    );
    expect(verbs).toEqual(expect.arrayContaining(['get cache', 'apply server', 'patch server']));
    expect(dev.state.queues).toMatchObject([{ controller: 'memcached', kind: 'Memcached' }]);
    await dev.until('the reconcile of an event', ({ events, reconciles }) => {
      const event = events.find(({ reason }) => reason === 'AllPodsAvailable');
      return event && reconciles.find((reconcile) => reconcile.events.includes(event.name));
    });
    expect(parse(project.read('node_modules/.cache/ots-dev/kubeconfig'))).toMatchObject({
      clusters: [{ cluster: { server: dev.state.cluster.url } }],
    });

    // A change of the types changes the definition, and the operator starts again.
    project.edit(addField);
    await dev.until(
      'the second start',
      ({ operator }) => operator.starts === 2 && operator.phase === 'running',
    );
    expect(project.read('config/crd/bases/cache.example.com_memcacheds.yaml')).toContain('team:');

    // What breaks is named by its place, and the operator goes on.
    project.edit(breakField);
    const problem = await dev.until('the error', ({ problems }) =>
      problems.find(({ source }) => source === 'manifests'),
    );
    expect(problem.location).toMatch(/^src\/api\/v1alpha1\/memcached\.ts:\d+:\d+$/);
    expect(dev.state.operator).toMatchObject({ phase: 'broken', starts: 2 });
    project.undo(breakField);
    await dev.until(
      'the third start',
      ({ operator, problems }) =>
        operator.starts === 3 && operator.phase === 'running' && problems.length === 0,
    );

    // An operator that ends is not hidden either.
    project.edit(throwOnImport);
    const crash = await dev.until('the crash', ({ problems }) =>
      problems.find(({ source }) => source === 'operator'),
    );
    expect(crash.message).toContain('broken by the author');
    expect(crash.message).toMatch(/memcached\.controller\.ts:\d+/);
    project.undo(throwOnImport);
    await dev.until(
      'the fifth start',
      ({ operator }) => operator.starts === 5 && operator.phase === 'running',
    );

    // A rule that is missing can be copied.
    project.edit(removeRule);
    const missing = await dev.until('the missing rule', ({ rights }) => rights.missing[0]);
    expect(missing.rule).toBe('@rbac groups=core resources=pods verbs=get;list;watch');
    project.edit(pasteRule(missing.rule));
    await dev.until(
      'the rule',
      ({ operator, rights }) =>
        operator.starts === 7 && operator.phase === 'running' && rights.missing.length === 0,
    );

    // A pod that is evicted is replaced, which is why the object is reconciled.
    const before = finished(dev.state).length;
    const pod = pods[0]!;
    await dev.act({ action: 'evict-pod', namespace: pod.namespace!, name: pod.name });
    await dev.until('the reconcile', (state) => finished(state).length > before);

    expect(await dev.end('SIGINT')).toBe(130);
    expect(existsSync(`${project.directory}/node_modules/.cache/ots-dev/kubeconfig`)).toBe(false);
    expect(() => process.kill(dev.state.operator.pid ?? 0x7fffffff, 0)).toThrow('ESRCH');
  },
);
