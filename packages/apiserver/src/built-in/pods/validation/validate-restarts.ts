import type { Container, ContainerRestartRule } from 'ots-kubernetes/core/v1';
import { type FieldError, required, tooMany } from '../../../status/field-error.ts';
import { validateChoice } from '../../validation/validate-choice.ts';

const maxRules = 20;
const maxExitCodes = 255;

/** Validates a container's own restart policy and rules. */
export function validateRestarts(
  { restartPolicy, restartPolicyRules: rules = [] }: Container,
  path: string,
): FieldError[] {
  const field = `${path}.restartPolicy`;
  if (restartPolicy === undefined && rules.length === 0) return [];
  return [
    ...(restartPolicy === undefined
      ? [required(field, 'must specify restartPolicy when restart rules are used')]
      : validateChoice(field, restartPolicy, ['Always', 'Never', 'OnFailure'])),
    ...(rules.length > maxRules ? [tooMany(`${path}.restartPolicyRules`, rules.length, maxRules)] : []),
    ...rules.flatMap((rule, index) => validateRule(rule, `${path}.restartPolicyRules[${index}]`)),
  ];
}

function validateRule({ action, exitCodes }: ContainerRestartRule, path: string): FieldError[] {
  const errors = validateChoice(`${path}.action`, action, ['Restart', 'RestartAllContainers']);
  if (!exitCodes) return [...errors, required(`${path}.exitCodes`, 'must be specified')];
  const { operator, values = [] } = exitCodes;
  return [
    ...errors,
    ...validateChoice(`${path}.exitCodes.operator`, operator, ['In', 'NotIn']),
    ...(values.length > maxExitCodes
      ? [tooMany(`${path}.exitCodes.values`, values.length, maxExitCodes)]
      : []),
  ];
}
