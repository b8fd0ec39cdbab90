import type { ObjectMeta } from 'ots-kubernetes';
import type {
  CSIPersistentVolumeSource,
  PersistentVolumeSpec,
  SecretReference,
} from 'ots-kubernetes/core/v1';
import { dnsLabel, subdomain } from 'ots-apimachinery/names';
import { type FieldError, forbidden, required, tooLong } from '../../../status/field-error.ts';
import { validateNoBacksteps } from '../../pods/validation/path-rules.ts';
import { validateVolumeSource } from '../../pods/validation/validate-volume-source.ts';
import { errorsOfRule } from '../../validation/errors-of-rule.ts';

/** The sources of a PersistentVolume, in the order in which a server checks them. */
const kinds = [
  'hostPath',
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'glusterfs',
  'flocker',
  'nfs',
  'rbd',
  'quobyte',
  'cephfs',
  'iscsi',
  'cinder',
  'fc',
  'flexVolume',
  'azureFile',
  'vsphereVolume',
  'photonPersistentDisk',
  'portworxVolume',
  'azureDisk',
  'scaleIO',
  'local',
  'storageos',
  'csi',
] as const;

/** The sources that volumes of pods share. */
const sharedWithPods = new Set<string>([
  'hostPath',
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'flocker',
  'nfs',
  'quobyte',
  'fc',
  'vsphereVolume',
  'photonPersistentDisk',
  'portworxVolume',
  'azureDisk',
]);

/** The sources without mount options. */
const mountsPlainly = new Set<string>([
  'hostPath',
  'flocker',
  'fc',
  'flexVolume',
  'portworxVolume',
  'scaleIO',
  'local',
  'storageos',
  'csi',
]);

/** Checks that a PersistentVolume has exactly one valid source. */
export function validateSource(spec: PersistentVolumeSpec): FieldError[] {
  const [first, ...others] = kinds.filter((kind) => spec[kind] !== undefined);
  if (!first) return [required('spec', 'must specify a volume type')];
  return [
    ...validateKind(spec, first),
    ...others.map((kind) =>
      forbidden(`spec.${kind === 'cephfs' ? 'cephFS' : kind}`, 'may not specify more than 1 volume type'),
    ),
  ];
}

/** Checks that the legacy annotation for mount options is only used where it applies. */
export function validateMountOptions({ annotations }: ObjectMeta, spec: PersistentVolumeSpec): FieldError[] {
  const annotation = 'volume.beta.kubernetes.io/mount-options';
  const isUsed = kinds.some((kind) => spec[kind] !== undefined && !mountsPlainly.has(kind));
  if (annotations?.[annotation] === undefined || isUsed) return [];
  const detail = 'may not specify mount options for this volume type';
  return [forbidden(`metadata.annotations.${annotation}`, detail)];
}

/**
 * The immutable part of a source.
 *
 * @param old the source before: a secret for expansion can be added
 */
export function sourceOf(spec: PersistentVolumeSpec, old: PersistentVolumeSpec): object {
  const sources = Object.fromEntries(kinds.map((kind) => [kind, spec[kind]]));
  if (!spec.csi || old.csi?.controllerExpandSecretRef) return sources;
  const { controllerExpandSecretRef: _, ...csi } = spec.csi;
  return { ...sources, csi };
}

function validateKind(spec: PersistentVolumeSpec, kind: (typeof kinds)[number]): FieldError[] {
  if (kind === 'local') {
    const { path = '' } = spec.local ?? {};
    return path === '' ? [required('spec.local.path')] : validateNoBacksteps('spec.local.path', path);
  }
  if (kind === 'csi') return spec.csi ? validateCsi(spec.csi, 'spec.csi') : [];
  if (!sharedWithPods.has(kind)) return [];
  return validateVolumeSource({ name: '', [kind]: spec[kind] }, kind, 'spec');
}

function validateCsi(csi: CSIPersistentVolumeSource, path: string): FieldError[] {
  const references = [
    'controllerPublishSecretRef',
    'controllerExpandSecretRef',
    'nodePublishSecretRef',
    'nodeExpandSecretRef',
  ] as const;
  return [
    ...validateDriver(csi.driver, `${path}.driver`),
    ...(csi.volumeHandle ? [] : [required(`${path}.volumeHandle`)]),
    ...references.flatMap((name) => {
      const reference = csi[name];
      return reference ? validateSecretReference(reference, `${path}.${name}`) : [];
    }),
  ];
}

function validateDriver(driver: string, field: string): FieldError[] {
  if (driver === '') return [required(field)];
  return [
    ...(driver.length > 63 ? [tooLong(field, 63)] : []),
    ...errorsOfRule(field, driver, (text) => subdomain(text.toLowerCase())),
  ];
}

function validateSecretReference({ name, namespace }: SecretReference, path: string): FieldError[] {
  return [
    ...(name ? errorsOfRule(`${path}.name`, name, subdomain) : [required(`${path}.name`)]),
    ...(namespace ? errorsOfRule(`${path}.namespace`, namespace, dnsLabel) : [required(`${path}.namespace`)]),
  ];
}
