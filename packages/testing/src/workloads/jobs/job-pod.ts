import type { DeepReadonly } from 'ots-runtime';
import type { Container, Pod, PodTemplateSpec } from 'ots-kubernetes/core/v1';
import { podFromTemplate } from '../pods/pod-from-template.ts';
import type { CachedPod } from '../pods/pod-state.ts';
import {
  type CachedJob,
  failureCountKey,
  failuresBefore,
  ignoredFailureCountKey,
  indexKey,
  trackingFinalizer,
} from './job-facts.ts';
import { isCounted } from './pod-failure-policy.ts';

const indexVariable = 'JOB_COMPLETION_INDEX';
/** The server adds five characters to a prefix of at most this length. */
const maxPrefixLength = 58;

/** A pod of a job that is not indexed. */
export function podOf(job: CachedJob): DeepReadonly<Pod> {
  return podFromTemplate(tracked(job), job);
}

/**
 * The pod of an index.
 *
 * @param replaced the pod of the index that failed before
 */
export function podOfIndex(
  job: CachedJob,
  index: number,
  replaced: CachedPod | undefined,
): DeepReadonly<Pod> {
  const { metadata, spec } = tracked(job);
  const name = job.metadata.name ?? '';
  const withIndex = spec && {
    ...spec,
    hostname: `${name}-${index}`,
    containers: spec.containers.map(knowingIndex),
    ...(spec.initContainers && { initContainers: spec.initContainers.map(knowingIndex) }),
  };
  const template = {
    metadata: {
      ...metadata,
      labels: { ...metadata?.labels, [indexKey]: `${index}` },
      annotations: { ...metadata?.annotations, [indexKey]: `${index}`, ...failureCounts(job, replaced) },
    },
    ...(withIndex && { spec: withIndex }),
  };
  const suffix = `-${index}-`;
  return podFromTemplate(template, job, `${name.slice(0, maxPrefixLength - suffix.length)}${suffix}`);
}

function tracked({ spec }: CachedJob): DeepReadonly<PodTemplateSpec> {
  const template = spec?.template ?? {};
  const finalizers = new Set([...(template.metadata?.finalizers ?? []), trackingFinalizer]);
  return { ...template, metadata: { ...template.metadata, finalizers: [...finalizers] } };
}

function knowingIndex(container: DeepReadonly<Container>): DeepReadonly<Container> {
  const { env = [] } = container;
  if (env.some(({ name }) => name === indexVariable)) return container;
  const fieldRef = { fieldPath: `metadata.labels['${indexKey}']` };
  return { ...container, env: [...env, { name: indexVariable, valueFrom: { fieldRef } }] };
}

function failureCounts(job: CachedJob, replaced: CachedPod | undefined): Record<string, string> {
  if (job.spec?.backoffLimitPerIndex === undefined) return {};
  let { counted, ignored } = replaced ? failuresBefore(replaced) : { counted: 0, ignored: 0 };
  if (replaced && isCounted(job, replaced)) counted += 1;
  else if (replaced) ignored += 1;
  return {
    [failureCountKey]: `${counted}`,
    ...(ignored > 0 && { [ignoredFailureCountKey]: `${ignored}` }),
  };
}
