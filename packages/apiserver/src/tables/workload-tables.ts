import type { JsonObject } from '../json/json-object.ts';
import { formatLabels, formatSelector } from '../selectors/format-selector.ts';
import { humanDuration } from 'ots-apimachinery/human-duration';
import { at, listAt, numberAt, objectAt, textAt } from '../json/value-at.ts';
import { ageAt, ageOf, conditionOf, nameOf } from './common-cells.ts';
import { type TableKind, columnsOf } from './table-kind.ts';

const template = ['spec', 'template'];

/** Desired, current and ready replicas of a controller. */
export const replicaSetTable: TableKind = {
  columns: columnsOf(
    'Name:name, Desired:integer, Current:integer, Ready:integer, Age, Containers+, Images+, Selector+',
  ),
  cells: (object, now) => [...replicas(object, now), selectorOf(object, 'spec', 'selector')],
};

export const replicationControllerTable: TableKind = {
  columns: replicaSetTable.columns,
  cells: (object, now) => [...replicas(object, now), formatLabels(objectAt(object, 'spec', 'selector'))],
};

export const deploymentTable: TableKind = {
  columns: columnsOf('Name:name, Ready, Up-to-date, Available, Age, Containers+, Images+, Selector+'),
  cells: (object, now) => [
    nameOf(object),
    readyOf(object),
    numberAt(object, 'status', 'updatedReplicas'),
    numberAt(object, 'status', 'availableReplicas'),
    ageOf(object, now),
    ...containers(object, ...template),
    formatSelector(at(object, 'spec', 'selector')),
  ],
};

export const statefulSetTable: TableKind = {
  columns: columnsOf('Name:name, Ready, Age, Containers+, Images+'),
  cells: (object, now) => [
    nameOf(object),
    readyOf(object),
    ageOf(object, now),
    ...containers(object, ...template),
  ],
};

export const daemonSetTable: TableKind = {
  columns: columnsOf(
    'Name:name, Desired:integer, Current:integer, Ready:integer, Up-to-date:integer, Available:integer, Node Selector, Age, Containers+, Images+, Selector+',
  ),
  cells: (object, now) => [
    nameOf(object),
    ...[
      'desiredNumberScheduled',
      'currentNumberScheduled',
      'numberReady',
      'updatedNumberScheduled',
      'numberAvailable',
    ].map((field) => numberAt(object, 'status', field)),
    formatLabels(objectAt(object, ...template, 'spec', 'nodeSelector')),
    ageOf(object, now),
    ...containers(object, ...template),
    selectorOf(object, 'spec', 'selector'),
  ],
};

export const jobTable: TableKind = {
  columns: columnsOf('Name:name, Status, Completions, Duration, Age, Containers+, Images+, Selector+'),
  cells: (object, now) => [
    nameOf(object),
    jobStatus(object),
    completions(object),
    jobDuration(object, now),
    ageOf(object, now),
    ...containers(object, ...template),
    selectorOf(object, 'spec', 'selector'),
  ],
};

export const cronJobTable: TableKind = {
  columns: columnsOf(
    'Name:name, Schedule, Timezone, Suspend:boolean, Active:integer, Last Schedule, Age, Containers+, Images+, Selector+',
  ),
  cells(object, now) {
    const suspend = at(object, 'spec', 'suspend');
    const jobSpec = ['spec', 'jobTemplate', 'spec'];
    return [
      nameOf(object),
      textAt(object, 'spec', 'schedule'),
      at(object, 'spec', 'timeZone') ?? '<none>',
      typeof suspend === 'boolean' ? (suspend ? 'True' : 'False') : '<unset>',
      listAt(object, 'status', 'active').length,
      at(object, 'status', 'lastScheduleTime') === undefined
        ? '<none>'
        : ageAt(now, object, 'status', 'lastScheduleTime'),
      ageOf(object, now),
      ...containers(object, ...jobSpec, 'template'),
      selectorOf(object, ...jobSpec, 'selector'),
    ];
  },
};

export const podTemplateTable: TableKind = {
  columns: columnsOf('Name:name, Containers, Images, Pod Labels'),
  cells: (object) => [
    nameOf(object),
    ...containers(object, 'template'),
    formatLabels(objectAt(object, 'template', 'metadata', 'labels')),
  ],
};

function replicas(object: JsonObject, now: number): unknown[] {
  return [
    nameOf(object),
    numberAt(object, 'spec', 'replicas'),
    numberAt(object, 'status', 'replicas'),
    numberAt(object, 'status', 'readyReplicas'),
    ageOf(object, now),
    ...containers(object, ...template),
  ];
}

function readyOf(object: JsonObject): string {
  return `${numberAt(object, 'status', 'readyReplicas')}/${numberAt(object, 'spec', 'replicas')}`;
}

/** The names and the images of the containers of a pod template. */
function containers(object: JsonObject, ...path: string[]): [string, string] {
  const list = listAt(object, ...path, 'spec', 'containers');
  const join = (field: string) => list.map((container) => textAt(container, field)).join(',');
  return [join('name'), join('image')];
}

function selectorOf(object: JsonObject, ...path: string[]): string {
  return formatSelector(at(object, ...path)) || '<none>';
}

function jobStatus(job: JsonObject): string {
  const has = (type: string) => conditionOf(job, type) === 'True';
  if (has('Complete')) return 'Complete';
  if (has('Failed')) return 'Failed';
  if (at(job, 'metadata', 'deletionTimestamp') !== undefined) return 'Terminating';
  return ['Suspended', 'FailureTarget', 'SuccessCriteriaMet'].find(has) ?? 'Running';
}

function completions(job: JsonObject): string {
  const succeeded = numberAt(job, 'status', 'succeeded');
  if (at(job, 'spec', 'completions') !== undefined)
    return `${succeeded}/${numberAt(job, 'spec', 'completions')}`;
  const parallelism = numberAt(job, 'spec', 'parallelism');
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

function jobDuration(job: JsonObject, now: number): string {
  const started = Date.parse(textAt(job, 'status', 'startTime'));
  if (Number.isNaN(started)) return '';
  const completed = Date.parse(textAt(job, 'status', 'completionTime'));
  return humanDuration((Number.isNaN(completed) ? now : completed) - started);
}
