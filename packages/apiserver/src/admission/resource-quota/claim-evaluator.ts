import type { PersistentVolumeClaim } from 'ots-kubernetes/core/v1';
import { type Amount, amountOf } from 'ots-apimachinery/quantity/amount';
import { StorageClasses } from '../../built-in/core/persistent-volume/storage-classes.ts';
import type { ApiObject } from '../../json/api-object.ts';
import { countOf, zero } from './amounts.ts';
import { type Evaluator, selectsName } from './evaluator.ts';

const counted = ['persistentvolumeclaims', 'requests.storage'];
const classSuffix = '.storageclass.storage.k8s.io/';
const unit = 1_000_000_000n;

/** Counts PersistentVolumeClaims and the storage that they ask for, in total and per storage class. */
export const claimEvaluator: Evaluator = {
  tracks: (name) =>
    name === 'count/persistentvolumeclaims' ||
    counted.some((known) => name === known || name.endsWith(`${classSuffix}${known}`)),
  handles: ({ operation, target }) =>
    target.subresource === ''
      ? operation === 'CREATE' || operation === 'UPDATE'
      : target.subresource === 'status' && operation === 'UPDATE',
  isInScope: (object, selector) =>
    selector.scopeName === 'VolumeAttributesClass' && selectsName(selector, classesOf(claimOf(object))),
  usageOf: (object) => {
    const claim = claimOf(object);
    const storageClass = StorageClasses.of(claim);
    const storage = storageOf(claim);
    const usage: [string, Amount][] = [
      ['persistentvolumeclaims', countOf(1)],
      ...(storage ? [['requests.storage', storage] satisfies [string, Amount]] : []),
    ];
    const perClass = usage.map(([name, amount]): [string, Amount] => [
      `${storageClass}${classSuffix}${name}`,
      amount,
    ]);
    return new Map([
      ['count/persistentvolumeclaims', countOf(1)],
      ...usage,
      ...(storageClass === '' ? [] : perClass),
    ]);
  },
};

/** The size in whole bytes that a claim asks for, or that a volume plugin has allocated if that is more. */
function storageOf({ spec, status }: PersistentVolumeClaim): Amount | undefined {
  const asked = amountOf(spec?.resources?.requests?.['storage'] ?? '');
  const allocated = amountOf(status?.allocatedResources?.['storage'] ?? '') ?? zero;
  if (!asked) return undefined;
  const { nanos, form } = allocated.nanos > asked.nanos ? allocated : asked;
  return { nanos: ((nanos + unit - 1n) / unit) * unit, form };
}

/** The VolumeAttributesClasses that a claim has or changes to. */
function classesOf({ spec, status }: PersistentVolumeClaim): string[] {
  const names = [
    spec?.volumeAttributesClassName,
    status?.currentVolumeAttributesClassName,
    status?.modifyVolumeStatus?.targetVolumeAttributesClassName,
  ];
  return names.flatMap((name) => name || []);
}

function claimOf(object: ApiObject): PersistentVolumeClaim {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- decoding checked its fields
  return object as unknown as PersistentVolumeClaim;
}
