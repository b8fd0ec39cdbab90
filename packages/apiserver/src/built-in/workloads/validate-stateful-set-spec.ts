import type { StatefulSetSpec, StatefulSetUpdateStrategy } from 'ots-kubernetes/apps/v1';
import type { PodTemplateSpec, Volume } from 'ots-kubernetes/core/v1';
import { type FieldError, invalid } from '../../status/field-error.ts';
import { validatePodTemplate } from '../pods/validate-pod-template.ts';
import { labelSelectorOf } from '../validation/label-selector-of.ts';
import { validateChoice } from '../validation/validate-choice.ts';
import { validateNonNegative } from '../validation/validate-number.ts';
import { showSelector } from './show-fields.ts';
import { validateEndless } from './validate-endless-template.ts';
import { requireSelector, validateSelected } from './validate-selector.ts';

/**
 * Validates a StatefulSet's spec except for its claims and service name.
 *
 * @param checksTemplate whether to validate the template: in an update only if it was valid before
 */
export function validateStatefulSetSpec(spec: StatefulSetSpec, checksTemplate: boolean): FieldError[] {
  const { persistentVolumeClaimRetentionPolicy: retention, ordinals, updateStrategy } = spec;
  const policies = ['Retain', 'Delete'];
  const field = 'spec.persistentVolumeClaimRetentionPolicy';
  return [
    ...validateManagement(spec.podManagementPolicy ?? ''),
    ...validateUpdateStrategy(updateStrategy ?? {}),
    ...validateChoice(`${field}.whenDeleted`, retention?.whenDeleted, policies),
    ...validateChoice(`${field}.whenScaled`, retention?.whenScaled, policies),
    ...validateNonNegative('spec.replicas', spec.replicas),
    ...validateNonNegative('spec.minReadySeconds', spec.minReadySeconds),
    ...validateNonNegative('spec.ordinals.start', ordinals?.start),
    ...requireSelector(spec.selector, 'statefulset'),
    ...validateTemplate(spec, checksTemplate),
    ...validateEndless(spec.template, 'StatefulSet'),
  ];
}

/** Whether a StatefulSet and its pods are valid. */
export function isStatefulTemplateValid(spec: StatefulSetSpec): boolean {
  return validateStatefulSetSpec(spec, true).length === 0;
}

function validateManagement(policy: string): FieldError[] {
  if (policy === 'OrderedReady' || policy === 'Parallel') return [];
  return [invalid('spec.podManagementPolicy', policy, "must be 'OrderedReady' or 'Parallel'")];
}

function validateUpdateStrategy({ type, rollingUpdate }: StatefulSetUpdateStrategy): FieldError[] {
  const field = 'spec.updateStrategy';
  // In Go's internal notation.
  const shown = rollingUpdate ? { Partition: rollingUpdate.partition ?? 0, MaxUnavailable: null } : null;
  switch (type) {
    case 'RollingUpdate':
      return validateNonNegative(`${field}.rollingUpdate.partition`, rollingUpdate?.partition);
    case 'OnDelete':
      return rollingUpdate
        ? [invalid(`${field}.rollingUpdate`, shown, "only allowed for updateStrategy 'RollingUpdate'")]
        : [];
    default: {
      const value = { Type: type, RollingUpdate: shown };
      return [invalid(field, value, "must be 'RollingUpdate' or 'OnDelete'")];
    }
  }
}

function validateTemplate(spec: StatefulSetSpec, checksTemplate: boolean): FieldError[] {
  const { selector, template } = spec;
  if (selector && !labelSelectorOf(selector)) return [invalid('spec.selector', showSelector(selector), '')];
  return [
    ...validateSelected(selector, template),
    ...(checksTemplate ? validatePodTemplate(asCreated(spec), 'spec.template') : []),
  ];
}

/** The template as the controller completes it: with a hostname, and volumes for the claims. */
function asCreated({ template, volumeClaimTemplates = [] }: StatefulSetSpec): PodTemplateSpec {
  const { subdomain: _subdomain, hostname: _hostname, ...rest } = template.spec ?? { containers: [] };
  if (volumeClaimTemplates.length === 0) return { ...template, spec: rest };
  const names = new Set(volumeClaimTemplates.map(({ metadata }) => metadata.name ?? ''));
  const claimed = [...names].map((name): Volume => ({ name, persistentVolumeClaim: { claimName: name } }));
  const others = (rest.volumes ?? []).filter(({ name }) => !names.has(name));
  return { ...template, spec: { ...rest, volumes: [...claimed, ...others] } };
}
