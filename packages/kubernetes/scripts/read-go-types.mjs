import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const cwd = fileURLToPath(new URL('type-schemas/kubernetes/', import.meta.url));
const nullTypes = [
  'k8s.io/apimachinery/pkg/apis/meta/v1.MicroTime',
  'k8s.io/apimachinery/pkg/apis/meta/v1.Time',
  'k8s.io/apimachinery/pkg/runtime.RawExtension',
];
const zeros = new Map([
  ...nullTypes.map((type) => [type, null]),
  ['bool', false],
  ['bytes', null],
  ['float64', 0],
  ['int32', 0],
  ['int64', 0],
  ['k8s.io/apimachinery/pkg/api/resource.Quantity', '0'],
  ['k8s.io/apimachinery/pkg/util/intstr.IntOrString', 0],
  ['string', ''],
]);

/**
 * What the OpenAPI documents do not say about a field: whether Go writes it when it is not set.
 *
 * @returns {Map<string, Map<string, { isPointer: boolean, zero: unknown }>>} the fields of each definition, by its
 *   full name in the documents; `zero` is undefined where Go writes nothing
 */
export function readGoTypes() {
  const facts = execFileSync('go', ['run', './protobuf-facts'], {
    cwd,
    maxBuffer: 2 ** 28,
    encoding: 'utf8',
  });
  const types = new Map(JSON.parse(facts).map((type) => [type.name, type]));
  const structs = [...types.values()].filter(({ marshals }) => !marshals);
  return new Map(structs.map((type) => [definitionOf(type.name), new Map(fieldsOf(type, types))]));
}

function fieldsOf({ fields }, types) {
  return fields.flatMap((field) =>
    field.json === ''
      ? fieldsOf(types.get(field.type), types)
      : [[field.json, { isPointer: field.shape === 'pointer', zero: zeroOf(field) }]],
  );
}

function zeroOf({ type, shape, omitEmpty, omitZero }) {
  // For Go a struct is never empty, so `omitempty` has no effect on one.
  const isStruct = !shape && type.includes('/');
  if (omitZero || (omitEmpty && !isStruct)) return undefined;
  if (shape) return null;
  return zeros.has(type) ? zeros.get(type) : {};
}

/** @param {string} type such as k8s.io/api/apps/v1.Deployment */
function definitionOf(type) {
  return type.replace('k8s.io/', 'io.k8s.').replaceAll('/', '.');
}
