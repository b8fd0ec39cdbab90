import type {
  MutatingAdmissionPolicyBindingSpec,
  ParamRef,
  ValidatingAdmissionPolicyBinding,
} from 'ots-kubernetes/admissionregistration/v1';
import { pathSegment, subdomain } from 'ots-apimachinery/names';
import { type FieldError, duplicate, forbidden, invalid, required } from '../../../status/field-error.ts';
import type { ApiObject } from '../../../json/api-object.ts';
import type { BuiltInObject } from '../../../json/built-in-object.ts';
import { BuiltInStrategy } from '../../../registry/built-in-strategy.ts';
import { errorsOfRule } from '../../validation/errors-of-rule.ts';
import { requireChoice, validateChoice } from '../../validation/validate-choice.ts';
import { validateLabelSelector } from '../../validation/validate-label-selector.ts';
import { setMatchDefaults, validateMatch, validateMutatingOperations } from './match-resources.ts';

/** A binding of either kind. */
type Binding = ApiObject & { spec?: MutatingAdmissionPolicyBindingSpec };

const actions = ['Audit', 'Deny', 'Warn'];

/** Bindings of policies: parameters, and a subset of the requests that the policy matches. */
class PolicyBindingStrategy extends BuiltInStrategy {
  override setDefaults({ spec }: Binding): void {
    setMatchDefaults(spec?.matchResources);
  }

  override validate({ spec = {} }: Binding): FieldError[] {
    const { policyName = '', paramRef, matchResources } = spec;
    return [
      ...(policyName === ''
        ? [required('spec.policyName')]
        : errorsOfRule('spec.policyName', policyName, subdomain)),
      ...(paramRef ? validateParamRef(paramRef, 'spec.paramRef') : []),
      ...(matchResources ? validateMatch(matchResources, 'spec.matchResources') : []),
    ];
  }
}

/** MutatingAdmissionPolicyBindings. */
export class MutatingPolicyBindingStrategy extends PolicyBindingStrategy {
  override validate(object: Binding): FieldError[] {
    return [
      ...super.validate(object),
      ...validateMutatingOperations(object.spec?.matchResources, 'spec.matchResources'),
    ];
  }
}

/** ValidatingAdmissionPolicyBindings, which also state the actions for requests that fail. */
export class ValidatingPolicyBindingStrategy extends PolicyBindingStrategy {
  override validate(object: BuiltInObject<ValidatingAdmissionPolicyBinding>): FieldError[] {
    return [...super.validate(object), ...validateActions(object.spec.validationActions ?? [])];
  }
}

function validateActions(sent: readonly string[]): FieldError[] {
  const field = 'spec.validationActions';
  if (sent.length === 0) return [required(field, 'at least one validation action is required')];
  return [
    ...sent.flatMap((action, index) => [
      ...validateChoice(`${field}[${index}]`, action, actions),
      ...(sent.indexOf(action) < index ? [duplicate(`${field}[${index}]`, action)] : []),
    ]),
    ...(sent.includes('Deny') && sent.includes('Warn')
      ? [
          invalid(
            field,
            sent,
            'must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)',
          ),
        ]
      : []),
  ];
}

function validateParamRef(
  { name = '', selector, parameterNotFoundAction }: ParamRef,
  path: string,
): FieldError[] {
  const both = name !== '' && selector !== undefined;
  return [
    ...(name === '' ? [] : errorsOfRule(`${path}.name`, name, pathSegment)),
    ...(selector ? validateLabelSelector(selector, `${path}.selector`) : []),
    ...(both
      ? ['name', 'selector'].map((field) =>
          forbidden(`${path}.${field}`, 'name and selector are mutually exclusive'),
        )
      : []),
    ...(name === '' && !selector ? [required(path, 'one of name or selector must be specified')] : []),
    ...requireChoice(`${path}.parameterNotFoundAction`, parameterNotFoundAction, ['Deny', 'Allow']),
  ];
}
