import type { Schema } from './schema.ts';

const string = (rest: Schema = {}): Schema => ({ type: 'string', ...rest });

const QUANTITY =
  '^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$';

const intOrString: Schema = {
  anyOf: [{ type: 'integer' }, { type: 'string' }],
  'x-kubernetes-int-or-string': true,
};

/** The constraints are those of k8s.io/apimachinery's metav1.Condition. */
const condition: Schema = {
  type: 'object',
  properties: new Map<string, Schema>([
    [
      'type',
      string({
        maxLength: 316,
        pattern:
          '^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$',
      }),
    ],
    ['status', string({ enum: ['True', 'False', 'Unknown'] })],
    [
      'observedGeneration',
      {
        type: 'integer',
        format: 'int64',
        minimum: 0,
      },
    ],
    ['lastTransitionTime', string({ format: 'date-time' })],
    [
      'reason',
      string({
        minLength: 1,
        maxLength: 1024,
        pattern: '^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$',
      }),
    ],
    ['message', string({ maxLength: 32_768 })],
  ]),
  required: ['lastTransitionTime', 'message', 'reason', 'status', 'type'],
};

/** An embedded ObjectMeta keeps what a template may set; without properties the API server would prune it. */
const objectMeta: Schema = {
  type: 'object',
  properties: new Map<string, Schema>([
    ['annotations', { type: 'object', additionalProperties: string() }],
    ['finalizers', { type: 'array', items: string() }],
    ['labels', { type: 'object', additionalProperties: string() }],
    ['name', string()],
    ['namespace', string()],
  ]),
};

/** The packages whose exported types are known by name. */
const PACKAGES = new Set(['ots-runtime', 'ots-kubernetes']);

const types: ReadonlyMap<string, Schema> = new Map<string, Schema>([
  ['int32', { type: 'integer', format: 'int32' }],
  ['int64', { type: 'integer', format: 'int64' }],
  ['float', { type: 'number', format: 'float' }],
  ['double', { type: 'number', format: 'double' }],
  ['IntOrString', intOrString],
  ['Quantity', { ...intOrString, pattern: QUANTITY }],
  ['Time', string({ format: 'date-time' })],
  ['MicroTime', string({ format: 'date-time' })],
  // Go writes durations as 1h30m; the format `duration` would be checked by another grammar.
  ['Duration', string()],
  ['Condition', condition],
  ['ObjectMeta', objectMeta],
]);

/** The names of the types that have a schema of their own. */
export const builtinTypeNames: readonly string[] = [...types.keys()];

/** Whether a package exports the types of Kubernetes itself. */
export function isKubernetesPackage(specifier: string): boolean {
  return PACKAGES.has(specifier);
}

/** The schema of a type of ots-runtime or ots-kubernetes. */
export function builtinType(name: string): Schema | undefined {
  return types.get(name);
}

/** Whether a schema is that of Condition, whose lists are keyed by type. */
export function isCondition(schema: Schema): boolean {
  return schema.properties === condition.properties;
}
