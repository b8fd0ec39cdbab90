import type { NamedRuleWithOperations } from 'ots-kubernetes/admissionregistration/v1';
import type { AdmissionAttributes } from '../registry/admission.ts';
import type { ResourceRegistry } from '../registry/resource-registry.ts';
import type { Resource } from '../registry/resource.ts';
import type { Target } from '../registry/target.ts';
import { selectorMatcher } from '../selectors/selector-matcher.ts';
import { notFound } from '../status/errors.ts';
import { isNamespaces, nameOf, namespaceOf } from '../registry/request-identity.ts';

/** Which requests a webhook or a policy wants to see. */
export interface ResourceMatch {
  /** Those of a policy may also name objects. */
  readonly rules?: readonly NamedRuleWithOperations[];
  /** What the rules do not mean, although they match. */
  readonly excludeRules?: readonly NamedRuleWithOperations[];
  readonly namespaceSelector?: object;
  readonly objectSelector?: object;
  /** `Exact`, or `Equivalent`: also in other versions of the resource. */
  readonly matchPolicy?: string;
}

/**
 * Tells whether a webhook or a policy wants to see a request, and in which version.
 *
 * @returns the resource in the version that the rules ask for; undefined when they do not match
 * @throws {StatusError} 404 when the rules match and the namespace does not exist
 */
export function matchResources(
  { rules = [], excludeRules = [], namespaceSelector, objectSelector, matchPolicy }: ResourceMatch,
  attributes: AdmissionAttributes,
  registry: ResourceRegistry,
): Resource | undefined {
  // The rules are the cheapest to ask, and most requests do not match them.
  const matching = matchRules(rules, matchPolicy, attributes, registry);
  if (!matching || matchRules(excludeRules, matchPolicy, attributes, registry)) return undefined;
  const inNamespace = matchesNamespace(namespaceSelector, attributes, registry);
  if (inNamespace === false || !matchesObject(objectSelector, attributes)) return undefined;
  if (inNamespace === 'missing') throw notFound({ group: '', name: 'namespaces' }, namespaceOf(attributes));
  return matching;
}

/** The resource in the version that the rules ask for. */
function matchRules(
  rules: readonly NamedRuleWithOperations[],
  matchPolicy: string | undefined,
  attributes: AdmissionAttributes,
  registry: ResourceRegistry,
): Resource | undefined {
  if (rules.length === 0) return undefined;
  const { resource } = attributes.target;
  if (rules.some((rule) => matchesRule(rule, attributes, resource))) return resource;
  return matchPolicy === 'Exact' ? undefined : equivalentOf(rules, attributes, registry);
}

/** The first version of the resource, in the order of the rules, that a rule names. */
function equivalentOf(
  rules: readonly NamedRuleWithOperations[],
  attributes: AdmissionAttributes,
  registry: ResourceRegistry,
): Resource | undefined {
  const versions = versionsOf(attributes.target, registry);
  for (const rule of rules) {
    const version = versions.find((candidate) => matchesRule(rule, attributes, candidate));
    if (version) return version;
  }
  return undefined;
}

const versionsCache = new WeakMap<Resource, readonly Resource[]>();

/** The other versions of a resource that serve the same endpoint. A change of one replaces all of them. */
function versionsOf({ resource, subresource }: Target, registry: ResourceRegistry): readonly Resource[] {
  let versions = versionsCache.get(resource);
  if (!versions) {
    versions = registry.ofTable(resource.table).filter((version) => version !== resource);
    versionsCache.set(resource, versions);
  }
  if (subresource === '') return versions;
  return versions.filter(({ subresources }) => subresources.some(({ name }) => name === subresource));
}

/** Whether a rule names the operation, a resource, and the object if it names any. */
function matchesRule(
  rule: NamedRuleWithOperations,
  attributes: AdmissionAttributes,
  resource: Resource,
): boolean {
  const { scope = '*', operations = [], apiGroups = [], apiVersions = [], resources = [] } = rule;
  const { resourceNames = [] } = rule;
  return (
    matchesScope(scope, attributes) &&
    includes(operations, attributes.operation) &&
    includes(apiGroups, resource.group) &&
    includes(apiVersions, resource.version) &&
    resources.some((path) => matchesPath(path, resource.plural, attributes.target.subresource)) &&
    (resourceNames.length === 0 || resourceNames.includes(nameOf(attributes)))
  );
}

function matchesScope(scope: string, { target: { resource, namespace } }: AdmissionAttributes): boolean {
  if (scope === '*') return true;
  const isNamespaced = !isNamespaces(resource) && namespace !== '';
  return scope === 'Namespaced' ? isNamespaced : scope === 'Cluster' && !isNamespaced;
}

function includes(items: readonly string[], value: string): boolean {
  return items.some((item) => item === '*' || item === value);
}

/** @param path such as `pods` or `pods/status`, with `*` for either part */
function matchesPath(path: string, plural: string, subresource: string): boolean {
  const slash = path.indexOf('/');
  const [resource, sub] = slash < 0 ? [path, ''] : [path.slice(0, slash), path.slice(slash + 1)];
  return (resource === '*' || resource === plural) && (sub === '*' || sub === subresource);
}

/** The options of a connection have no labels, so no selector matches them. */
function matchesObject(
  selector: object | undefined,
  { operation, object, oldObject }: AdmissionAttributes,
): boolean {
  if (isEmpty(selector) || operation === 'CONNECT') return isEmpty(selector);
  const matches = selectorMatcher(selector);
  return [object, oldObject].some((state) => state && matches(state.metadata.labels));
}

/** A cluster-scoped object other than a Namespace always matches. */
function matchesNamespace(
  selector: object | undefined,
  attributes: AdmissionAttributes,
  registry: ResourceRegistry,
): boolean | 'missing' {
  const namespace = namespaceOf(attributes);
  const { target, operation, object } = attributes;
  if (isEmpty(selector) || (namespace === '' && !isNamespaces(target.resource))) return true;
  const matches = selectorMatcher(selector);
  const isOwn = isNamespaces(target.resource) && target.subresource === '';
  // The object itself has the labels that count. A deletion does not change them.
  if (isOwn && (operation === 'CREATE' || operation === 'UPDATE')) return matches(object?.metadata.labels);
  const record = registry.find('', 'v1', 'namespaces')?.table.get(namespace);
  return record ? matches(record.object.metadata.labels) : 'missing';
}

function isEmpty(selector: object | undefined): selector is undefined {
  return !selector || Object.values(selector).every((part) => Object.keys(part as object).length === 0);
}
