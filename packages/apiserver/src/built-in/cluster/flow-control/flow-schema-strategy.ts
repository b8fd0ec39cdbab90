import type { FlowSchema, FlowSchemaSpec } from 'ots-kubernetes/flowcontrol/v1';
import { subdomain } from 'ots-apimachinery/names';
import { type FieldError, invalid, notSupported, required } from '../../../status/field-error.ts';
import type { BuiltInObject } from '../../../json/built-in-object.ts';
import { BuiltInStrategy } from '../../../registry/built-in-strategy.ts';
import { keepMetadata } from '../../keep-metadata.ts';
import { errorsOfRule } from '../../validation/errors-of-rule.ts';
import { validateConditionTypes } from './validate-condition-types.ts';
import { validateFlowRule } from './validate-flow-rule.ts';

const maxPrecedence = 10_000;
const methods = ['ByNamespace', 'ByUser'];

/** FlowSchemas: which requests belong to which priority level. */
export class FlowSchemaStrategy extends BuiltInStrategy {
  override setDefaults({ spec }: BuiltInObject<FlowSchema>): void {
    if (spec) spec.matchingPrecedence ||= 1000;
  }

  override prepareForStatusUpdate(object: BuiltInObject<FlowSchema>, old: BuiltInObject<FlowSchema>): void {
    super.prepareForStatusUpdate(object, old);
    keepMetadata(object, old);
  }

  override validate({ metadata, spec, status }: BuiltInObject<FlowSchema>): FieldError[] {
    return [
      ...(spec ? validateSpec(spec, metadata.name ?? '') : []),
      ...validateConditionTypes(status?.conditions ?? []),
    ];
  }

  override validateStatusUpdate({ status }: BuiltInObject<FlowSchema>): FieldError[] {
    return validateConditionTypes(status?.conditions ?? []);
  }
}

function validateSpec(spec: FlowSchemaSpec, name: string): FieldError[] {
  const { distinguisherMethod, priorityLevelConfiguration, rules = [] } = spec;
  const field = 'spec.priorityLevelConfiguration.name';
  const level = priorityLevelConfiguration?.name ?? '';
  return [
    ...validatePrecedence(spec.matchingPrecedence ?? 0, name),
    ...(!distinguisherMethod || methods.includes(distinguisherMethod.type)
      ? []
      : [notSupported('spec.distinguisherMethod.type', { Type: distinguisherMethod.type }, methods)]),
    ...(level === ''
      ? [required(field, 'must reference a priority level')]
      : errorsOfRule(field, level, subdomain)),
    ...rules.flatMap((rule, index) => validateFlowRule(rule, `spec.rules[${index}]`)),
  ];
}

function validatePrecedence(precedence: number, name: string): FieldError[] {
  const faults = [
    ...(precedence <= 0 ? ['must be a positive value'] : []),
    ...(precedence > maxPrecedence ? [`must not be greater than ${maxPrecedence}`] : []),
    ...(precedence === 1 && name !== 'exempt'
      ? ["only the schema named 'exempt' may have matchingPrecedence 1"]
      : []),
  ];
  return faults.map((fault) => invalid('spec.matchingPrecedence', precedence, fault));
}
