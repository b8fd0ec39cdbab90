import type { JsonObject } from '../json/json-object.ts';
import { at, listAt, numberAt, textAt } from '../json/value-at.ts';
import { ageAt, ageOf, conditionOf, nameOf } from './common-cells.ts';
import { type RowCondition, type TableKind, columnsOf } from './table-kind.ts';

/** The combined state of a pod's containers. */
interface Summary {
  reason: string;
  ready: number;
  restarts: number;
  /** When a restarted container last ended. */
  restarted: string;
}

const endings = new Map([
  ['Succeeded', 'The pod has completed successfully.'],
  ['Failed', 'The pod failed.'],
]);

export const podTable: TableKind = {
  columns: columnsOf(
    'Name:name, Ready, Status, Restarts, Age, IP+, Node+, Nominated Node+, Readiness Gates+',
  ),
  cells(pod, now) {
    const { reason, ready, restarts, restarted } = summarize(pod);
    const total =
      listAt(pod, 'spec', 'containers').length +
      listAt(pod, 'spec', 'initContainers').filter(isRestartable).length;
    const ago = restarts !== 0 && restarted !== '' ? ` (${ageAt(now, restarted)} ago)` : '';
    return [
      nameOf(pod),
      `${ready}/${total}`,
      reason,
      `${restarts}${ago}`,
      ageOf(pod, now),
      textAt(listAt(pod, 'status', 'podIPs')[0], 'ip') || '<none>',
      textAt(pod, 'spec', 'nodeName') || '<none>',
      textAt(pod, 'status', 'nominatedNodeName') || '<none>',
      readinessGates(pod),
    ];
  },
  conditions(pod): RowCondition[] | undefined {
    const phase = textAt(pod, 'status', 'phase');
    const message = endings.get(phase);
    return message === undefined
      ? undefined
      : [{ type: 'Completed', status: 'True', reason: phase, message }];
  },
};

function summarize(pod: JsonObject): Summary {
  const phase = textAt(pod, 'status', 'phase');
  const initial = initialReason(pod, phase);
  const initialized = summarizeInit(pod, initial);
  const summary =
    initialized.failed && conditionOf(pod, 'Initialized') !== 'True'
      ? initialized.summary
      : summarizeContainers(pod, {
          ...initialized.sidecars,
          reason: initialized.summary.reason,
          ready: initialized.summary.ready,
        });
  if (at(pod, 'metadata', 'deletionTimestamp') === undefined) return summary;
  if (textAt(pod, 'status', 'reason') === 'NodeLost') return { ...summary, reason: 'Unknown' };
  return endings.has(phase) ? summary : { ...summary, reason: 'Terminating' };
}

function initialReason(pod: JsonObject, phase: string): string {
  const isGated = listAt(pod, 'status', 'conditions').some(
    (condition) =>
      textAt(condition, 'type') === 'PodScheduled' && textAt(condition, 'reason') === 'SchedulingGated',
  );
  return isGated ? 'SchedulingGated' : textAt(pod, 'status', 'reason') || phase;
}

/** Visits the init containers up to the first that is not complete. Counts sidecars separately, too. */
function summarizeInit(
  pod: JsonObject,
  reason: string,
): { summary: Summary; sidecars: { restarts: number; restarted: string }; failed: boolean } {
  const specs = listAt(pod, 'spec', 'initContainers');
  const restartable = new Set(specs.filter(isRestartable).map((spec) => textAt(spec, 'name')));
  const summary = { reason, ready: 0, restarts: 0, restarted: '' };
  const sidecars = { restarts: 0, restarted: '' };
  for (const [index, status] of listAt(pod, 'status', 'initContainerStatuses').entries()) {
    const isSidecar = restartable.has(textAt(status, 'name'));
    countRestarts(summary, status);
    if (isSidecar) countRestarts(sidecars, status);
    const terminated = at(status, 'state', 'terminated');
    if (terminated !== undefined && numberAt(terminated, 'exitCode') === 0) continue;
    if (isSidecar && at(status, 'started') === true) {
      if (at(status, 'ready') === true) summary.ready += 1;
      continue;
    }
    const waiting = textAt(status, 'state', 'waiting', 'reason');
    if (terminated !== undefined) summary.reason = `Init:${terminationReason(terminated)}`;
    else if (waiting !== '' && waiting !== 'PodInitializing') summary.reason = `Init:${waiting}`;
    else summary.reason = `Init:${index}/${specs.length}`;
    return { summary, sidecars, failed: true };
  }
  return { summary, sidecars, failed: false };
}

/** Visits the containers from last to first: the first one's state takes precedence. */
function summarizeContainers(pod: JsonObject, start: Summary): Summary {
  const summary = { ...start };
  let isRunning = false;
  let errorReason = '';
  for (const status of listAt(pod, 'status', 'containerStatuses').toReversed()) {
    countRestarts(summary, status);
    const waiting = textAt(status, 'state', 'waiting', 'reason');
    const terminated = at(status, 'state', 'terminated');
    if (waiting !== '') summary.reason = waiting;
    else if (terminated !== undefined) {
      summary.reason = terminationReason(terminated);
      if (numberAt(terminated, 'exitCode') !== 0) errorReason = summary.reason;
    } else if (at(status, 'ready') === true && at(status, 'state', 'running') !== undefined) {
      isRunning = true;
      summary.ready += 1;
    }
  }
  if (summary.reason !== 'Completed') return summary;
  if (isRunning && conditionOf(pod, 'Ready') === 'True') summary.reason = 'Running';
  else if (errorReason !== '') summary.reason = errorReason;
  else if (isRunning) summary.reason = 'NotReady';
  return summary;
}

function terminationReason(terminated: unknown): string {
  const signal = numberAt(terminated, 'signal');
  return (
    textAt(terminated, 'reason') ||
    (signal === 0 ? `ExitCode:${numberAt(terminated, 'exitCode')}` : `Signal:${signal}`)
  );
}

function countRestarts(counted: { restarts: number; restarted: string }, status: unknown): void {
  counted.restarts += numberAt(status, 'restartCount');
  const finished = textAt(status, 'lastState', 'terminated', 'finishedAt');
  if (finished > counted.restarted) counted.restarted = finished;
}

function isRestartable(spec: unknown): boolean {
  return textAt(spec, 'restartPolicy') === 'Always';
}

function readinessGates(pod: JsonObject): string {
  const gates = listAt(pod, 'spec', 'readinessGates');
  if (gates.length === 0) return '<none>';
  const passed = gates.filter((gate) => conditionOf(pod, textAt(gate, 'conditionType')) === 'True');
  return `${passed.length}/${gates.length}`;
}
