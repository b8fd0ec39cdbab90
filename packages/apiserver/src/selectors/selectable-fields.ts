import { isInteger } from '../json/exact-integer.ts';
import { getKey, isObject } from '../json/json-object.ts';

/** Reads the field that a selector compares, as a string. */
export type FieldReader = (object: object) => string;

/** The selectable fields of one kind. */
export interface SelectableFields {
  readonly fields: ReadonlyMap<string, FieldReader>;
  /** The error about any other field, in the words of kube-apiserver. */
  readonly refuse: (field: string) => string;
}

const metadata = ['metadata.name', 'metadata.namespace'];
const notSupported = (field: string) => `field label not supported: ${field}`;

const eventFields = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'];

/** The reporting component is the source of an event, unless the older field is set. */
const eventSource: FieldReader = (object) =>
  textAt(object, 'source.component') || textAt(object, 'reportingComponent');

const firstPodIp: FieldReader = (object) => {
  const ips = valueAt(object, 'status.podIPs');
  const [first]: unknown[] = Array.isArray(ips) ? ips : [];
  return isObject(first) ? textAt(first, 'ip') : textAt(object, 'status.podIP');
};

const builtIn = new Map<string, SelectableFields>([
  [
    '/pods',
    kind(
      [
        ...metadata,
        'spec.nodeName',
        'spec.restartPolicy',
        'spec.schedulerName',
        'spec.serviceAccountName',
        'status.phase',
        'status.nominatedNodeName',
      ],
      [
        ['spec.host', at('spec.nodeName')],
        ['spec.hostNetwork', at('spec.hostNetwork', 'false')],
        ['status.podIP', firstPodIp],
        // Accepted, but the server ignores it.
        ['status.podIPs', () => ''],
      ],
    ),
  ],
  ['/nodes', kind(['metadata.name'], [['spec.unschedulable', at('spec.unschedulable', 'false')]])],
  ['/replicationcontrollers', kind(metadata, [['status.replicas', at('status.replicas', '0')]])],
  [
    '/events',
    kind(
      [
        ...metadata,
        'reason',
        'reportingComponent',
        'type',
        ...eventFields.map((name) => `involvedObject.${name}`),
      ],
      [['source', eventSource]],
    ),
  ],
  [
    'events.k8s.io/events',
    kind([
      ...metadata,
      'reason',
      'reportingController',
      'type',
      ...eventFields.map((name) => `regarding.${name}`),
    ]),
  ],
  ['/namespaces', kind(['metadata.name', 'status.phase'])],
  ['/secrets', kind([...metadata, 'type'])],
  ['/services', kind([...metadata, 'spec.clusterIP', 'spec.type'])],
  [
    'batch/jobs',
    kind(
      metadata,
      [['status.successful', at('status.succeeded', '0')]],
      (field) => `field label ${JSON.stringify(field)} not supported for Job`,
    ),
  ],
  ['certificates.k8s.io/certificatesigningrequests', kind(['metadata.name', 'spec.signerName'])],
  [
    'resource.k8s.io/resourceslices',
    kind(
      ['metadata.name', 'spec.nodeName', 'spec.driver'],
      [],
      (field) => `field label not supported for resource.k8s.io/v1, Kind=ResourceSlice: ${field}`,
    ),
  ],
]);

const anyBuiltIn = kind(
  metadata,
  [],
  (field) =>
    `${JSON.stringify(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`,
);

/** The selectable fields of a built-in resource. */
export function builtInFields({ group, plural }: { group: string; plural: string }): SelectableFields {
  return builtIn.get(`${group}/${plural}`) ?? anyBuiltIn;
}

/** @param paths JSON paths in the object, such as `.spec.size`, from `selectableFields` of the version */
export function customFields(isNamespaced: boolean, paths: readonly string[]): SelectableFields {
  const declared = paths.map((path): [string, FieldReader] => [path.replace(/^\./, ''), at(path.slice(1))]);
  return kind(isNamespaced ? metadata : ['metadata.name'], declared);
}

function kind(
  plain: readonly string[],
  others: readonly (readonly [string, FieldReader])[] = [],
  refuse: (field: string) => string = notSupported,
): SelectableFields {
  return { fields: new Map([...plain.map((path) => [path, at(path)] as const), ...others]), refuse };
}

/** @param absent the value of an absent field */
function at(path: string, absent = ''): FieldReader {
  return (object) => textAt(object, path) || absent;
}

function textAt(object: object, path: string): string {
  const value = valueAt(object, path);
  if (typeof value === 'string') return value;
  return isInteger(value) || typeof value === 'number' || typeof value === 'boolean' ? `${value}` : '';
}

function valueAt(object: object, path: string): unknown {
  let value: unknown = object;
  for (const key of path.split('.')) value = isObject(value) ? getKey(value, key) : undefined;
  return value;
}
