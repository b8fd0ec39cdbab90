import { type GoField, type GoStruct, type GoType, goTypeOfKind } from 'ots-apiserver/decoding';
import type {
  Affinity,
  EnvFromSource,
  EnvVar,
  ResourceRequirements,
  Toleration,
  Volume,
  VolumeMount,
} from 'ots-kubernetes/core/v1';
import { WrongTypeError, decodeLikeGo } from '../bundle/decode-like-go.ts';
import { fieldOf, goStruct } from '../bundle/go-struct.ts';
import { type JsonObject, isObject, valueOf } from '../bundle/json.ts';

/** What a user changes in the Deployments of an operator. */
export interface DeploymentConfig {
  readonly affinity?: Affinity;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly env?: readonly EnvVar[];
  readonly envFrom?: readonly EnvFromSource[];
  readonly nodeSelector?: Readonly<Record<string, string>>;
  readonly resources?: ResourceRequirements;
  readonly tolerations?: readonly Toleration[];
  readonly volumeMounts?: readonly VolumeMount[];
  readonly volumes?: readonly Volume[];
}

/** The inline configuration of a ClusterExtension, checked. */
export interface Configuration {
  /** Absent where the operator watches what its install modes say. */
  readonly watchNamespace?: string;
  readonly deploymentConfig?: DeploymentConfig;
}

/** What the check of a configuration depends on. */
export interface ConfigurationContext {
  readonly installNamespace: string;
  /** The install modes of the operator. */
  readonly modes: ReadonlySet<string>;
  readonly allowsDeploymentConfig: boolean;
}

/**
 * Checks the inline configuration of a ClusterExtension. Source: the bundle configuration schema of operator-controller.
 *
 * @param given undefined without a configuration
 * @returns the configuration, or what is wrong with it
 */
export function readConfiguration(
  given: unknown,
  context: ConfigurationContext,
): Configuration | { readonly problems: readonly string[] } {
  const configuration = given === undefined ? {} : given;
  if (!isObject(configuration)) return { problems: ['the configuration is not an object'] };
  const known = [
    ...(isConfigurable(context) ? ['watchNamespace'] : []),
    ...(context.allowsDeploymentConfig ? ['deploymentConfig'] : []),
  ];
  const deployment = valueOf(configuration, 'deploymentConfig');
  const problems = [
    ...Object.keys(configuration)
      .filter((key) => !known.includes(key))
      .map((key) => `"${key}" is not a field of the configuration`),
    ...(isConfigurable(context) ? watchNamespaceProblems(configuration, context) : []),
    ...(context.allowsDeploymentConfig ? deploymentConfigProblems(deployment) : []),
  ];
  if (problems.length > 0) return { problems };
  const { watchNamespace } = configuration;
  return {
    ...(typeof watchNamespace === 'string' && { watchNamespace }),
    ...(isObject(deployment) && { deploymentConfig: decodeConfig(deployment) }),
  };
}

/** An operator that only watches all namespaces has nothing to configure. */
function isConfigurable({ modes }: ConfigurationContext): boolean {
  return modes.has('SingleNamespace') || modes.has('OwnNamespace');
}

function watchNamespaceProblems(configuration: JsonObject, context: ConfigurationContext): string[] {
  const { modes, installNamespace } = context;
  const value = valueOf(configuration, 'watchNamespace') ?? undefined;
  if (value === undefined)
    return modes.has('AllNamespaces')
      ? []
      : ['watchNamespace is missing: the operator does not watch all namespaces'];
  if (typeof value !== 'string') return ['watchNamespace is not a text'];
  if (value.length > 63 || !/^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/.test(value))
    return [`watchNamespace is ${JSON.stringify(value)}, not the name of a namespace`];
  if (installNamespace === '') return [];
  const isOwn = value === installNamespace;
  if (!modes.has('SingleNamespace') && !isOwn)
    return [`watchNamespace must be "${installNamespace}": the operator supports OwnNamespace only`];
  if (!modes.has('OwnNamespace') && isOwn)
    return [`watchNamespace must not be "${installNamespace}": the operator supports SingleNamespace only`];
  return [];
}

/** Null is not an object for the schema, so it is refused. */
function deploymentConfigProblems(value: unknown): string[] {
  if (value === undefined) return [];
  if (!isObject(value)) return ['deploymentConfig is not an object'];
  const { fields } = configType();
  const unknown = Object.keys(value).filter((key) => !fields.has(key));
  try {
    decodeConfig(value);
    return [
      ...unknown.map((key) => `deploymentConfig.${key} is not a field of the configuration`),
      ...schemaProblems(value, configType(), 'deploymentConfig'),
    ];
  } catch (error) {
    if (!(error instanceof WrongTypeError)) throw error;
    return [error.message];
  }
}

/** What the schema refuses and Go would decode: null, and fields that are missing. The types must be right. */
function schemaProblems(value: unknown, type: GoType, path: string): string[] {
  if (value === null) return [`${path} is null; leave it out`];
  if (type.kind === 'list')
    return Array.isArray(value)
      ? value.flatMap((item, index) => schemaProblems(item, type.items, `${path}[${index}]`))
      : [];
  if (!isObject(value)) return [];
  if (type.kind === 'map')
    return Object.entries(value).flatMap(([key, item]) => schemaProblems(item, type.items, `${path}.${key}`));
  if (type.kind !== 'struct') return [];
  return [
    ...type.written
      .filter((field) => isRequired(field) && value[field.name] === undefined)
      .map(({ name }) => `${path}.${name} is missing`),
    ...[...type.fields].flatMap(([name, field]) =>
      Object.hasOwn(value, name) ? schemaProblems(value[name], field.type, `${path}.${name}`) : [],
    ),
  ];
}

/** Go writes structs also where the schema does not require them, and null for a list that it does not require. */
const requiredStructs = new Set(['podAffinityTerm', 'preference', 'spec']);
const optionalList = 'sources';

/** The schema requires what Go writes even when it is empty, but for these. */
function isRequired({ name, type, whenAbsent }: GoField): boolean {
  if (type.kind === 'struct') return requiredStructs.has(name);
  return name !== optionalList && (whenAbsent === '' || whenAbsent === null || whenAbsent === 0);
}

function decodeConfig(value: JsonObject): DeploymentConfig {
  return decodeLikeGo(
    value,
    configType(),
    { textFromScalars: false, exactNames: true },
    'deploymentConfig',
  ) as DeploymentConfig;
}

/** The fields of pods and containers that a user may change. */
function configType(): GoStruct {
  const template = fieldOf(fieldOf(goTypeOfKind('apps', 'v1', 'Deployment'), 'spec'), 'template');
  const pod = fieldOf(template, 'spec');
  const containers = fieldOf(pod, 'containers');
  const container = containers.kind === 'list' ? containers.items : undefined;
  const types: Record<string, GoType> = {
    affinity: fieldOf(pod, 'affinity'),
    annotations: fieldOf(fieldOf(template, 'metadata'), 'annotations'),
    env: fieldOf(container, 'env'),
    envFrom: fieldOf(container, 'envFrom'),
    nodeSelector: fieldOf(pod, 'nodeSelector'),
    resources: fieldOf(container, 'resources'),
    tolerations: fieldOf(pod, 'tolerations'),
    volumeMounts: fieldOf(container, 'volumeMounts'),
    volumes: fieldOf(pod, 'volumes'),
  };
  return goStruct('SubscriptionConfig', types);
}
