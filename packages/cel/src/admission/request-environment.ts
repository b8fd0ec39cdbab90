import type { Environment } from '../compile.ts';
import { parseType } from '../declare/parse-type.ts';
import { type CelType, dynType, listOf, mapOf, struct } from '../types/cel-type.ts';
import { namespaceType, requestType } from './request-types.ts';

/** What an expression about a request may use besides the objects and the request. */
export interface RequestEnvironmentOptions {
  /** Whether `params` exists. Default false. */
  readonly params?: boolean;
  /** Whether `authorizer` exists. Default false. */
  readonly authorizer?: boolean;
  /** Whether `authorizer.requestResource` exists. Default: as `authorizer`. */
  readonly requestResource?: boolean;
  /** The types of `variables`. Undefined: there is no such variable. */
  readonly variables?: ReadonlyMap<string, CelType>;
  /** Whether the expression creates objects or patches. Default false. */
  readonly createsObjects?: boolean;
  /** The type of `object` and `oldObject`. Default: any. */
  readonly objectType?: CelType;
  /** The type of `params`. Default: any. */
  readonly paramsType?: CelType;
}

/** The environment of an expression about a request: a condition of a webhook, or an expression of a policy. */
export function requestEnvironment(options: RequestEnvironmentOptions): Environment {
  const { params, authorizer = false, variables, createsObjects = false } = options;
  const { objectType = dynType, paramsType = dynType } = options;
  const types = new Map<string, CelType>([
    ['object', objectType],
    ['oldObject', objectType],
    ['request', requestType],
    ['namespaceObject', namespaceType],
  ]);
  if (params) types.set('params', paramsType);
  if (authorizer) types.set('authorizer', parseType('authorizer'));
  if (options.requestResource ?? authorizer)
    types.set('authorizer.requestResource', parseType('resourceCheck'));
  if (variables) types.set('variables', struct('kubernetes.variables', variables));
  return { variables: types, createsObjects };
}

const keptKinds = new Set('bool bytes double duration int null string timestamp uint'.split(' '));

/** The type of a variable of a policy whose expression has a type: types with names become `dyn`. */
export function variableType(type: CelType): CelType {
  const [first, second] = type.params;
  if (type.kind === 'list' && first) return listOf(variableType(first));
  if (type.kind === 'map' && first && second) return mapOf(variableType(first), variableType(second));
  return keptKinds.has(type.kind) ? type : dynType;
}
