import { originKey } from '../schema/origin.ts';
import type { Origin } from '../schema/origin.ts';
import type { Schema } from '../schema/schema.ts';

/** The part of a schema that a path names. */
export interface FieldPlace {
  readonly schema: Schema;
  /** The nearest declaration; undefined if only the kind is known. */
  readonly origin: Origin | undefined;
  /** The same as a path of properties, like `spec.ports[*].name`. */
  readonly path: string;
  /** The rest of the path, within the schema: a keyword like `type`, or empty. */
  readonly keyword: string;
}

interface Step {
  readonly child: Schema;
  /** How the API server writes the step, and how a path of properties does. */
  readonly written: string;
  readonly step: string;
}

/**
 * Finds the part of a schema that the API server writes as `.properties[spec].items.type`.
 * @param field the path from the root schema on
 */
export function locateField(field: string, root: Schema): FieldPlace {
  let [schema, origin, path, rest] = [root, root[originKey], '', field];
  for (;;) {
    const next = stepsFrom(schema).find(({ written }) => isStep(rest, written));
    if (!next) return { schema, origin, path: path.slice(1), keyword: rest.slice(1) };
    schema = next.child;
    origin = schema[originKey] ?? origin;
    path += next.step;
    rest = rest.slice(next.written.length);
  }
}

/** An error of `items` itself, such as a missing one, belongs to the list. */
function isStep(rest: string, written: string): boolean {
  return rest.startsWith(`${written}.`) || (rest === written && written.endsWith(']'));
}

function stepsFrom({ properties, items, additionalProperties }: Schema): Step[] {
  return [
    ...Array.from(properties ?? [], ([name, child]) => ({
      child,
      written: `.properties[${name}]`,
      step: `.${name}`,
    })),
    ...(items ? [{ child: items, written: '.items', step: '[*]' }] : []),
    ...(additionalProperties
      ? [{ child: additionalProperties, written: '.additionalProperties', step: '[*]' }]
      : []),
  ];
}
