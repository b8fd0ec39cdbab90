import type { PolicyRule } from 'ots-apimachinery/rbac/policy-rule';
import type { Diagnostics } from '../diagnostics/diagnostics.ts';
import { parseArguments } from '../tag-syntax/parse-arguments.ts';
import type { ArgumentSpec, Arguments } from '../tag-syntax/parse-arguments.ts';
import type { Tag } from '../tag-syntax/tag.ts';
import { checkRule } from './check-rule.ts';

/** The rule of an @rbac tag, and the role that receives it. */
export interface TaggedRule {
  readonly tag: Tag;
  readonly rule: PolicyRule;
  /** Empty for the manager's own role. */
  readonly namespace: string;
  /** Undefined for the manager's own role. */
  readonly roleName: string | undefined;
}

const argumentSpecs: readonly ArgumentSpec[] = [
  { name: 'groups', type: 'list' },
  { name: 'resources', type: 'list' },
  { name: 'resourceNames', type: 'list' },
  { name: 'urls', type: 'list' },
  { name: 'verbs', type: 'list', required: true },
  { name: 'namespace', type: 'string' },
  { name: 'roleName', type: 'string' },
];
/** Reads @rbac tags. Those with errors, which are in the diagnostics, have no rule. */
export function readRules(tags: readonly Tag[], namespaced: boolean, diagnostics: Diagnostics): TaggedRule[] {
  return tags.flatMap((tag) => {
    const args = parseArguments(tag, argumentSpecs, diagnostics);
    if (!args || !checkRule(tag, args, namespaced, diagnostics)) return [];
    return [
      {
        tag,
        rule: toRule(args),
        namespace: args.string('namespace') ?? '',
        roleName: args.string('roleName'),
      },
    ];
  });
}

function toRule(args: Arguments): PolicyRule {
  const rule: PolicyRule = { verbs: [...args.list('verbs')!] };
  const groups = args.list('groups')?.map((group) => (group === 'core' ? '' : group));
  if (groups) rule.apiGroups = groups;
  for (const [argument, field] of [
    ['resources', 'resources'],
    ['resourceNames', 'resourceNames'],
    ['urls', 'nonResourceURLs'],
  ] as const) {
    const values = args.list(argument);
    if (values) rule[field] = [...values];
  }
  return rule;
}
