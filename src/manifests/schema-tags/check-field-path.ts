import { closestName } from 'ots-apimachinery/closest-name';
import type { Schema } from '../schema/schema.ts';

const fieldPathStep = /\.([^.[\]]+)|\['((?:[^'\\]|\\.)+)'\]/y;

/**
 * Checks the fieldPath of a rule, which must lead from the value to a property: `.spec.name`, `['a-b']`.
 * @returns message and hint, or undefined
 */
export function checkFieldPath(schema: Schema, path: string): [message: string, hint?: string] | undefined {
  let current: Schema | undefined = schema;
  for (fieldPathStep.lastIndex = 0; fieldPathStep.lastIndex < path.length;) {
    const at = fieldPathStep.lastIndex;
    const step = fieldPathStep.exec(path);
    if (!step) return [`has a fieldPath that cannot be read: ${path}`, 'write it like .template.name'];
    const name = step[1] ?? step[2]!.replaceAll(/\\(.)/g, '$1');
    const next: Schema | undefined = current.properties
      ? current.properties.get(name)
      : current.additionalProperties;
    if (!next) {
      const suggestion = closestName(name, current.properties?.keys() ?? []);
      const message = `has a fieldPath to ${path.slice(0, at)}${step[0]}, which does not exist`;
      return suggestion ? [message, `did you mean ${suggestion}?`] : [message];
    }
    current = next;
  }
  return undefined;
}
