import { kebabCase } from './kebab-case.ts';

/** Objects of config/ whose names have the project name as prefix and do not depend on a kind. */
export const derivedNameSuffixes = [
  'system',
  'controller-manager',
  'metrics-service',
  'metrics-monitor',
  'metrics-reader',
  'metrics-auth-role',
  'metrics-auth-rolebinding',
  'manager-role',
  'manager-rolebinding',
  'leader-election-role',
  'leader-election-rolebinding',
  'webhook-service',
  'webhook-certificate',
  'selfsigned-issuer',
  'allow-metrics-traffic',
  'allow-webhook-traffic',
  'mutating-webhook-configuration',
  'validating-webhook-configuration',
] as const;

/** @returns the names of the objects that every project has, such as `<project>-system`, the namespace */
export function derivedNames(projectName: string): string[] {
  return derivedNameSuffixes.map((suffix) => `${projectName}-${suffix}`);
}

/**
 * @param group the group as PROJECT stores it, in a multigroup project only; its dots become hyphens
 * @returns the names of the roles of a kind, such as `<project>-job-watcher-admin-role`
 */
export function derivedKindNames(projectName: string, kind: string, group?: string): string[] {
  const prefix = group === undefined ? projectName : `${projectName}-${group.replaceAll('.', '-')}`;
  return ['admin', 'editor', 'viewer'].map((role) => `${prefix}-${kebabCase(kind)}-${role}-role`);
}
