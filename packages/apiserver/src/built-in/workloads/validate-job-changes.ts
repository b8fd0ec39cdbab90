import type { Job, JobSpec } from 'ots-kubernetes/batch/v1';
import type { Affinity, Container, PodSpec, PodTemplateSpec } from 'ots-kubernetes/core/v1';
import { jsonEqual } from '../../json/json-equal.ts';
import { type FieldError, invalid } from '../../status/field-error.ts';
import { validateImmutable } from '../validation/validate-immutable.ts';
import { hasCondition } from './job-conditions.ts';
import { showSelector } from './show-fields.ts';
import type { Specified } from './specified.ts';
import { showPodFailurePolicy } from './validate-pod-failure-policy.ts';
import { showSuccessPolicy } from './validate-success-policy.ts';

/** Validates an update of a job. */
export function validateJobChanges({ spec }: Specified<Job>, oldJob: Specified<Job>): FieldError[] {
  const { spec: old } = oldJob;
  const unchanged = (name: keyof JobSpec, show: (value: any) => unknown = (value) => value): FieldError[] =>
    jsonEqual(spec[name], old[name])
      ? []
      : [invalid(`spec.${name}`, spec[name] === undefined ? null : show(spec[name]), 'field is immutable')];
  return [
    ...validateCompletions(spec, old),
    ...unchanged('selector', showSelector),
    ...validateTemplate(spec.template, oldJob),
    ...unchanged('completionMode'),
    ...unchanged('podFailurePolicy', showPodFailurePolicy),
    ...unchanged('backoffLimitPerIndex'),
    ...unchanged('managedBy'),
    ...unchanged('successPolicy', showSuccessPolicy),
  ];
}

/** Indexed jobs may grow and shrink if all of their pods run at once. */
function validateCompletions(spec: JobSpec, old: JobSpec): FieldError[] {
  const { completionMode, completions, parallelism } = spec;
  const field = 'spec.completions';
  if (completionMode !== 'Indexed') return validateImmutable(field, completions, old.completions);
  if (completions === old.completions || completions === undefined || completions === parallelism) return [];
  return [invalid(field, completions, 'can only be modified in tandem with spec.parallelism')];
}

/** The template is immutable, except for scheduling and resources of a suspended job. */
function validateTemplate(template: PodTemplateSpec, old: Specified<Job>): FieldError[] {
  const { status = {}, spec: oldSpec } = old;
  const isSuspended = oldSpec.suspend === true;
  const hasNoPods = status.startTime === undefined || hasCondition(old, 'Suspended');
  if (!isSuspended || !hasNoPods || (status.active ?? 0) > 0)
    return validateImmutable('spec.template', template, oldSpec.template);
  const { spec } = template;
  const allowed = withSchedulingOf(oldSpec.template.spec, spec);
  return validateImmutable('spec.template.spec', spec, {
    ...allowed,
    containers: withResourcesOf(allowed.containers, spec?.containers),
    ...(allowed.initContainers && {
      initContainers: withResourcesOf(allowed.initContainers, spec?.initContainers),
    }),
  });
}

function withSchedulingOf(old: PodSpec | undefined, spec: PodSpec | undefined): PodSpec {
  const { nodeSelector, tolerations, schedulingGates, affinity } = spec ?? {};
  const scheduling = {
    nodeSelector,
    tolerations,
    schedulingGates,
    affinity: withNodeAffinityOf(old?.affinity, affinity),
  };
  const present = Object.entries(scheduling).filter(([, value]) => value !== undefined);
  const { nodeSelector: _1, tolerations: _2, schedulingGates: _3, affinity: _4, ...rest } = old ?? {};
  return { containers: [], ...rest, ...Object.fromEntries(present) };
}

function withNodeAffinityOf(old: Affinity | undefined, affinity: Affinity | undefined): Affinity | undefined {
  const { nodeAffinity: _, ...others } = old ?? {};
  if (!affinity) return Object.keys(others).length > 0 ? others : undefined;
  return { ...others, ...(affinity.nodeAffinity && { nodeAffinity: affinity.nodeAffinity }) };
}

function withResourcesOf(old: Container[] | undefined, containers: Container[] | undefined): Container[] {
  const others = containers ?? [];
  if (!old || old.length !== others.length) return old ?? [];
  return old.map((container, index) => {
    const other = others[index];
    if (other?.name !== container.name) return container;
    const { resources: _, ...rest } = container;
    return { ...rest, ...(other.resources && { resources: other.resources }) };
  });
}
