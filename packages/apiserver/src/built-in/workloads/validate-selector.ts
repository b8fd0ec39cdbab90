import type { PodTemplateSpec } from 'ots-kubernetes/core/v1';
import type { LabelSelector } from 'ots-kubernetes/meta/v1';
import { type FieldError, invalid, required } from '../../status/field-error.ts';
import { labelSelectorOf } from '../validation/label-selector-of.ts';
import { type SelectorTolerance, validateLabelSelector } from '../validation/validate-label-selector.ts';
import { showLabels, showSelector } from './show-fields.ts';

const selectorField = 'spec.selector';

/**
 * Checks the selector of a controller: it is there, and selects something.
 *
 * @param kind as the message of an empty selector names it
 */
export function requireSelector(selector: LabelSelector | null | undefined, kind: string): FieldError[] {
  return selector ? validateSelector(selector, kind) : [required(selectorField)];
}

/** {@link requireSelector} of a kind that says in another way that there is none. */
export function validateSelector(
  selector: LabelSelector,
  kind: string,
  tolerance?: SelectorTolerance,
): FieldError[] {
  const { matchLabels = {}, matchExpressions = [] } = selector;
  const isEmpty = Object.keys(matchLabels).length + matchExpressions.length === 0;
  return [
    ...validateLabelSelector(selector, selectorField, tolerance),
    ...(isEmpty
      ? [invalid(selectorField, showSelector(selector), `empty selector is invalid for ${kind}`)]
      : []),
  ];
}

/** Checks that a controller selects the pods that it makes. A selector that is not valid says nothing about them. */
export function validateSelected(
  selector: LabelSelector | null | undefined,
  template: PodTemplateSpec,
): FieldError[] {
  const selects = labelSelectorOf(selector ?? undefined);
  return !selects || selects(template.metadata?.labels ?? {}) ? [] : [notSelected(template)];
}

/** The error of a controller that does not select the pods that it makes. */
export function notSelected({ metadata }: PodTemplateSpec): FieldError {
  const field = 'spec.template.metadata.labels';
  return invalid(field, showLabels(metadata?.labels), '`selector` does not match template `labels`');
}
