import { PatternMatcher } from 'ots-cel/pattern-matcher';
import type {
  ConfigMapVolumeSource,
  FCVolumeSource,
  ISCSIVolumeSource,
  ImageVolumeSource,
  SecretVolumeSource,
  Volume,
} from 'ots-kubernetes/core/v1';
import { dnsLabel, subdomain } from 'ots-apimachinery/names';
import { nanosOf } from 'ots-apimachinery/quantity/amount';
import { type FieldError, forbidden, invalid, required, tooLong } from '../../../status/field-error.ts';
import { errorsOfRule } from '../../validation/errors-of-rule.ts';
import { requireChoice, validateChoice } from '../../validation/validate-choice.ts';
import { validateRange } from '../../validation/validate-number.ts';
import { validateClaimTemplate } from './validate-claim-template.ts';
import { validateFileMode, validateNoBacksteps, validateRelativePath } from './path-rules.ts';
import { validateKeyToPath } from './validate-key-to-path.ts';
import { validateDownwardFile, validateProjected } from './validate-projected.ts';

/** A kind of volume source. */
export type VolumeKind = Exclude<keyof Volume, 'name'>;

type Source<K extends VolumeKind> = NonNullable<Volume[K]>;

/** In the order in which a server checks them: the first one of a volume counts. */
const rules: { [K in VolumeKind]: (source: Source<K>, path: string) => FieldError[] } = {
  emptyDir: ({ sizeLimit }, path) =>
    sizeLimit !== undefined && nanosOf(sizeLimit) < 0n
      ? [forbidden(`${path}.sizeLimit`, 'SizeLimit field must be a valid resource quantity')]
      : [],
  hostPath: ({ path: host, type }, path) =>
    host
      ? [...validateNoBacksteps(`${path}.path`, host), ...validateHostPathType(type ?? '', `${path}.type`)]
      : [required(`${path}.path`)],
  gitRepo: (source, path) => [
    ...requireAll(source, ['repository'], path),
    ...validateRelativePath(`${path}.directory`, source.directory ?? ''),
  ],
  gcePersistentDisk: (source, path) =>
    validateDisk(source, 'pdName', path.replace(/gcePersistentDisk$/, 'persistentDisk')),
  awsElasticBlockStore: (source, path) => validateDisk(source, 'volumeID', path),
  secret: (source, path) => [...requireAll(source, ['secretName'], path), ...validateFiles(source, path)],
  nfs: (source, path) => [
    ...requireAll(source, ['server', 'path'], path),
    ...(source.path?.startsWith('/')
      ? []
      : [invalid(`${path}.path`, source.path ?? '', 'must be an absolute path')]),
  ],
  iscsi: validateIscsi,
  glusterfs: (source, path) => requireAll(source, ['endpoints', 'path'], path),
  flocker: ({ datasetName = '', datasetUUID = '' }, path) => [
    ...(datasetName + datasetUUID === ''
      ? [required(path, 'one of datasetName and datasetUUID is required')]
      : []),
    ...(datasetName !== '' && datasetUUID !== ''
      ? [invalid(path, 'resource', 'datasetName and datasetUUID can not be specified simultaneously')]
      : []),
    ...(datasetName.includes('/')
      ? [invalid(`${path}.datasetName`, datasetName, "must not contain '/'")]
      : []),
  ],
  persistentVolumeClaim: (source, path) => requireAll(source, ['claimName'], path),
  rbd: (source, path) => [
    ...(source.monitors?.length ? [] : [required(`${path}.monitors`)]),
    ...requireAll(source, ['image'], path),
  ],
  cinder: (source, path) => [
    ...requireAll(source, ['volumeID'], path),
    ...requireSecretName(source.secretRef, path),
  ],
  cephfs: ({ monitors }, path) => (monitors?.length ? [] : [required(`${path}.monitors`)]),
  quobyte: validateQuobyte,
  downwardAPI: ({ defaultMode, items }, path) => [
    ...validateFileMode(`${path}.defaultMode`, defaultMode),
    ...(items ?? []).flatMap((file) => validateDownwardFile(file, path)),
  ],
  fc: validateFibreChannel,
  flexVolume: (source, path) => [
    ...requireAll(source, ['driver'], path),
    ...Object.keys(source.options ?? {})
      .filter((name) => /(^|\.)(kubernetes|k8s)\.io$/i.test(name.split('/', 1)[0] ?? ''))
      .map((name) =>
        invalid(`${path}.options[${name}]`, name, 'kubernetes.io and k8s.io namespaces are reserved'),
      ),
  ],
  configMap: (source, path) => [...requireAll(source, ['name'], path), ...validateFiles(source, path)],
  azureFile: (source, path) => requireAll(source, ['secretName', 'shareName'], path),
  vsphereVolume: (source, path) => requireAll(source, ['volumePath'], path),
  photonPersistentDisk: (source, path) => requireAll(source, ['pdID'], path),
  portworxVolume: (source, path) => requireAll(source, ['volumeID'], path),
  azureDisk: validateAzureDisk,
  storageos: (source, path) => [
    ...requireAll(source, ['volumeName'], path),
    ...(source.volumeName ? errorsOfRule(`${path}.volumeName`, source.volumeName, dnsLabel) : []),
    ...(source.volumeNamespace
      ? errorsOfRule(`${path}.volumeNamespace`, source.volumeNamespace, dnsLabel)
      : []),
    ...requireSecretName(source.secretRef, path),
  ],
  projected: validateProjected,
  scaleIO: (source, path) => requireAll(source, ['gateway', 'system', 'volumeName'], path),
  csi: ({ driver, nodePublishSecretRef }, path) => [
    ...validateDriverName(driver, `${path}.driver`),
    ...requireSecretName(nodePublishSecretRef, path, 'nodePublishSecretRef'),
    ...(nodePublishSecretRef?.name ? errorsOfRule(`${path}.name`, nodePublishSecretRef.name, subdomain) : []),
  ],
  ephemeral: ({ volumeClaimTemplate }, path) =>
    volumeClaimTemplate
      ? validateClaimTemplate(volumeClaimTemplate, `${path}.volumeClaimTemplate`)
      : [required(`${path}.volumeClaimTemplate`)],
  image: validateImage,
};

/** The kinds of volume sources, in the order in which a server checks them. */
export const volumeKinds = Object.keys(rules) as VolumeKind[];

/**
 * Validates a volume source.
 *
 * @param kind the kind of the source that counts
 * @param path the path of the volume
 */
export function validateVolumeSource(volume: Volume, kind: VolumeKind, path: string): FieldError[] {
  // The kinds match, which a union of functions cannot express.
  const rule = rules[kind] as (source: unknown, path: string) => FieldError[];
  return rule(volume[kind], `${path}.${kind}`);
}

function requireAll<T>(source: T, names: readonly (keyof T & string)[], path: string): FieldError[] {
  return names.filter((name) => !source[name]).map((name) => required(`${path}.${name}`));
}

function requireSecretName(
  reference: { name?: string } | undefined,
  path: string,
  field = 'secretRef',
): FieldError[] {
  return reference && !reference.name ? [required(`${path}.${field}.name`)] : [];
}

function validateHostPathType(type: string, field: string): FieldError[] {
  const types = [
    '',
    'BlockDevice',
    'CharDevice',
    'Directory',
    'DirectoryOrCreate',
    'File',
    'FileOrCreate',
    'Socket',
  ];
  return validateChoice(field, type, types);
}

function validateDisk<K extends string>(
  source: { [name in K]?: string } & { partition?: number },
  name: K,
  path: string,
): FieldError[] {
  const { partition = 0 } = source;
  const isGood = partition >= 0 && partition <= 255;
  return [
    ...(source[name] ? [] : [required(`${path}.${name}`)]),
    ...(isGood ? [] : [invalid(`${path}.partition`, partition, 'must be between 1 and 255, inclusive')]),
  ];
}

function validateFiles(source: SecretVolumeSource | ConfigMapVolumeSource, path: string): FieldError[] {
  return [
    ...validateFileMode(`${path}.defaultMode`, source.defaultMode),
    ...(source.items ?? []).flatMap((item, index) => validateKeyToPath(item, `${path}.items[${index}]`)),
  ];
}

function validateIscsi(source: ISCSIVolumeSource, path: string): FieldError[] {
  const { iqn, lun, initiatorName, secretRef } = source;
  const needsSecret = (source.chapAuthDiscovery || source.chapAuthSession) && !secretRef;
  return [
    ...requireAll(source, ['targetPortal', 'iqn'], path),
    ...(iqn ? validateQualifiedIscsi(iqn, `${path}.iqn`) : []),
    ...validateRange(`${path}.lun`, lun, 0, 255),
    ...(needsSecret ? [required(`${path}.secretRef`)] : []),
    ...(initiatorName === undefined ? [] : validateQualifiedIscsi(initiatorName, `${path}.initiatorname`)),
  ];
}

let iscsiMatcher: PatternMatcher | undefined;

/** It may start anywhere, so JavaScript would try a long name from each of its parts. */
function iscsiName(): PatternMatcher {
  iscsiMatcher ??= PatternMatcher.compile(String.raw`iqn\.\d{4}-\d{2}\.[A-Za-z0-9.-]+:[^,;*&$|\s]+$`)!;
  return iscsiMatcher;
}

function validateQualifiedIscsi(name: string, field: string): FieldError[] {
  if (!/^(iqn|eui|naa)/.test(name))
    return [invalid(field, name, 'must be valid format starting with iqn, eui, or naa')];
  const isGood =
    iscsiName().matches(name, { left: Infinity }) === true ||
    /^(eui.[A-Za-z0-9]{16}|naa.[A-Za-z0-9]{32})$/.test(name);
  return isGood ? [] : [invalid(field, name, 'must be valid format')];
}

function validateFibreChannel(
  { targetWWNs = [], wwids = [], lun }: FCVolumeSource,
  path: string,
): FieldError[] {
  const field = `${path}.targetWWNs`;
  return [
    ...(targetWWNs.length + wwids.length === 0
      ? [required(field, 'must specify either targetWWNs or wwids, but not both')]
      : []),
    ...(targetWWNs.length > 0 && wwids.length > 0
      ? [invalid(field, targetWWNs, 'targetWWNs and wwids can not be specified simultaneously')]
      : []),
    ...(targetWWNs.length > 0 && lun === undefined
      ? [required(`${path}.lun`, 'lun is required if targetWWNs is specified')]
      : []),
    ...(targetWWNs.length > 0 ? validateRange(`${path}.lun`, lun, 0, 255) : []),
  ];
}

function validateQuobyte(source: Source<'quobyte'>, path: string): FieldError[] {
  const { registry, tenant = '' } = source;
  const form = 'must be a host:port pair or multiple pairs separated by commas';
  const errors: FieldError[] = [];
  if (!registry) errors.push(required(`${path}.registry`, form));
  else if (tenant.length >= 65)
    errors.push(required(`${path}.tenant`, 'must be a UUID and may not exceed a length of 64 characters'));
  else
    for (const pair of registry.split(','))
      if (!/^([^:[\]]*|\[[^[\]]*\]):[^:[\]]*$/.test(pair))
        errors.push(invalid(`${path}.registry`, registry, form));
  return [...errors, ...requireAll(source, ['volume'], path)];
}

function validateAzureDisk(source: Source<'azureDisk'>, path: string): FieldError[] {
  const { diskURI, cachingMode, kind } = source;
  const uris =
    kind === 'Managed'
      ? ['/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}']
      : ['https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd'];
  const isGood = diskURI.startsWith(kind === 'Managed' ? '/subscriptions/' : 'https://');
  return [
    ...requireAll(source, ['diskName', 'diskURI'], path),
    ...(cachingMode === undefined
      ? []
      : validateChoice(`${path}.cachingMode`, cachingMode, ['None', 'ReadOnly', 'ReadWrite'])),
    ...(kind === undefined ? [] : validateChoice(`${path}.kind`, kind, ['Dedicated', 'Managed', 'Shared'])),
    ...(kind === undefined || isGood ? [] : validateChoice(`${path}.diskURI`, diskURI, uris)),
  ];
}

function validateDriverName(name: string, field: string): FieldError[] {
  if (name === '') return [required(field)];
  return [
    ...(name.length > 63 ? [tooLong(field, 63)] : []),
    ...subdomain(name.toLowerCase()).map((message) => invalid(field, name, message)),
  ];
}

/** Only templates may omit the reference of an image: the creator of their pods sets it. */
function validateImage({ pullPolicy }: ImageVolumeSource, path: string): FieldError[] {
  return requireChoice(`${path}.pullPolicy`, pullPolicy, ['Always', 'IfNotPresent', 'Never']);
}
