import type { JsonObject } from '../json/json-object.ts';
import { formatSelector } from '../selectors/format-selector.ts';
import { at, listAt, numberAt, objectAt, textAt } from '../json/value-at.ts';
import { ageOf, nameOf } from './common-cells.ts';
import { type TableKind, columnsOf } from './table-kind.ts';

export const podDisruptionBudgetTable: TableKind = {
  columns: columnsOf('Name:name, Min Available, Max Unavailable, Allowed Disruptions:integer, Age'),
  cells: (object, now) => [
    nameOf(object),
    textAt(object, 'spec', 'minAvailable') || 'N/A',
    textAt(object, 'spec', 'maxUnavailable') || 'N/A',
    numberAt(object, 'status', 'disruptionsAllowed'),
    ageOf(object, now),
  ],
};

export const horizontalPodAutoscalerTable: TableKind = {
  columns: columnsOf('Name:name, Reference, Targets, MinPods, MaxPods, Replicas, Age'),
  cells: (object, now) => [
    nameOf(object),
    `${textAt(object, 'spec', 'scaleTargetRef', 'kind')}/${textAt(object, 'spec', 'scaleTargetRef', 'name')}`,
    formatMetrics(object),
    textAt(object, 'spec', 'minReplicas') || '<unset>',
    numberAt(object, 'spec', 'maxReplicas'),
    numberAt(object, 'status', 'currentReplicas'),
    ageOf(object, now),
  ],
};

export const resourceQuotaTable: TableKind = {
  columns: columnsOf('Name:name, Request, Limit, Age'),
  cells(object, now) {
    const hard = objectAt(object, 'status', 'hard');
    const used = objectAt(object, 'status', 'used');
    const lines = Object.keys(hard)
      .toSorted()
      .map((name) => `${name}: ${textAt(used, name) || '0'}/${textAt(hard, name)}`);
    return [
      nameOf(object),
      lines.filter((line) => !isLimit(line)).join(', '),
      lines.filter(isLimit).join(', '),
      ageOf(object, now),
    ];
  },
};

/**
 * The table of an admission policy.
 *
 * @param column the header above the number of its rules, from the `spec` field of the same name in lower case
 */
export function admissionPolicyTable(column: 'Validations' | 'Mutations'): TableKind {
  return {
    columns: columnsOf(`Name:name, ${column}:integer, ParamKind, Age`),
    cells(object, now) {
      const kind = at(object, 'spec', 'paramKind');
      return [
        nameOf(object),
        listAt(object, 'spec', column.toLowerCase()).length,
        kind === undefined ? '<unset>' : `${textAt(kind, 'apiVersion')}/${textAt(kind, 'kind')}`,
        ageOf(object, now),
      ];
    },
  };
}

export const admissionPolicyBindingTable: TableKind = {
  columns: columnsOf('Name:name, PolicyName, ParamRef, Age'),
  cells: (object, now) => [
    nameOf(object),
    textAt(object, 'spec', 'policyName'),
    formatParamRef(at(object, 'spec', 'paramRef')),
    ageOf(object, now),
  ],
};

function isLimit(line: string): boolean {
  return line.startsWith('limits.');
}

function formatParamRef(reference: unknown): string {
  const name = textAt(reference, 'name');
  if (name !== '') return `${textAt(reference, 'namespace') || '*'}/${name}`;
  const selector = at(reference, 'selector');
  return selector === undefined ? '<unset>' : formatSelector(selector);
}

function formatMetrics(autoscaler: JsonObject): string {
  const specs = listAt(autoscaler, 'spec', 'metrics');
  if (specs.length === 0) return '<none>';
  const statuses = listAt(autoscaler, 'status', 'currentMetrics');
  const texts = specs.map((spec, index) => formatMetric(spec, statuses[index]));
  const shown = texts.slice(0, 2).join(', ');
  return texts.length > 2 ? `${shown} + ${texts.length - 2} more...` : shown;
}

function formatMetric(spec: unknown, status: unknown): string {
  const type = textAt(spec, 'type');
  const field = `${type.charAt(0).toLowerCase()}${type.slice(1)}`;
  const target = at(spec, field, 'target');
  const current = at(status, field, 'current');
  const average = textAt(target, 'averageValue');
  const unknown = '<unknown>';
  if (type === 'Resource' || type === 'ContainerResource') {
    const name = textAt(spec, field, 'name');
    if (average !== '') return `${name}: ${textAt(current, 'averageValue') || unknown}/${average}`;
    return `${name}: ${percent(current) || unknown}/${percent(target) || '<auto>'}`;
  }
  if (type === 'Pods') return `${textAt(current, 'averageValue') || unknown}/${average}`;
  if (type !== 'Object' && type !== 'External') return '<unknown type>';
  return average === ''
    ? `${textAt(current, 'value') || unknown}/${textAt(target, 'value')}`
    : `${textAt(current, 'averageValue') || unknown}/${average} (avg)`;
}

function percent(value: unknown): string {
  const utilization = textAt(value, 'averageUtilization');
  return utilization === '' ? '' : `${utilization}%`;
}
