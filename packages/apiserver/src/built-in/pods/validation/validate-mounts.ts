import type { Container, Volume, VolumeDevice, VolumeMount } from 'ots-kubernetes/core/v1';
import { type FieldError, forbidden, invalid, notFound, required } from '../../../status/field-error.ts';
import { validateChoice } from '../../validation/validate-choice.ts';
import { validateNoBacksteps, validateRelativePath } from './path-rules.ts';

/** The valid volumes of a pod, by name. */
export type Volumes = ReadonlyMap<string, Volume>;

/** Validates a container's volume mounts and devices. */
export function validateMounts(container: Container, volumes: Volumes, path: string): FieldError[] {
  const { volumeMounts = [], volumeDevices = [] } = container;
  return [
    ...volumeMounts.flatMap((_, index) => validateMount(container, index, volumes, path)),
    ...volumeDevices.flatMap((_, index) => validateDevice(container, index, volumes, path)),
  ];
}

function validateMount(
  container: Container,
  index: number,
  volumes: Volumes,
  containerPath: string,
): FieldError[] {
  const { volumeMounts = [], volumeDevices = [] } = container;
  const mount = volumeMounts[index] as VolumeMount;
  const { name, mountPath } = mount;
  const list = `${containerPath}.volumeMounts`;
  const path = `${list}[${index}]`;
  const errors: FieldError[] = [];
  if (name === '') errors.push(required(`${path}.name`));
  if (!volumes.has(name)) errors.push(notFound(`${path}.name`, name));
  if (mountPath === '') errors.push(required(`${path}.mountPath`));
  if (volumeMounts.slice(0, index).some((other) => (other.mountPath ?? '') === mountPath))
    errors.push(invalid(`${path}.mountPath`, mountPath, 'must be unique'));
  if (volumeDevices.some((device) => device.name === name))
    errors.push(invalid(`${path}.name`, name, 'must not already exist in volumeDevices'));
  if (volumeDevices.some(({ devicePath }) => devicePath === mountPath))
    errors.push(invalid(`${path}.mountPath`, mountPath, 'must not already exist as a path in volumeDevices'));
  return [
    ...errors,
    ...validateSubPath(mount, list, path),
    ...validatePropagation(mount, container, list),
    ...validateReadOnly(mount, list),
  ];
}

/** @param list the path at which the real server reports these errors */
function validateSubPath({ subPath, subPathExpr }: VolumeMount, list: string, path: string): FieldError[] {
  return [
    ...(subPath ? validateRelativePath(`${list}.subPath`, subPath) : []),
    ...(subPath && subPathExpr
      ? [invalid(`${path}.subPathExpr`, subPathExpr, 'subPathExpr and subPath are mutually exclusive')]
      : []),
    ...(subPathExpr ? validateRelativePath(`${list}.subPathExpr`, subPathExpr) : []),
  ];
}

function validatePropagation(
  { mountPropagation }: VolumeMount,
  { securityContext }: Container,
  list: string,
): FieldError[] {
  if (mountPropagation === undefined) return [];
  const field = `${list}.mountPropagation`;
  const isAllowed = mountPropagation !== 'Bidirectional' || securityContext?.privileged === true;
  return [
    ...validateChoice(field, mountPropagation, ['Bidirectional', 'HostToContainer', 'None']),
    ...(isAllowed
      ? []
      : [forbidden(field, 'Bidirectional mount propagation is available only to privileged containers')]),
  ];
}

function validateReadOnly(mount: VolumeMount, list: string): FieldError[] {
  const { recursiveReadOnly, readOnly, mountPropagation } = mount;
  if (recursiveReadOnly === undefined || recursiveReadOnly === 'Disabled') return [];
  const field = `${list}.recursiveReadOnly`;
  const modes = ['Disabled', 'Enabled', 'IfPossible'];
  if (!modes.includes(recursiveReadOnly)) return validateChoice(field, recursiveReadOnly, modes);
  return [
    ...(readOnly ? [] : [forbidden(field, 'may only be specified when readOnly is true')]),
    ...(mountPropagation !== undefined && mountPropagation !== 'None'
      ? [forbidden(field, 'may only be specified when mountPropagation is None or not specified')]
      : []),
  ];
}

function validateDevice(
  { volumeMounts = [], volumeDevices = [] }: Container,
  index: number,
  volumes: Volumes,
  containerPath: string,
): FieldError[] {
  const path = `${containerPath}.volumeDevices[${index}]`;
  const { name, devicePath } = volumeDevices[index] as VolumeDevice;
  const earlier = volumeDevices.slice(0, index);
  const volume = volumes.get(name);
  const errors: FieldError[] = [];
  if (name === '') errors.push(required(`${path}.name`));
  else if (earlier.some((other) => other.name === name))
    errors.push(invalid(`${path}.name`, name, 'must be unique'));
  if (!volume) errors.push(notFound(`${path}.name`, name));
  else if (!volume.persistentVolumeClaim && !volume.ephemeral)
    errors.push(
      invalid(
        `${path}.name`,
        name,
        'can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode',
      ),
    );
  if (devicePath === '') errors.push(required(`${path}.devicePath`));
  if (earlier.some((other) => (other.devicePath ?? '') === devicePath && !hasBacksteps(devicePath)))
    errors.push(invalid(`${path}.devicePath`, devicePath, 'must be unique'));
  if (hasBacksteps(devicePath))
    errors.push(invalid(`${path}.devicePath`, devicePath, "can not contain backsteps ('..')"));
  if (volumeMounts.some((mount) => mount.name === name))
    errors.push(invalid(`${path}.name`, name, 'must not already exist in volumeMounts'));
  if (volumeMounts.some(({ mountPath }) => mountPath === devicePath))
    errors.push(
      invalid(`${path}.devicePath`, devicePath, 'must not already exist as a path in volumeMounts'),
    );
  return errors;
}

function hasBacksteps(path: string): boolean {
  return validateNoBacksteps('', path).length > 0;
}
