import type { CelType } from 'ots-cel';
import type {
  ExpressionWarning,
  ValidatingAdmissionPolicySpec,
} from 'ots-kubernetes/admissionregistration/v1';
import { cel } from '../../../crd/rules/cel.ts';
import type { Resource } from '../../../registry/resource.ts';
import type { ResourceRegistry } from '../../../registry/resource-registry.ts';
import { paramResource } from '../collect-params.ts';
import { ConfigurationError } from '../configuration-error.ts';
import { checkedResources, kindOf } from './checked-resources.ts';
import { kindSchema } from './kind-schema.ts';

/** A kind that the expressions of a policy are checked with. */
interface CheckedKind {
  readonly kind: string;
  readonly type: CelType;
}

/**
 * Checks the expressions of a policy with the types of the objects that it names. The policy has been validated, when
 * objects could be anything.
 *
 * @returns the warnings for its status
 */
export function checkTypes(
  spec: ValidatingAdmissionPolicySpec,
  registry: ResourceRegistry,
): ExpressionWarning[] {
  const rules = spec.matchConstraints?.resourceRules ?? [];
  const kinds = checkedResources(rules, registry.all()).flatMap((resource): CheckedKind[] => {
    const type = typeOf(resource);
    return type ? [{ kind: kindOf(resource), type }] : [];
  });
  const params = typeOfParams(spec, registry);
  const warn = (field: string, expression: string): ExpressionWarning[] => {
    const found = kinds.flatMap(({ kind, type }) => {
      const error = errorOf(expression, spec, type, params);
      return error === undefined ? [] : [`${kind}: ${error}\n`];
    });
    return found.length === 0 ? [] : [{ fieldRef: `spec.validations${field}`, warning: found.join('\n') }];
  };
  return (spec.validations ?? []).flatMap(({ expression, messageExpression = '' }, index) => [
    ...warn(`[${index}].expression`, expression),
    ...(messageExpression === '' ? [] : warn(`[${index}].messageExpression`, messageExpression)),
  ]);
}

function typeOf(resource: Resource): CelType | undefined {
  const schema = kindSchema(resource);
  return schema && cel().objectType(schema, `${resource.kind}1`);
}

function typeOfParams(
  { paramKind }: ValidatingAdmissionPolicySpec,
  registry: ResourceRegistry,
): CelType | undefined {
  if (!paramKind) return undefined;
  try {
    return typeOf(paramResource(paramKind, registry));
  } catch (error) {
    if (error instanceof ConfigurationError) return undefined;
    throw error;
  }
}

/** A variable whose expression has errors may be anything. */
function errorOf(
  expression: string,
  { variables = [], paramKind }: ValidatingAdmissionPolicySpec,
  objectType: CelType,
  paramsType: CelType | undefined,
): string | undefined {
  const { anyType, requestEnvironment, typeCheck, variableType } = cel();
  const types = new Map<string, CelType>();
  const environment = requestEnvironment({
    params: paramKind !== undefined,
    authorizer: true,
    requestResource: false,
    variables: types,
    objectType,
    ...(paramsType && { paramsType }),
  });
  for (const { name, expression: text } of variables) {
    const checked = typeCheck(text, environment);
    types.set(name, 'type' in checked ? variableType(checked.type) : anyType);
  }
  const checked = typeCheck(expression, environment);
  return 'error' in checked ? checked.error : undefined;
}
