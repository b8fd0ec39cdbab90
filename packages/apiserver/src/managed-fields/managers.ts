import { goQuote } from 'ots-apimachinery/go/go-quote';
import type { ManagedFieldsEntry } from 'ots-kubernetes';
import { isObject } from '../json/json-object.ts';
import type { FieldSet } from './field-set.ts';
import { type StepOrder, decodeFieldsV1, encodeFieldsV1 } from './fields-v1.ts';

/** Who writes, and how. */
export interface ManagerName {
  readonly manager: string;
  readonly operation: 'Apply' | 'Update';
  readonly apiVersion: string;
  /** Empty for the object itself. */
  readonly subresource: string;
}

/** The fields that a manager owns. */
export interface Manager extends ManagerName {
  readonly time: string | undefined;
  readonly set: FieldSet;
  /** The entry it was decoded from, if nothing has changed since. */
  readonly source?: ManagedFieldsEntry | undefined;
}

/** The managers of an object, by {@link idOf}. */
export type Managers = Map<string, Manager>;

/** A manager has one entry for apply, and one for each version that it updates in. Each subresource is separate. */
export function idOf({ manager, operation, apiVersion, subresource }: ManagerName): string {
  return [operation, operation === 'Apply' ? '' : apiVersion, subresource, manager].join('\n');
}

/**
 * Decodes `metadata.managedFields`.
 *
 * @returns undefined when any entry is malformed
 */
export function decodeManagers(entries: readonly ManagedFieldsEntry[]): Managers | undefined {
  const managers: Managers = new Map();
  try {
    for (const entry of entries) {
      const manager = decodeEntry(entry);
      if (!manager) return undefined;
      managers.set(idOf(manager), manager);
    }
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
  return managers;
}

/** Describes in the words of kube-apiserver why entries are malformed; undefined when they are not. */
export function problemOfManagers(entries: readonly ManagedFieldsEntry[]): string | undefined {
  for (const [index, entry] of entries.entries()) {
    const { manager = '', operation, apiVersion = '', fieldsType = '', fieldsV1 = {}, time = '' } = entry;
    if (operation !== 'Apply' && operation !== 'Update') return 'operation must be `Apply` or `Update`';
    if (apiVersion === '') return 'apiVersion must not be empty';
    if (fieldsType === '') return `missing fieldsType in managed fields entry ${index}`;
    if (fieldsType !== 'FieldsV1')
      return `invalid fieldsType ${goQuote(fieldsType)} in managed fields entry ${index}`;
    if (decodeManagers([entry])) continue;
    const shown = [
      manager,
      operation,
      apiVersion,
      time,
      fieldsType,
      JSON.stringify(fieldsV1),
      entry.subresource,
    ];
    return `error decoding versioned set from {${shown.join(' ')}}: error decoding set`;
  }
  return undefined;
}

/** Encodes `metadata.managedFields`: applied entries first, then by time and name. Undefined without managers. */
export function encodeManagers(managers: Managers, order: StepOrder): ManagedFieldsEntry[] | undefined {
  if (managers.size === 0) return undefined;
  return [...managers.values()].toSorted(compareManagers).map((manager) => encodeEntry(manager, order));
}

/** The same manager with another set. */
export function withSet(manager: Manager, set: FieldSet): Manager {
  return set === manager.set ? manager : { ...manager, set, source: undefined };
}

/** A time in whole seconds; 0 for none. */
export function secondsOf(time: string | undefined): number {
  const milliseconds = time === undefined ? 0 : Date.parse(time);
  return Number.isNaN(milliseconds) ? 0 : Math.floor(milliseconds / 1000);
}

function decodeEntry(source: ManagedFieldsEntry): Manager | undefined {
  const { manager = '', operation, apiVersion, subresource = '', time, fieldsType, fieldsV1 } = source;
  if (operation !== 'Apply' && operation !== 'Update') return undefined;
  if (!apiVersion || fieldsType !== 'FieldsV1') return undefined;
  const set = decodeFieldsV1(isObject(fieldsV1) ? fieldsV1 : {});
  return { manager, operation, apiVersion, subresource, time, set, source };
}

function encodeEntry(manager: Manager, order: StepOrder): ManagedFieldsEntry {
  if (manager.source) return manager.source;
  const { operation, apiVersion, time, set, subresource } = manager;
  return {
    ...(manager.manager !== '' && { manager: manager.manager }),
    operation,
    apiVersion,
    ...(time !== undefined && { time }),
    fieldsType: 'FieldsV1',
    fieldsV1: encodeFieldsV1(set, order),
    ...(subresource !== '' && { subresource }),
  };
}

function compareManagers(a: Manager, b: Manager): number {
  return (
    compareTexts(a.operation, b.operation) ||
    secondsOf(a.time) - secondsOf(b.time) ||
    compareTexts(a.manager, b.manager) ||
    compareTexts(a.apiVersion, b.apiVersion) ||
    compareTexts(a.subresource, b.subresource)
  );
}

function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
