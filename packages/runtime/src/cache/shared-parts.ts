import type { KubernetesObject, ManagedFieldsEntry } from 'ots-kubernetes';

/**
 * More variants than the objects of a kind have in practice; parts that are unique to each object would only
 * accumulate.
 */
const capacity = 1000;

/**
 * Lets the objects of a kind share equal parts instead of keeping a copy each: mainly `managedFields`, which is a third
 * of many objects and equal in all that one program writes.
 */
export class SharedParts {
  readonly #texts = new Map<string, string>();
  readonly #entries = new Map<string, ManagedFieldsEntry['fieldsV1']>();

  /** Replaces the common parts of the object with those of earlier objects. They must not be changed afterward. */
  share({ metadata }: KubernetesObject): void {
    if (metadata.namespace !== undefined) metadata.namespace = this.#text(metadata.namespace);
    const { labels } = metadata;
    for (const key in labels) labels[key] = this.#text(labels[key]!);
    for (const entry of metadata.managedFields ?? []) {
      if (entry.manager !== undefined) entry.manager = this.#text(entry.manager);
      if (entry.apiVersion !== undefined) entry.apiVersion = this.#text(entry.apiVersion);
      if (entry.fieldsV1 !== undefined) entry.fieldsV1 = this.#fields(entry.fieldsV1);
    }
  }

  #text(text: string): string {
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    if (this.#texts.size >= capacity) this.#texts.clear();
    this.#texts.set(text, text);
    return text;
  }

  #fields(fields: Record<string, unknown>): Record<string, unknown> {
    const text = JSON.stringify(fields);
    const known = this.#entries.get(text);
    if (known) return known;
    if (this.#entries.size >= capacity) this.#entries.clear();
    this.#entries.set(text, fields);
    return fields;
  }
}
