import { closestName } from '../../errors/closest-name.ts';
import type { Diagnostics } from '../diagnostics/diagnostics.ts';
import { groupBy } from '../group-by.ts';
import { parseArguments } from '../markers/parse-arguments.ts';
import type { ArgumentSpec, Arguments } from '../markers/parse-arguments.ts';
import type { Tag } from '../markers/tag.ts';
import { mergeRules } from './merge-rules.ts';
import type { PolicyRule } from './policy-rule.ts';

const ARGUMENTS: readonly ArgumentSpec[] = [
  { name: 'groups', type: 'list' },
  { name: 'resources', type: 'list' },
  { name: 'resourceNames', type: 'list' },
  { name: 'urls', type: 'list' },
  { name: 'verbs', type: 'list', required: true },
  { name: 'namespace', type: 'string' },
];
const VERBS =
  'get list watch create update patch delete deletecollection * use bind escalate impersonate approve sign attest'.split(
    ' ',
  );
const ROLE_NAME = 'manager-role';
const NAMESPACE = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;

/**
 * Builds the roles of the manager from the @rbac tags: a ClusterRole, and a Role for each namespace that a tag names. In a namespaced
 * project the tags without a namespace make a Role too. That first role is there even without rules, because its binding refers to it.
 */
export function buildRoles(tags: readonly Tag[], namespaced: boolean, diagnostics: Diagnostics): object[] {
  const rules: { namespace: string; rule: PolicyRule }[] = [];
  for (const tag of tags) {
    const args = parseArguments(tag, ARGUMENTS, diagnostics);
    if (args && checkRule(tag, args, namespaced, diagnostics)) {
      rules.push({ namespace: args.string('namespace') ?? '', rule: toRule(args) });
    }
  }
  const byNamespace = groupBy(rules, ({ namespace }) => namespace);
  return [...new Set(['', ...byNamespace.keys()])].toSorted().map((namespace) => ({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: namespaced || namespace ? 'Role' : 'ClusterRole',
    metadata: { name: ROLE_NAME, ...(namespace ? { namespace } : {}) },
    rules: mergeRules((byNamespace.get(namespace) ?? []).map(({ rule }) => rule)),
  }));
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

function checkRule(tag: Tag, args: Arguments, namespaced: boolean, diagnostics: Diagnostics): boolean {
  let valid = true;
  const fail = (argument: string, message: string, hint?: string) => {
    valid = false;
    diagnostics.error(tag.source, args.span(argument), 'rbac', message, hint);
  };
  const [resources, urls, groups] = [args.list('resources'), args.list('urls'), args.list('groups')];
  if (!resources && !urls) fail('groups', 'the rule names neither resources nor urls', 'add resources=…');
  if (resources && urls) fail('urls', 'a rule is about resources or about urls, not both', 'write two tags');
  if (resources && !groups)
    fail(
      'resources',
      'the rule does not say the API groups of its resources',
      'add groups=…; the core group is groups=""',
    );
  if (urls && !resources && (groups || args.list('resourceNames')))
    fail('urls', 'a rule about urls has no groups or resourceNames', 'remove them');
  if (urls && (namespaced || args.string('namespace') !== undefined)) {
    fail(
      'urls',
      'urls belong to no namespace, so a Role cannot allow them',
      'grant them with a ClusterRole that is written by hand',
    );
  }
  const namespace = args.string('namespace');
  if (namespace !== undefined && !NAMESPACE.test(namespace))
    fail('namespace', `'${namespace}' is no name of a namespace`);
  for (const argument of ['resources', 'resourceNames', 'urls', 'verbs']) {
    const wrong = args.list(argument)?.find((value) => value === '' || /\s/.test(value));
    if (wrong !== undefined)
      fail(
        argument,
        `${argument} has ${wrong === '' ? 'an empty item' : `the item '${wrong}'`}`,
        'separate items with semicolons',
      );
  }
  const wrongUrl = urls?.find((url) => url !== '*' && !url.startsWith('/'));
  if (wrongUrl) fail('urls', `'${wrongUrl}' is no path`, 'begin it with a slash');
  for (const verb of args.list('verbs')!) {
    const meant = VERBS.includes(verb) ? verb : closestName(verb, VERBS);
    if (meant && meant !== verb) fail('verbs', `there is no verb ${verb}`, `did you mean ${meant}?`);
    else if (verb !== verb.toLowerCase())
      fail('verbs', `the verb ${verb} would never match`, 'verbs are in lower case');
  }
  return valid;
}
