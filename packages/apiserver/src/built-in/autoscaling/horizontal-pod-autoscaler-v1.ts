import type { ApiObject } from '../../json/api-object.ts';
import { type JsonObject, isObject } from '../../json/json-object.ts';
import type { Conversion } from '../converted-strategy.ts';
import { behaviorOfText, behaviorToText } from './convert-behavior.ts';
import { metricSpecs, metricStatuses } from './convert-metrics.ts';
import { v1Annotations, withoutV1Annotations } from './v1-annotations.ts';

/** The default target: percent of the requested CPU. */
const defaultUtilization = 80;

/** autoscaling/v1 only has a field for CPU utilization: everything else is in annotations. */
export const horizontalPodAutoscalerV1: Conversion = {
  setDefaults(object) {
    const spec = (object['spec'] ??= {});
    if (isObject(spec)) spec['minReplicas'] ??= 1;
  },

  fromStored(object) {
    const { metadata, spec, status, ...rest } = object;
    const { metrics, behavior, ...own } = asObject(spec);
    const { currentMetrics, conditions, ...observed } = asObject(status);
    const all = listOf(metrics);
    const utilization = all.find(isCpuUtilization);
    const others = all.filter((metric) => !isCpuUtilization(metric));
    const added: Record<string, string> = {};
    if (others.length > 0) added[v1Annotations.metrics] = JSON.stringify(metricSpecs.toV1(others));
    if (listOf(currentMetrics).length > 0)
      added[v1Annotations.currentMetrics] = JSON.stringify(metricStatuses.toV1(listOf(currentMetrics)));
    if (isObject(behavior)) added[v1Annotations.behavior] = behaviorToText(behavior);
    if (listOf(conditions).length > 0)
      added[v1Annotations.conditions] = JSON.stringify(listOf(conditions).map(inOrder));
    const current = listOf(currentMetrics)
      .map(currentUtilization)
      .findLast((value) => value !== undefined);
    return {
      ...rest,
      apiVersion: 'autoscaling/v1',
      metadata: withAnnotations(metadata, { ...withoutV1Annotations(metadata.annotations), ...added }),
      spec: {
        ...own,
        ...(utilization && {
          targetCPUUtilizationPercentage: utilization.resource.target.averageUtilization,
        }),
      },
      status: {
        ...observed,
        currentReplicas: observed['currentReplicas'] ?? 0,
        ...(current !== undefined && { currentCPUUtilizationPercentage: current }),
      },
    };
  },

  toStored(object) {
    const { metadata, spec, status, ...rest } = object;
    const { targetCPUUtilizationPercentage: target, ...own } = asObject(spec);
    const { currentCPUUtilizationPercentage: current, ...observed } = asObject(status);
    const annotations = metadata.annotations ?? {};
    const others = parse(annotations[v1Annotations.metrics]);
    const metrics = [
      ...(Array.isArray(others) ? metricSpecs.toV2(others) : []),
      ...(typeof target === 'number' ? [cpuMetric(target)] : []),
    ];
    const behavior = behaviorOfText(parse(annotations[v1Annotations.behavior]));
    const currentMetrics = parse(annotations[v1Annotations.currentMetrics]);
    const conditions = parse(annotations[v1Annotations.conditions]);
    return {
      ...rest,
      apiVersion: 'autoscaling/v2',
      metadata: withAnnotations(metadata, withoutV1Annotations(metadata.annotations)),
      spec: {
        ...own,
        metrics: metrics.length > 0 ? metrics : [cpuMetric(defaultUtilization)],
        ...(behavior && { behavior }),
      },
      status: {
        ...observed,
        ...(typeof current === 'number' && { currentMetrics: [cpuStatus(current)] }),
        ...(Array.isArray(currentMetrics) && { currentMetrics: metricStatuses.toV2(currentMetrics) }),
        ...(Array.isArray(conditions) && { conditions }),
      },
    };
  },
};

function isCpuUtilization(
  metric: unknown,
): metric is { resource: { target: { averageUtilization: number } } } {
  if (!isObject(metric) || metric['type'] !== 'Resource') return false;
  const { name, target } = asObject(metric['resource']);
  return name === 'cpu' && asObject(target)['averageUtilization'] !== undefined;
}

function currentUtilization(metric: unknown): unknown {
  const { type, resource } = asObject(metric);
  const { name, current } = asObject(resource);
  return type === 'Resource' && name === 'cpu' ? asObject(current)['averageUtilization'] : undefined;
}

function cpuMetric(averageUtilization: number): JsonObject {
  return { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization } } };
}

function cpuStatus(averageUtilization: number): JsonObject {
  return { type: 'Resource', resource: { name: 'cpu', current: { averageUtilization } } };
}

function withAnnotations(
  before: ApiObject['metadata'],
  annotations: Record<string, string> | undefined,
): ApiObject['metadata'] {
  const { annotations: _, ...metadata } = before;
  return annotations && Object.keys(annotations).length > 0 ? { ...metadata, annotations } : metadata;
}

/** The fields of a condition in the order in which v1 writes them. */
function inOrder(condition: unknown): JsonObject {
  const { type, status, lastTransitionTime = null, reason, message } = asObject(condition);
  return { type, status, lastTransitionTime, reason, message };
}

/** Text that is not JSON counts as absent. */
function parse(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function asObject(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
