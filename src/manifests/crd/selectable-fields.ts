import { parseArguments } from '../tag-syntax/parse-arguments.ts';
import { valueSpan } from '../tag-syntax/tag.ts';
import type { Tag } from '../tag-syntax/tag.ts';
import { describeSchema } from '../schema/schema.ts';
import type { Schema } from '../schema/schema.ts';
import { failTag } from './kind.ts';
import type { KindContext } from './kind.ts';
import { followPath } from './schema-path.ts';

/** The path of a field that field selectors can use, and the tag that declares it. */
export interface SelectableField {
  readonly jsonPath: string;
  readonly tag: Tag;
}

/** The API server's limit for one version. */
const maxFields = 8;

/** Reads @selectableField: a path, or the argument of the marker. */
export function readSelectableField(tag: Tag, context: KindContext): SelectableField | undefined {
  const isPlain = tag.form === 'tag' && !/^\{|^jsonPath\s*=/i.test(tag.value);
  const args = isPlain
    ? undefined
    : parseArguments(tag, [{ name: 'jsonPath', type: 'string', required: true }], context.diagnostics);
  if (!isPlain && !args) return undefined;
  return { jsonPath: args?.string('jsonPath') ?? tag.value, tag };
}

/** Checks the selectable fields of a version by the rules of apiextensions.k8s.io/v1. */
export function checkSelectableFields(fields: readonly SelectableField[], context: KindContext): void {
  const seen = new Set<string>();
  for (const { jsonPath, tag } of fields) {
    const problem = seen.has(jsonPath)
      ? { message: `${jsonPath} is already selectable` }
      : findProblem(context.schema, jsonPath);
    if (problem) failTag(context, tag, problem.message, problem.hint);
    seen.add(jsonPath);
    if (seen.size === maxFields + 1 && !problem) {
      const message = `the kind has more than ${maxFields} selectable fields, which the API server does not accept`;
      context.diagnostics.error(tag.source, valueSpan(tag), 'selectable-fields', message, 'remove some');
    }
  }
}

function findProblem(root: Schema, path: string): { message: string; hint?: string } | undefined {
  if (/^\.metadata(?:\.|$)/.test(path))
    return {
      message: 'cannot select by metadata',
      hint: 'metadata.name and metadata.namespace are already selectable; for the rest use labels',
    };
  const target = followPath(root, path);
  if ('message' in target)
    return { message: `${path} ${target.message}`, ...(target.hint ? { hint: target.hint } : {}) };
  const { type } = target.schema;
  if (type === 'string' || type === 'boolean' || type === 'integer') return undefined;
  const message = `must lead to a string, boolean or integer, and ${path} is ${describeSchema(target.schema)}`;
  return { message };
}
