import type { PodTemplateSpec } from 'ots-kubernetes/core/v1';
import type { LabelSelector } from 'ots-kubernetes/meta/v1';
import { type FieldError, invalid, required } from '../../status/field-error.ts';
import { labelSelectorOf } from '../validation/label-selector-of.ts';
import { type SelectorTolerance, validateLabelSelector } from '../validation/validate-label-selector.ts';
import { showLabels, showSelector } from './show-fields.ts';

const selectorField = 'spec.selector';

/**
 * Validates the required selector of a controller, which must not be empty.
 *
 * @param kind the controller's kind in the message about an empty selector
 */
export function requireSelector(selector: LabelSelector | null | undefined, kind: string): FieldError[] {
  return selector ? validateSelector(selector, kind) : [required(selectorField)];
}

/** {@link requireSelector} for a kind with another error about a missing one. */
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

/** Checks that a controller selects its own pods. Skips an invalid selector. */
export function validateSelected(
  selector: LabelSelector | null | undefined,
  template: PodTemplateSpec,
): FieldError[] {
  const selects = labelSelectorOf(selector ?? undefined);
  return !selects || selects(template.metadata?.labels ?? {}) ? [] : [notSelected(template)];
}

/** The error about a controller that does not select its own pods. */
export function notSelected({ metadata }: PodTemplateSpec): FieldError {
  const field = 'spec.template.metadata.labels';
  return invalid(field, showLabels(metadata?.labels), '`selector` does not match template `labels`');
}
