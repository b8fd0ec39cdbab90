import type { GoField, GoStruct, GoType } from 'ots-apiserver/decoding';
import { csvType } from '../bundle/csv-type.ts';

const text: GoType = { kind: 'string', name: 'string' };
const bytes: GoType = { kind: 'bytes', name: '[]uint8' };
const json: GoType = { kind: 'json', name: 'json.RawMessage' };

/** The types of objects in a catalog. Properties are read by themselves: for their values, null and absent differ. */
export const blobTypes = {
  package: struct('Package', {
    name: text,
    defaultChannel: text,
    icon: struct('Icon', { base64data: bytes, mediatype: text }),
    description: text,
    properties: list(json),
  }),
  channel: struct('Channel', {
    name: text,
    package: text,
    entries: list(struct('ChannelEntry', { name: text, replaces: text, skips: list(text), skipRange: text })),
    properties: list(json),
  }),
  bundle: struct('Bundle', {
    name: text,
    package: text,
    image: text,
    properties: list(json),
    relatedImages: list(struct('RelatedImage', { name: text, image: text })),
  }),
  deprecations: struct('Deprecation', {
    package: text,
    entries: list(
      struct('DeprecationEntry', {
        reference: struct('PackageScopedReference', { schema: text, name: text }),
        message: text,
      }),
    ),
  }),
} as const;

const groupVersionKind = struct('GVK', { group: text, version: text, kind: text });

/** The type of the value of a property. Values of types that OLM does not know can be anything. */
export function propertyType(type: string): GoType {
  if (type === 'olm.csv.metadata') return metadataType();
  return propertyTypes.get(type) ?? json;
}

const propertyTypes: ReadonlyMap<string, GoType> = new Map([
  ['olm.package', struct('Package', { packageName: text, version: text, release: text })],
  ['olm.package.required', struct('PackageRequired', { packageName: text, versionRange: text })],
  ['olm.gvk', groupVersionKind],
  ['olm.gvk.required', groupVersionKind],
  ['olm.bundle.object', struct('BundleObject', { data: bytes })],
  ['olm.channel', struct('Channel', { channelName: text })],
]);

/** What `olm.csv.metadata` has of a ClusterServiceVersion: by its name there, the field of `spec`. */
const metadataFields: Readonly<Record<string, string>> = {
  annotations: 'annotations',
  apiServiceDefinitions: 'apiservicedefinitions',
  crdDescriptions: 'customresourcedefinitions',
  description: 'description',
  displayName: 'displayName',
  installModes: 'installModes',
  keywords: 'keywords',
  labels: 'labels',
  links: 'links',
  maintainers: 'maintainers',
  maturity: 'maturity',
  minKubeVersion: 'minKubeVersion',
  nativeAPIs: 'nativeAPIs',
  provider: 'provider',
};

function metadataType(): GoType {
  const spec = csvType().fields.get('spec')?.type;
  const fields = spec?.kind === 'struct' ? spec.fields : new Map<string, GoField>();
  const types = Object.entries(metadataFields).map(([name, field]) => [
    name,
    fields.get(field)?.type ?? json,
  ]);
  metadata ??= struct('CSVMetadata', Object.fromEntries(types));
  return metadata;
}

let metadata: GoStruct | undefined;

function list(items: GoType): GoType {
  return { kind: 'list', name: `[]${items.name}`, items };
}

function struct(name: string, types: Record<string, GoType>): GoStruct {
  const fields = Object.entries(types).map(([field, type]): [string, GoField] => [
    field,
    { name: field, goPath: field, type, isForgotten: false, keepsZero: false, whenAbsent: undefined },
  ]);
  return { kind: 'struct', name, fields: new Map(fields), written: [] };
}
