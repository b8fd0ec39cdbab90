import type { PolicyRule, Subject } from 'ots-kubernetes/rbac/v1';
import type { Randomness } from '../../support/randomness.ts';

export const namespaces = ['rbac-a', 'rbac-b'];
const users = ['jane', 'joe', 'system:serviceaccount:rbac-a:robot'];
const groups = ['admins', 'developers', 'system:serviceaccounts:rbac-a'];
const verbs = ['get', 'list', 'create', 'delete', 'impersonate', 'approve'];
const apiGroups = ['', 'apps', 'example.com'];
const resources = ['pods', 'deployments', 'things'];
const subresources = ['status', 'scale', 'log'];
const names = ['one', 'two', 'one/two'];
const paths = ['/healthz', '/healthz/etcd', '/metrics', '/', '/api', '/apis/apps/v1/', '*'];

/** A role of random rules. */
export function randomRules(random: Randomness, isNamespaced: boolean): PolicyRule[] {
  return Array.from({ length: random.pick([0, 1, 2, 3]) }, () =>
    !isNamespaced && random.chance(0.25) ? pathRule(random) : resourceRule(random),
  );
}

function resourceRule(random: Randomness): PolicyRule {
  const resource = () => {
    const plural = orAll(random, resources);
    return random.chance(0.33) ? `${plural}/${orAll(random, subresources)}` : plural;
  };
  return {
    verbs: some(random, () => orAll(random, verbs)),
    apiGroups: some(random, () => orAll(random, apiGroups)),
    resources: some(random, resource),
    ...(random.chance(0.33) && { resourceNames: some(random, () => random.pick([...names, '*'])) }),
  };
}

function pathRule(random: Randomness): PolicyRule {
  const path = () => `${random.pick(paths)}${random.pick(['', '', '*', '/*', '**'])}`;
  return { verbs: some(random, () => orAll(random, verbs)), nonResourceURLs: some(random, path) };
}

/** Subjects of a binding. */
export function randomSubjects(random: Randomness): Subject[] {
  return some(random, () => {
    const apiGroup = 'rbac.authorization.k8s.io';
    const kind = random.pick(['User', 'Group', 'ServiceAccount']);
    if (kind === 'User') return { kind, apiGroup, name: random.pick(users) };
    if (kind === 'Group') return { kind, apiGroup, name: random.pick(groups) };
    return { kind, name: random.pick(['robot', 'other']), namespace: random.pick(namespaces) };
  });
}

/** The spec of a SubjectAccessReview. */
export function randomQuestion(random: Randomness): object {
  const who = {
    ...(random.chance(0.75) && { user: random.pick(users) }),
    groups: some(random, () => random.pick(groups)),
  };
  const verb = random.pick(verbs);
  if (random.chance(0.25))
    return {
      ...who,
      nonResourceAttributes: { verb, path: random.pick(paths) + random.pick(['', '/x', 'x']) },
    };
  return {
    ...who,
    resourceAttributes: {
      verb,
      group: random.pick(apiGroups),
      resource: random.pick(resources),
      ...(random.chance(0.5) && { subresource: random.pick(subresources) }),
      ...(random.chance(0.75) && { namespace: random.pick(namespaces) }),
      ...(random.chance(0.5) && { name: random.pick(names) }),
    },
  };
}

function orAll(random: Randomness, values: readonly string[]): string {
  return random.chance(0.17) ? '*' : random.pick(values);
}

function some<Value>(random: Randomness, one: () => Value): Value[] {
  return Array.from({ length: random.pick([1, 2]) }, one);
}
