import type { Taint } from 'ots-kubernetes/core/v1';
import { labelValue, qualifiedName } from 'ots-apimachinery/names';
import { type FieldError, duplicate, invalid } from '../../../status/field-error.ts';
import { errorsOfRule } from '../../validation/errors-of-rule.ts';
import { requireChoice } from '../../validation/validate-choice.ts';

const effects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

/** Validates the taints of a node. */
export function validateTaints(taints: readonly Taint[]): FieldError[] {
  return taints.flatMap((taint, index) => {
    const { key, value = '', effect } = taint;
    // kube-apiserver's messages have always named the wrong parent.
    const path = `metadata.taints[${index}]`;
    const problems = labelValue(value);
    const isTwice = taints.slice(0, index).some((other) => other.key === key && other.effect === effect);
    return [
      ...errorsOfRule(`${path}.key`, key, qualifiedName),
      ...(problems.length > 0 ? [invalid(`${path}.value`, value, problems.join(';'))] : []),
      ...requireChoice(`${path}.effect`, effect, effects),
      ...(isTwice ? [duplicateTaint(path, taint)] : []),
    ];
  });
}

function duplicateTaint(path: string, { key, value = '', effect, timeAdded }: Taint): FieldError {
  const shown = { Key: key, Value: value, Effect: effect, TimeAdded: timeAdded ?? null };
  const error = duplicate(path, shown);
  return { ...error, message: `${error.message}: taints must be unique by key and effect pair` };
}
