import type { KubernetesObject } from 'ots-kubernetes';
import type { PodTemplateSpec } from 'ots-kubernetes/core/v1';
import { isData } from '../project/yaml/data.ts';

/** The pods that an object creates. */
export interface PodTemplate {
  readonly template: PodTemplateSpec;
  /** The keys that lead to it; none for a pod. */
  readonly path: readonly string[];
}

const templatePaths: Readonly<Record<string, readonly string[]>> = {
  Pod: [],
  Deployment: ['spec', 'template'],
  ReplicaSet: ['spec', 'template'],
  StatefulSet: ['spec', 'template'],
  DaemonSet: ['spec', 'template'],
  Job: ['spec', 'template'],
  CronJob: ['spec', 'jobTemplate', 'spec', 'template'],
};

/** The template of a workload's pods, or a pod itself; undefined for other objects, and for what is not a template. */
export function podTemplateOf(object: KubernetesObject): PodTemplate | undefined {
  const path = Object.hasOwn(templatePaths, object.kind) ? templatePaths[object.kind] : undefined;
  if (!path || !/^(?:v1|apps\/v1|batch\/v1)$/.test(object.apiVersion)) return undefined;
  let value: unknown = object;
  for (const key of path) value = isData(value) ? value[key] : undefined;
  if (!isData(value) || !isData(value['spec']) || !Array.isArray(value['spec']['containers']))
    return undefined;
  return { template: value as unknown as PodTemplateSpec, path };
}
