import { parseArguments } from '../tag-syntax/parse-arguments.ts';
import type { ArgumentSpec } from '../tag-syntax/parse-arguments.ts';
import type { Tag } from '../tag-syntax/tag.ts';
import { describeSchema } from '../schema/schema.ts';
import type { Schema } from '../schema/schema.ts';
import type { KindContext } from './kind.ts';
import { followPath } from './schema-path.ts';

/** The part of apiextensions.k8s.io/v1 CustomResourceSubresources that says how a kind is scaled. */
export interface Scale {
  readonly specReplicasPath: string;
  readonly statusReplicasPath: string;
  readonly labelSelectorPath?: string;
}

const argumentSpecs: readonly ArgumentSpec[] = [
  { name: 'specReplicasPath', aliases: ['specpath'], type: 'string', required: true },
  { name: 'statusReplicasPath', aliases: ['statuspath'], type: 'string', required: true },
  { name: 'labelSelectorPath', aliases: ['selectorpath'], type: 'string' },
];

/**
 * What the API server requires of each path. It reads integers and a string at the paths, whatever the schema
 * says.
 */
const paths = [
  { name: 'specReplicasPath', below: ['.spec.'], type: 'integer' },
  { name: 'statusReplicasPath', below: ['.status.'], type: 'integer' },
  { name: 'labelSelectorPath', below: ['.spec.', '.status.'], type: 'string' },
] as const;

/** Reads @scale, whose paths must lead to fields of the right type. */
export function readScale(tag: Tag, { schema, diagnostics }: KindContext): Scale | undefined {
  const args = parseArguments(tag, argumentSpecs, diagnostics);
  if (!args) return undefined;
  let valid = true;
  for (const { name, below, type } of paths) {
    const path = args.string(name);
    const problem = path === undefined ? undefined : findProblem(schema, path, below, type);
    if (!problem) continue;
    valid = false;
    diagnostics.error(tag.source, args.span(name), 'scale', `${name} ${problem.message}`, problem.hint);
  }
  const labelSelectorPath = args.string('labelSelectorPath');
  if (!valid) return undefined;
  return {
    specReplicasPath: args.string('specReplicasPath')!,
    statusReplicasPath: args.string('statusReplicasPath')!,
    ...(labelSelectorPath === undefined ? {} : { labelSelectorPath }),
  };
}

function findProblem(
  root: Schema,
  path: string,
  below: readonly string[],
  type: 'integer' | 'string',
): { message: string; hint?: string } | undefined {
  const target = followPath(root, path);
  if ('message' in target) return target;
  if (!below.some((prefix) => path.startsWith(prefix))) {
    const places = below.map((prefix) => prefix.slice(0, -1)).join(' or ');
    return { message: `must lead to a field of ${places}` };
  }
  if (target.schema.type === type) return undefined;
  const wanted = type === 'integer' ? 'an integer' : 'a string';
  return { message: `must lead to ${wanted}, and ${path} is ${describeSchema(target.schema)}` };
}
