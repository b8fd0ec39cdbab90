import type {
  NonResourcePolicyRule,
  PolicyRulesWithSubjects,
  ResourcePolicyRule,
} from 'ots-kubernetes/flowcontrol/v1';
import { dnsLabel } from 'ots-apimachinery/names';
import { type FieldError, invalid, notSupported, required } from '../../../status/field-error.ts';
import { validateFlowSubject } from './validate-flow-subject.ts';

const verbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'proxy', 'update', 'watch'];

/** Validates the requests that a FlowSchema matches. */
export function validateFlowRule(rule: PolicyRulesWithSubjects, path: string): FieldError[] {
  const { resourceRules = [], nonResourceRules = [] } = rule;
  const subjects = rule.subjects ?? [];
  return [
    ...(subjects.length > 0
      ? subjects.flatMap((subject, index) => validateFlowSubject(subject, `${path}.subjects[${index}]`))
      : [required(`${path}.subjects`, 'subjects must contain at least one value')]),
    ...(resourceRules.length + nonResourceRules.length > 0
      ? []
      : [required(path, 'at least one of resourceRules and nonResourceRules has to be non-empty')]),
    ...resourceRules.flatMap((item, index) => validateResourceRule(item, `${path}.resourceRules[${index}]`)),
    ...nonResourceRules.flatMap((item, index) =>
      validateNonResourceRule(item, `${path}.nonResourceRules[${index}]`),
    ),
  ];
}

function validateResourceRule(rule: ResourcePolicyRule, path: string): FieldError[] {
  const { apiGroups, resources, namespaces, clusterScope } = rule;
  return [
    ...validateVerbs(rule.verbs ?? [], `${path}.verbs`),
    ...validateWords(apiGroups, `${path}.apiGroups`, {
      missing: 'resource rules must supply at least one api group',
      what: 'api groups',
    }),
    ...validateWords(resources, `${path}.resources`, {
      missing: 'resource rules must supply at least one resource',
      what: 'resources',
    }),
    ...validateNamespaces(namespaces ?? [], clusterScope ?? false, `${path}.namespaces`),
  ];
}

function validateNonResourceRule(rule: NonResourcePolicyRule, path: string): FieldError[] {
  const field = `${path}.nonResourceURLs`;
  const urls = rule.nonResourceURLs ?? [];
  return [
    ...validateVerbs(rule.verbs ?? [], `${path}.verbs`),
    ...validateWords(urls, field, {
      missing: 'nonResourceURLs must contain at least one value',
      what: 'non-resource URLs',
    }),
    ...(urls.includes('*') ? [] : urls.flatMap((url, index) => validateUrl(url, `${field}[${index}]`))),
  ];
}

function validateVerbs(sent: readonly string[], field: string): FieldError[] {
  const errors = validateWords(sent, field, {
    missing: 'verbs must contain at least one value',
    what: 'verbs',
  });
  if (sent.includes('*') || sent.every((verb) => verbs.includes(verb))) return errors;
  return [notSupported(field, sent, verbs)];
}

/** A list that must not be empty, and where `*` must be the only entry. */
function validateWords(
  words: readonly string[] | undefined,
  field: string,
  { missing, what }: { missing: string; what: string },
): FieldError[] {
  if (!words?.length) return [required(field, missing)];
  return words.length > 1 && words.includes('*')
    ? [invalid(field, words, `if '*' is present, must not specify other ${what}`)]
    : [];
}

function validateNamespaces(
  namespaces: readonly string[],
  clusterScope: boolean,
  field: string,
): FieldError[] {
  if (namespaces.length === 0 && clusterScope) return [];
  const missing = 'resource rules that are not cluster scoped must supply at least one namespace';
  const errors = validateWords(namespaces, field, { missing, what: 'namespaces' });
  if (namespaces.includes('*')) return errors;
  return [
    ...errors,
    ...namespaces.flatMap((name, index) =>
      dnsLabel(name).map((message) =>
        invalid(
          `${field}[${index}]`,
          name,
          `each member of this list must be '*' or a DNS-1123 label; ${message}`,
        ),
      ),
    ),
  ];
}

function validateUrl(url: string, field: string): FieldError[] {
  const fault = faultOf(url);
  return fault === undefined ? [] : [invalid(field, url, fault)];
}

function faultOf(url: string): string | undefined {
  if (url === '') return 'must not be empty';
  if (url === '/') return undefined;
  if (!url.startsWith('/')) return 'must start with slash';
  if (url.includes(' ')) return 'must not contain white-space';
  if (url.includes('//')) return 'must not contain double slash';
  const start = url.endsWith('/*') ? url.slice(0, -1) : url;
  return start.includes('*') ? 'wildcard can only do suffix matching' : undefined;
}
