import type { Edit } from './dev-project.ts';

// What the author of examples/memcached does in tests of `ots dev`.

const types = 'src/api/v1alpha1/memcached.ts';
export const reconciler = 'src/controllers/memcached.controller.ts';
/** The line below the rules that the reconciler lists. */
const lastRule = ' * @rbac groups=events.k8s.io';

/** A new field, which has a value without being set, and its column. */
export const addField: Edit = {
  path: types,
  replacements: [
    [
      'export interface MemcachedSpec {',
      'export interface MemcachedSpec {\n  /** Who pays. @default platform */\n  team?: string;\n',
    ],
    [' * @printcolumn', ' * @printcolumn {name: Team, type: string, jsonPath: .spec.team}\n * @printcolumn'],
  ],
};

/** A type that no schema can express, after `addField`. */
export const breakField: Edit = {
  path: types,
  replacements: [['team?: string;', 'team?: string | number | Date;']],
};

/** Code that TypeScript cannot read. */
export const breakSyntax: Edit = {
  path: reconciler,
  replacements: [['get(Memcached, request);', 'get(Memcached, request;']],
};

/** Code that ends the operator when it is loaded. */
export const throwOnImport: Edit = {
  path: reconciler,
  replacements: [
    ['import { Memcached } from', "throw new Error('broken by the author');\nimport { Memcached } from"],
  ],
};

/** A right less than the operator needs. */
export const removeRule: Edit = {
  path: reconciler,
  replacements: [[` * @rbac groups="" resources=pods verbs=list;watch\n${lastRule}`, lastRule]],
};

/** A rule as `ots dev` offers it, after `removeRule`. */
export function pasteRule(rule: string): Edit {
  return { path: reconciler, replacements: [[lastRule, ` * ${rule}\n${lastRule}`]] };
}
