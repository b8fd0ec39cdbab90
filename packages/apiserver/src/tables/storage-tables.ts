import type { JsonObject } from '../json/json-object.ts';
import { at, listAt, numberAt, textAt } from '../json/value-at.ts';
import { ageOf, nameOf } from './common-cells.ts';
import { type TableKind, columnsOf } from './table-kind.ts';

const accessModes = new Map([
  ['ReadWriteOnce', 'RWO'],
  ['ReadOnlyMany', 'ROX'],
  ['ReadWriteMany', 'RWX'],
  ['ReadWriteOncePod', 'RWOP'],
]);

export const persistentVolumeTable: TableKind = {
  columns: columnsOf(
    'Name:name, Capacity, Access Modes, Reclaim Policy, Status, Claim, StorageClass, VolumeAttributesClass, Reason, Age, VolumeMode+',
  ),
  cells(object, now) {
    const claim = at(object, 'spec', 'claimRef');
    return [
      nameOf(object),
      textAt(object, 'spec', 'capacity', 'storage') || '0',
      formatAccessModes(listAt(object, 'spec', 'accessModes')),
      textAt(object, 'spec', 'persistentVolumeReclaimPolicy'),
      phaseOf(object),
      claim === undefined ? '' : `${textAt(claim, 'namespace')}/${textAt(claim, 'name')}`,
      storageClass(object),
      at(object, 'spec', 'volumeAttributesClassName') ?? '<unset>',
      textAt(object, 'status', 'reason'),
      ageOf(object, now),
      at(object, 'spec', 'volumeMode') ?? '<unset>',
    ];
  },
};

export const persistentVolumeClaimTable: TableKind = {
  columns: columnsOf(
    'Name:name, Status, Volume, Capacity, Access Modes, StorageClass, VolumeAttributesClass, Age, VolumeMode+',
  ),
  cells(object, now) {
    const volume = textAt(object, 'spec', 'volumeName');
    const isBound = volume !== '';
    return [
      nameOf(object),
      phaseOf(object),
      volume,
      isBound ? textAt(object, 'status', 'capacity', 'storage') || '0' : '',
      isBound ? formatAccessModes(listAt(object, 'status', 'accessModes')) : '',
      storageClass(object),
      at(object, 'spec', 'volumeAttributesClassName') ?? '<unset>',
      ageOf(object, now),
      at(object, 'spec', 'volumeMode') ?? '<unset>',
    ];
  },
};

export const storageClassTable: TableKind = {
  columns: columnsOf('Name:name, Provisioner, ReclaimPolicy, VolumeBindingMode, AllowVolumeExpansion, Age'),
  cells(object, now) {
    const isDefault = ['storageclass.kubernetes.io', 'storageclass.beta.kubernetes.io'].some(
      (prefix) => at(object, 'metadata', 'annotations', `${prefix}/is-default-class`) === 'true',
    );
    return [
      `${nameOf(object)}${isDefault ? ' (default)' : ''}`,
      textAt(object, 'provisioner'),
      at(object, 'reclaimPolicy') ?? 'Delete',
      at(object, 'volumeBindingMode') ?? 'Immediate',
      at(object, 'allowVolumeExpansion') ?? false,
      ageOf(object, now),
    ];
  },
};

export const volumeAttachmentTable: TableKind = {
  columns: columnsOf('Name:name, Attacher:name, PV, Node, Attached:boolean, Age'),
  cells: (object, now) => [
    nameOf(object),
    textAt(object, 'spec', 'attacher'),
    textAt(object, 'spec', 'source', 'persistentVolumeName'),
    textAt(object, 'spec', 'nodeName'),
    at(object, 'status', 'attached') ?? false,
    ageOf(object, now),
  ],
};

/** The cells of objects whose only number is the length of a list. */
export function countTable(column: string, ...path: string[]): TableKind {
  return {
    columns: columnsOf(`Name:name, ${column}:integer, Age`),
    cells: (object, now) => [nameOf(object), listAt(object, ...path).length, ageOf(object, now)],
  };
}

export const priorityClassTable: TableKind = {
  columns: columnsOf('Name:name, Value:integer, Global-Default:boolean, Age, PreemptionPolicy'),
  cells: (object, now) => [
    nameOf(object),
    numberAt(object, 'value'),
    at(object, 'globalDefault') ?? false,
    ageOf(object, now),
    textAt(object, 'preemptionPolicy'),
  ],
};

function formatAccessModes(modes: readonly unknown[]): string {
  return [...accessModes]
    .filter(([mode]) => modes.includes(mode))
    .map(([, short]) => short)
    .join(',');
}

function phaseOf(object: JsonObject): string {
  return at(object, 'metadata', 'deletionTimestamp') === undefined
    ? textAt(object, 'status', 'phase')
    : 'Terminating';
}

function storageClass(object: JsonObject): unknown {
  return (
    at(object, 'metadata', 'annotations', 'volume.beta.kubernetes.io/storage-class') ??
    textAt(object, 'spec', 'storageClassName')
  );
}
