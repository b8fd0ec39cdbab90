import type { PolicyRule } from './policy-rule.ts';

/** What a request asks for: access to a resource, or to a path outside of resources. */
export type Access = ResourceAccess | PathAccess;

interface ResourceAccess {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  /** Empty for the object itself. */
  readonly subresource: string;
  /** Empty for a collection. */
  readonly name: string;
}

interface PathAccess {
  readonly verb: string;
  readonly path: string;
}

const all = '*';

/** Whether a rule of a role allows a request. */
export function ruleAllows(rule: PolicyRule, access: Access): boolean {
  if (!includesOrAll(rule.verbs, access.verb)) return false;
  return 'path' in access ? allowsPath(rule, access) : allowsResource(rule, access);
}

function allowsResource(rule: PolicyRule, { group, resource, subresource, name }: ResourceAccess): boolean {
  const { resourceNames = [] } = rule;
  return (
    includesOrAll(rule.apiGroups, group) &&
    (rule.resources ?? []).some((pattern) => resourceMatches(pattern, resource, subresource)) &&
    (resourceNames.length === 0 || resourceNames.includes(name))
  );
}

/** Whether a pattern of a rule matches a resource or subresource. `*` matches subresources too, and a subresource may have any resource (such as `*` followed by `/scale`). */
export function resourceMatches(pattern: string, resource: string, subresource: string): boolean {
  if (pattern === all) return true;
  if (subresource === '') return pattern === resource;
  return pattern === `${resource}/${subresource}` || pattern === `*/${subresource}`;
}

function allowsPath({ nonResourceURLs = [] }: PolicyRule, { path }: PathAccess): boolean {
  return nonResourceURLs.some((pattern) => pathMatches(pattern, path));
}

/** Whether a pattern, which may end in `*`, matches a path. */
export function pathMatches(pattern: string, path: string): boolean {
  if (pattern === all || pattern === path) return true;
  return pattern.endsWith(all) && path.startsWith(pattern.replace(/\*+$/, ''));
}

/** Whether a list of a rule has a value, or stands for all. */
export function includesOrAll(values: readonly string[] | undefined, value: string): boolean {
  return values !== undefined && (values.includes(all) || values.includes(value));
}
