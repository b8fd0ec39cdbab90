import { closestName } from 'ots-apimachinery/closest-name';
import { dnsLabelProblem } from '../../project/names/dns-label.ts';
import type { Diagnostics } from '../diagnostics/diagnostics.ts';
import type { Arguments } from '../tag-syntax/parse-arguments.ts';
import type { Tag } from '../tag-syntax/tag.ts';
import { wrongNames } from './check-resources.ts';

const resourceVerbs =
  'get list watch create update patch delete deletecollection * use bind escalate impersonate approve sign attest'.split(
    ' ',
  );
const urlVerbs = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options', '*'];

type Fail = (argument: string, message: string, hint?: string) => void;

/**
 * Checks an @rbac tag by the rules of rbac.authorization.k8s.io/v1 (ValidatePolicyRule of the API server),
 * and for values that the API server stores but that never match a request.
 * @returns whether the tag is valid; if not, the errors are in the diagnostics
 */
export function checkRule(tag: Tag, args: Arguments, namespaced: boolean, diagnostics: Diagnostics): boolean {
  let valid = true;
  const fail: Fail = (argument, message, hint) => {
    valid = false;
    diagnostics.error(tag.source, args.span(argument), 'rbac', message, hint);
  };
  checkCombination(args, namespaced, fail);
  checkItems(args, fail);
  if (valid) checkResources(args, fail);
  checkVerbs(args, fail);
  checkNames(args, fail);
  return valid;
}

function checkCombination(args: Arguments, namespaced: boolean, fail: Fail): void {
  const [resources, urls, groups] = [args.list('resources'), args.list('urls'), args.list('groups')];
  if (!resources && !urls) fail('groups', 'the rule has neither resources nor urls', 'add resources=…');
  if (resources && urls) fail('urls', 'a rule cannot have both resources and urls', 'write two tags');
  if (resources && !groups) {
    const hint = 'add groups=…; the core group is groups=""';
    fail('resources', 'the rule has no API groups for its resources', hint);
  }
  if (urls && !resources && (groups || args.list('resourceNames')))
    fail('urls', 'a rule about urls has no groups or resourceNames', 'remove them');
  if (urls && (namespaced || args.string('namespace') !== undefined)) {
    const hint = 'grant them with your own ClusterRole';
    fail('urls', 'a Role cannot grant urls, because they are not namespaced', hint);
  }
}

function checkItems(args: Arguments, fail: Fail): void {
  for (const argument of ['groups', 'resources', 'resourceNames', 'urls', 'verbs']) {
    const items = args.list(argument) ?? [];
    const wrong = items.find((item) => /\s/.test(item) || (item === '' && argument !== 'groups'));
    const what = wrong === '' ? 'an empty item' : `the item '${wrong}'`;
    if (wrong !== undefined) fail(argument, `${argument} has ${what}`, 'separate items with semicolons');
  }
  const versioned = args.list('groups')?.find((group) => group.includes('/'));
  if (versioned) {
    const hint = `write the group without its version: ${versioned.slice(0, versioned.indexOf('/'))}`;
    fail('groups', `unknown group ${versioned}`, hint);
  }
  const capital = args.list('resources')?.find((resource) => resource !== resource.toLowerCase());
  if (capital) {
    const hint = 'resources are plurals in lower case, like deployments';
    fail('resources', `unknown resource ${capital}`, hint);
  }
  for (const url of args.list('urls') ?? []) {
    if (url === '' || url === '*' || /\s/.test(url)) continue;
    if (!url.startsWith('/')) fail('urls', `'${url}' is not a path`, 'start it with a slash');
    else if (url.slice(0, -1).includes('*'))
      fail('urls', `'${url}' would never match`, 'a star is allowed only at the end');
  }
}

function checkResources(args: Arguments, fail: Fail): void {
  const [groups, resources] = [args.list('groups'), args.list('resources')];
  if (!groups || !resources) return;
  for (const { argument, message, hint } of wrongNames(groups, resources)) fail(argument, message, hint);
}

function checkVerbs(args: Arguments, fail: Fail): void {
  const isUrlRule = !args.list('resources') && args.list('urls') !== undefined;
  const known = isUrlRule ? urlVerbs : resourceVerbs;
  for (const verb of args.list('verbs')!) {
    const suggestion = known.includes(verb) ? verb : closestName(verb, known);
    if (suggestion && suggestion !== verb)
      fail('verbs', `unknown verb ${verb}`, `did you mean ${suggestion}?`);
    else if (verb !== verb.toLowerCase())
      fail('verbs', `the verb ${verb} would never match`, 'verbs are in lower case');
    else if (isUrlRule && !suggestion && verb !== '')
      fail('verbs', `unknown verb ${verb} for urls`, `it is any of ${urlVerbs.join(', ')}`);
  }
}

function checkNames(args: Arguments, fail: Fail): void {
  const [namespace, roleName] = [args.string('namespace'), args.string('roleName')];
  const problem = namespace === undefined ? undefined : dnsLabelProblem(namespace, 'DNS-1123');
  if (problem) fail('namespace', `'${namespace}' is not the name of a namespace`, `it ${problem}`);
  // The API server accepts whatever fits into a path (ValidateRBACName).
  if (roleName !== undefined && (/^\.{0,2}$|[/%\s]/.test(roleName) || roleName.length > 253))
    fail('roleName', `'${roleName}' is not the name of a role`, 'write one like secret-reader');
}
