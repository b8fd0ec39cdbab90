import type { DeepReadonly } from 'ots-runtime';
import type { ControllerRevision } from 'ots-kubernetes/apps/v1';
import type { PodTemplateSpec } from 'ots-kubernetes/core/v1';
import { safeRevisionHash } from '../pods/safe-hash.ts';

/** What a revision stores: a strategic merge patch that replaces the template of pods. */
export interface RevisionData extends Record<string, unknown> {
  readonly spec: { readonly template: DeepReadonly<PodTemplateSpec> & { readonly $patch: 'replace' } };
}

/** The data of a revision with this template, with its keys in order: clients compare it with the JSON that Go writes, byte by byte. */
export function revisionData(template: DeepReadonly<PodTemplateSpec>): RevisionData {
  return JSON.parse(dataText({ spec: { template: { ...template, $patch: 'replace' } } }));
}

/** The template that a revision stores. */
export function templateOf({ data }: DeepReadonly<ControllerRevision>): DeepReadonly<PodTemplateSpec> {
  const { $patch: _, ...template } = (data as RevisionData).spec.template;
  return template;
}

/** Data as Kubernetes compares and hashes them: the JSON that Go writes for a map. */
export function dataText(data: unknown): string {
  return JSON.stringify(data, withSortedKeys).replaceAll(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/**
 * The hash of a revision in its name and labels.
 *
 * @param collisionCount how many revisions with other data had the same hash
 */
export function revisionHash(data: RevisionData, collisionCount: number): string {
  return safeRevisionHash(Buffer.from(`${dataText(data)}${collisionCount}`));
}

function withSortedKeys(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).toSorted(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b))),
  );
}
