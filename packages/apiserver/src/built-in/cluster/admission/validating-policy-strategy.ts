import type {
  AuditAnnotation,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicySpec,
  Validation,
} from 'ots-kubernetes/admissionregistration/v1';
import { qualifiedName } from 'ots-apimachinery/names';
import { loadCelFor } from '../../../crd/rules/cel.ts';
import { type FieldError, duplicate, invalid, notSupported, required } from '../../../status/field-error.ts';
import type { BuiltInObject } from '../../../json/built-in-object.ts';
import { BuiltInStrategy } from '../../../registry/built-in-strategy.ts';
import { keepMetadata } from '../../keep-metadata.ts';
import { errorsOfRule } from '../../validation/errors-of-rule.ts';
import { setMatchDefaults } from './match-resources.ts';
import { ExpressionCompiler } from '../../../expressions/expression-compiler.ts';
import { expressionErrors } from './validate-expression.ts';
import { validatePolicy } from './validate-policy.ts';

type Policy = BuiltInObject<ValidatingAdmissionPolicy>;

const maxAnnotations = 20;
const maxValueExpressionLength = 5 * 1024;
const reasons = ['Forbidden', 'Invalid', 'RequestEntityTooLarge'];
const noRules = 'validations or auditAnnotations must contain at least one item';

/** ValidatingAdmissionPolicies: expressions that requests must satisfy. */
export class ValidatingPolicyStrategy extends BuiltInStrategy {
  override setDefaults({ spec }: Policy): void {
    if (!spec) return;
    spec.failurePolicy ??= 'Fail';
    setMatchDefaults(spec.matchConstraints);
  }

  override prepareForStatusUpdate(object: Policy, old: Policy): void {
    super.prepareForStatusUpdate(object, old);
    keepMetadata(object, old);
  }

  override loadFor(body: Buffer): Promise<void> {
    // Also in messageExpression and valueExpression.
    return loadCelFor(body, 'xpression');
  }

  override validate({ metadata, spec = {} }: Policy): FieldError[] {
    return validateSpec(spec, metadata.name ?? '');
  }

  override validateUpdate({ metadata, spec = {} }: Policy, old: Policy): FieldError[] {
    return validateSpec(spec, metadata.name ?? '', old.spec);
  }
}

function validateSpec(
  spec: ValidatingAdmissionPolicySpec,
  name: string,
  old?: ValidatingAdmissionPolicySpec,
): FieldError[] {
  const { paramKind, variables = [] } = spec;
  const compiler = new ExpressionCompiler({
    params: paramKind !== undefined,
    composed: variables.length > 0,
  });
  return [...validatePolicy(spec, compiler, old), ...validateContent(spec, name, compiler)];
}

function validateContent(
  { validations = [], auditAnnotations = [] }: ValidatingAdmissionPolicySpec,
  name: string,
  compiler: ExpressionCompiler,
): FieldError[] {
  if (validations.length + auditAnnotations.length === 0)
    return ['spec.validations', 'spec.auditAnnotations'].map((field) => required(field, noRules));
  return [
    ...validations.flatMap((validation, index) =>
      validateValidation(validation, `spec.validations[${index}]`, compiler),
    ),
    ...validateAnnotations(auditAnnotations, name, compiler),
  ];
}

function validateValidation(
  validation: Validation,
  path: string,
  compiler: ExpressionCompiler,
): FieldError[] {
  const { expression, message = '', messageExpression = '', reason } = validation;
  const empty = 'must be non-empty if specified';
  return [
    ...(expression.trim() === ''
      ? [required(`${path}.expression`, 'expression is not specified')]
      : expressionErrors(compiler.compile(expression, 'bool'), expression, `${path}.expression`)),
    ...(messageExpression === ''
      ? []
      : messageExpression.trim() === ''
        ? [invalid(`${path}.messageExpression`, messageExpression, empty)]
        : expressionErrors(
            compiler.compile(messageExpression, 'string', { authorizer: false }),
            messageExpression,
            `${path}.messageExpression`,
          )),
    ...(message !== '' && message.trim() === '' ? [invalid(`${path}.message`, message, empty)] : []),
    ...(/[\n\r]/.test(message.trim())
      ? [invalid(`${path}.message`, message, 'must not contain line breaks')]
      : []),
    ...(reason === undefined || reasons.includes(reason)
      ? []
      : [notSupported(`${path}.reason`, reason, reasons)]),
  ];
}

function validateAnnotations(
  annotations: readonly AuditAnnotation[],
  name: string,
  compiler: ExpressionCompiler,
): FieldError[] {
  const field = 'spec.auditAnnotations';
  const keys = annotations.map(({ key }) => key);
  return [
    ...(annotations.length > maxAnnotations
      ? [invalid(field, annotations, `must not have more than ${maxAnnotations} auditAnnotations`)]
      : []),
    ...annotations.flatMap(({ key, valueExpression }, index) => [
      ...errorsOfRule(`${field}[${index}].key`, `${name}/${key}`, qualifiedName),
      ...validateValueExpression(valueExpression, `${field}[${index}].valueExpression`, compiler),
      ...(keys.indexOf(key) < index ? [duplicate(`${field}[${index}].key`, key)] : []),
    ]),
  ];
}

function validateValueExpression(
  expression: string,
  field: string,
  compiler: ExpressionCompiler,
): FieldError[] {
  const text = expression.trim();
  if (text === '') return [required(field, 'valueExpression is not specified')];
  return Buffer.byteLength(text) > maxValueExpressionLength
    ? [required(field, `must not exceed ${maxValueExpressionLength} bytes in length`)]
    : expressionErrors(compiler.compile(text, 'string or null'), expression, field);
}
