import { forbidden, rulesOfManager } from './check-rbac.ts';
import { callsIn } from './check-webhooks.ts';
import { type Manifest, describeManifest, find } from './manifest.ts';
import { type Pods, containersOf, podsOf } from './pods.ts';

/** The flags that name the webhook configurations. The manager knows its definitions without a flag. */
const configurationKinds = [
  ['MutatingWebhookConfiguration', '--webhook-mutating-configuration'],
  ['ValidatingWebhookConfiguration', '--webhook-validating-configuration'],
] as const;
const kindOfResource: Readonly<Record<string, string>> = {
  mutatingwebhookconfigurations: 'MutatingWebhookConfiguration',
  validatingwebhookconfigurations: 'ValidatingWebhookConfiguration',
  customresourcedefinitions: 'CustomResourceDefinition',
};

/** The manager can create its certificate, knows the callers, and has rights for these and nothing else. */
export function checkRotator(all: readonly Manifest[]): string[] {
  const pods = podsOf(all);
  return [
    ...pods.flatMap((pod) => [...checkSecret(pod, all), ...checkArguments(pod, all)]),
    ...checkRights(all),
    ...checkHolders(all),
  ];
}

function checkSecret(pod: Pods, all: readonly Manifest[]): string[] {
  const secret = argumentOf(pod, '--webhook-cert-secret');
  if (secret === undefined) return [`${pod.owner} makes no certificate`];
  const exists = find(all, 'Secret', secret, pod.namespace);
  const rules = rulesOfManager(all, 'RoleBinding');
  const missing = [
    ...forbidden(rules, { group: '', plural: 'secrets', verbs: ['create'] }),
    ...forbidden(rules, { group: '', plural: 'secrets', name: secret, verbs: ['get', 'update'] }),
  ];
  const others = forbidden(rules, { group: '', plural: 'secrets', verbs: ['get', 'list', 'update'] });
  return [
    ...(exists ? [] : [`${pod.owner} keeps its certificate in the Secret ${secret}, which does not exist`]),
    ...missing.map((verb) => `the manager may not ${verb} the Secret ${secret}`),
    ...(others.length === 3 ? [] : ['the manager has rights for the Secrets of others']),
  ];
}

/** The certificate is for the service that is called, and every webhook configuration is named. */
function checkArguments(pod: Pods, all: readonly Manifest[]): string[] {
  const name = argumentOf(pod, '--webhook-service-name');
  const services = callsIn(all)
    .filter(({ service }) => service?.metadata.name !== name)
    .map(({ described }) => `${described}: the certificate is for the service ${name}`);
  const configurations = configurationKinds.flatMap(([kind, flag]) => {
    const named = argumentOf(pod, flag);
    const actual = all.find((manifest) => manifest.kind === kind)?.metadata.name;
    return named === actual ? [] : [`${pod.owner}: ${flag} is ${named}, and the ${kind} is ${actual}`];
  });
  return [...services, ...configurations];
}

/** The manager may write the authority to every object that calls a webhook. */
function checkRights(all: readonly Manifest[]): string[] {
  const rules = rulesOfManager(all, 'ClusterRoleBinding');
  const callers = new Set(callsIn(all).map(({ caller }) => caller));
  return [...callers].flatMap((caller) => {
    const plural = Object.keys(kindOfResource).find((key) => kindOfResource[key] === caller.kind)!;
    const group = caller.apiVersion.split('/')[0]!;
    const verbs = ['get', 'patch'];
    return forbidden(rules, { group, plural, name: caller.metadata.name, verbs }).map(
      (verb) => `the manager may not ${verb} ${describeManifest(caller)}`,
    );
  });
}

/** Rights to write an authority are only for objects of this operator: another operator may use the other names. */
function checkHolders(all: readonly Manifest[]): string[] {
  return rulesOfManager(all, 'ClusterRoleBinding').flatMap(({ resources = [], resourceNames }) =>
    resources.flatMap((plural: string) => {
      const kind = kindOfResource[plural];
      if (kind === undefined) return [];
      if (!resourceNames) return [`the manager has rights for the ${plural} of others`];
      return resourceNames
        .filter((name: string) => !find(all, kind, name))
        .map((name: string) => `the manager has rights for the ${kind} ${name}, which is none of its own`);
    }),
  );
}

function argumentOf({ spec }: Pods, flag: string): string | undefined {
  return containersOf(spec).flatMap(({ args = [] }) => {
    const index = args.indexOf(flag);
    return index < 0 ? [] : [args[index + 1]];
  })[0];
}
