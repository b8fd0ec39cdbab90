import type { DeepReadonly } from 'ots-runtime';
import type { ControllerRevision } from 'ots-kubernetes/apps/v1';
import type { PodTemplateSpec } from 'ots-kubernetes/core/v1';
import { safeRevisionHash } from '../pods/safe-hash.ts';

/** What a revision stores: a strategic merge patch that replaces the template of pods. */
export interface RevisionData extends Record<string, unknown> {
  readonly spec: { readonly template: DeepReadonly<PodTemplateSpec> & { readonly $patch: 'replace' } };
}

/** Every reconcile compares the same templates and revisions. */
const known = new WeakMap<DeepReadonly<PodTemplateSpec>, RevisionData>();
const texts = new WeakMap<object, string>();

/**
 * The data of a revision with this template, with its keys in order: clients compare it with the JSON that Go writes, byte by byte.
 *
 * @param template does not change any more
 */
export function revisionData(template: DeepReadonly<PodTemplateSpec>): RevisionData {
  let data = known.get(template);
  if (!data) known.set(template, (data = newData(template)));
  return data;
}

function newData(template: DeepReadonly<PodTemplateSpec>): RevisionData {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it is the JSON of one
  return JSON.parse(goText({ spec: { template: { ...template, $patch: 'replace' } } })) as RevisionData;
}

/** The template that a revision stores. */
export function templateOf({ data }: DeepReadonly<ControllerRevision>): DeepReadonly<PodTemplateSpec> {
  const { $patch: _, ...template } = (data as RevisionData).spec.template;
  return template;
}

/**
 * Data as Kubernetes compares and hashes them: the JSON that Go writes for a map.
 *
 * @param data does not change any more. Undefined for a revision without
 */
export function dataText(data: object | undefined): string {
  if (!data) return '';
  let text = texts.get(data);
  if (text === undefined) texts.set(data, (text = goText(data)));
  return text;
}

function goText(data: object): string {
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
