import { type OlmTag, marksKey } from '../schema/field-marks.ts';
import type { Schema } from '../schema/schema.ts';
import { wordsOf } from './words-of.ts';

/** How the user interface of the Operator Lifecycle Manager shows a field. */
export interface Descriptor {
  /** Below the spec or the status, such as `storage.size` or `users[0].name`. */
  readonly path: string;
  readonly displayName: string;
  /** The comment of the field; empty if it has none. */
  readonly description: string;
  readonly xDescriptors: readonly string[];
}

/**
 * The descriptors of the fields with @olm tags, by their order and path.
 *
 * @param part the schema of the spec or the status
 */
export function descriptorsIn(part: Schema, type: 'spec' | 'status'): Descriptor[] {
  const found: { descriptor: Descriptor; order: number }[] = [];
  // Schemas without tags. Schemas are shared, and most have none.
  const plain = new Set<Schema>();
  visit(part, '');
  return found
    .toSorted((a, b) => a.order - b.order || (a.descriptor.path < b.descriptor.path ? -1 : 1))
    .map(({ descriptor }) => descriptor);

  function visit(schema: Schema, path: string): void {
    if (plain.has(schema)) return;
    const before = found.length;
    for (const [name, property] of schema.properties ?? []) {
      const below = path === '' ? name : `${path}.${name}`;
      const tags = (property[marksKey]?.olm ?? []).filter((tag) => (tag.type ?? type) === type);
      if (tags.length > 0) {
        const order = tags.findLast((tag) => tag.order !== undefined)?.order ?? Infinity;
        found.push({ descriptor: descriptorOf(name, below, property, tags), order });
      }
      visit(property, below);
    }
    if (schema.items) visit(schema.items, `${path}[0]`);
    if (found.length === before) plain.add(schema);
  }
}

function descriptorOf(
  name: string,
  path: string,
  { description }: Schema,
  tags: readonly OlmTag[],
): Descriptor {
  return {
    path,
    displayName: tags.findLast(({ displayName }) => displayName)?.displayName ?? wordsOf(name),
    description: description ?? '',
    xDescriptors: [...new Set(tags.flatMap(({ xDescriptors }) => xDescriptors ?? []))],
  };
}

/** Whether a path such as `users[0].name` leads to a field. Below a value of any content, every path does. */
export function hasField(part: Schema, path: string): boolean {
  let schema: Schema | undefined = part;
  for (const step of path.split(/\.|(?=\[)/)) {
    if (schema?.additionalProperties || schema?.['x-kubernetes-preserve-unknown-fields']) return true;
    schema = step.startsWith('[') ? schema?.items : schema?.properties?.get(step);
  }
  return schema !== undefined;
}
