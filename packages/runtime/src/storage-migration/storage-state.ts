import type { CustomResourceDefinition } from 'ots-kubernetes/apiextensions/v1';
import type { DeepReadonly } from '../objects/deep-readonly.ts';
import { type MetadataKind, metadataOf } from '../objects/metadata-of.ts';
import { unstructured } from '../objects/unstructured.ts';

/** What a CRD says about the versions in which its objects are stored. */
export interface StorageState {
  readonly definition: DeepReadonly<CustomResourceDefinition>;
  /** The version in which the server stores every object that is written now. */
  readonly storageVersion: string;
  /** The other versions in which objects may be stored. */
  readonly oldVersions: readonly string[];
  /** The kind in the versions that are served, the storage version first: reads in it convert nothing that is done. */
  readonly kinds: readonly MetadataKind[];
  /** Whether a webhook converts objects, which may move fields; otherwise a path names the same field in all versions. */
  readonly movesFields: boolean;
}

/** Reads the state of a CRD. */
export function storageStateOf(definition: DeepReadonly<CustomResourceDefinition>): StorageState {
  const { group, names, scope, versions, conversion } = definition.spec;
  const storageVersion = versions.find(({ storage }) => storage)!.name;
  const served = versions.filter((version) => version.served);
  const ordered = served.toSorted((a, b) => Number(b.storage) - Number(a.storage));
  const others = (definition.status?.storedVersions ?? []).filter((version) => version !== storageVersion);
  return {
    definition,
    storageVersion,
    oldVersions: others,
    kinds: ordered.map(({ name }) =>
      metadataOf(
        unstructured({
          apiVersion: `${group}/${name}`,
          kind: names.kind,
          plural: names.plural,
          scope: scope === 'Cluster' ? 'Cluster' : 'Namespaced',
        }),
      ),
    ),
    movesFields: conversion?.strategy === 'Webhook',
  };
}

/** Whether two states are of the same CRD with the same spec: a generation counts the changes of the spec. */
export function isSameSpec(one: StorageState, other: StorageState): boolean {
  const { uid, generation } = one.definition.metadata;
  return uid === other.definition.metadata.uid && generation === other.definition.metadata.generation;
}

/**
 * When the spec last changed, by the clock of the server, in milliseconds since 1970; undefined if its field managers
 * do not say.
 */
export function changedAt({ definition }: StorageState): number | undefined {
  const entries = definition.metadata.managedFields ?? [];
  const times = entries.flatMap(({ subresource, time }) =>
    subresource === undefined && time !== undefined ? [Date.parse(time)] : [],
  );
  return times.length === 0 ? undefined : Math.max(...times);
}
