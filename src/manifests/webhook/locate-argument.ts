import type { Arguments } from '../tag-syntax/parse-arguments.ts';
import type { Json } from '../schema/schema.ts';
import type { WebhookPath } from './report-problem.ts';
import { fieldOfArgument } from './webhook-arguments.ts';

/** The argument of a tag that sets a part of the webhook, and the path within the argument. */
export interface ArgumentPlace {
  readonly argument: string;
  readonly path: WebhookPath;
}

/**
 * Finds the argument that sets a part of the finished webhook. The patch takes precedence over all other
 * arguments.
 */
export function locateArgument(path: WebhookPath, args: Arguments): ArgumentPlace {
  if (isInPatch(path, args.json('patch'))) return { argument: 'patch', path };
  for (const [argument, field] of Object.entries(fieldOfArgument)) {
    if (field.every((part, index) => path[index] === part))
      return { argument, path: path.slice(field.length) };
  }
  return { argument: String(path[0] ?? 'name'), path: path.slice(1) };
}

function isInPatch(path: WebhookPath, patch: Json | undefined): boolean {
  let value = patch;
  for (const part of path) {
    // A list replaces everything under its path, and null removes it.
    if (value === null || Array.isArray(value)) return true;
    if (typeof value !== 'object') return false;
    if (!Object.hasOwn(value, part)) return false;
    value = value[part];
  }
  return value !== undefined;
}

/** Returns the path within its argument, such as `matchExpressions[0].operator`, without a trailing index. */
export function describePlace({ argument, path }: ArgumentPlace): string {
  const parts = typeof path.at(-1) === 'number' ? path.slice(0, -1) : path;
  const text = parts.map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`)).join('');
  return argument === 'patch' ? text.slice(1) || 'patch' : `${argument}${text}`;
}
