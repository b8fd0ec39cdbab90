import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { goldenProjects } from '../../support/golden-projects.ts';
import { scaffoldStep } from '../scaffold-step.ts';
import { findBuilders } from './builders.ts';
import { type Expected, checkOperator, readExpected } from './check-operator.ts';
import { type Manifest, ofKind } from './manifest.ts';
import { variantsOf } from './variants.ts';

// The checks of the kustomize tests are worth something when they notice what they are there for.

/** What goes wrong, how, and what is said about it. */
type Mistake = [what: string, spoil: (objects: Objects) => unknown, says: string];

class Objects {
  readonly all: Manifest[];
  constructor(all: Manifest[]) {
    this.all = all;
  }
  /** The one object of a kind whose name ends so. */
  get(kind: string, suffix = ''): any {
    const found = ofKind(this.all, kind).filter(({ metadata }) => metadata.name.endsWith(suffix));
    if (found.length !== 1) throw new Error(`There are ${found.length} of ${kind} ${suffix}`);
    return found[0];
  }
  remove(kind: string, suffix = ''): void {
    this.all.splice(this.all.indexOf(this.get(kind, suffix)), 1);
  }
  get pod(): any {
    return this.get('Deployment').spec.template.spec;
  }
  get container(): any {
    return this.pod.containers[0];
  }
}

const mistakes: Mistake[] = [
  ['no seccomp profile', ({ pod }) => delete pod.securityContext.seccompProfile, 'no seccomp profile'],
  [
    'an unconfined seccomp profile',
    ({ pod }) => (pod.securityContext.seccompProfile.type = 'Unconfined'),
    'seccomp profile Unconfined',
  ],
  [
    'pods that may run as root',
    ({ pod }) => delete pod.securityContext.runAsNonRoot,
    'runAsNonRoot is not set',
  ],
  ['pods that run as root', ({ container }) => (container.securityContext.runAsUser = 0), 'runAsUser is 0'],
  [
    'privilege escalation',
    ({ container }) => delete container.securityContext.allowPrivilegeEscalation,
    'allowPrivilegeEscalation',
  ],
  [
    'capabilities',
    ({ container }) => (container.securityContext.capabilities.drop = ['NET_RAW']),
    'capabilities are not dropped',
  ],
  [
    'an added capability',
    ({ container }) => (container.securityContext.capabilities.add = ['SYS_ADMIN']),
    'SYS_ADMIN',
  ],
  [
    'an init container without anything',
    ({ pod }) => (pod.initContainers = [{ name: 'setup' }]),
    'setup: allowPrivilegeEscalation',
  ],
  [
    'a directory of the host',
    ({ pod }) => pod.volumes.push({ name: 'host', hostPath: { path: '/' } }),
    'type hostPath',
  ],
  ['the network of the host', ({ pod }) => (pod.hostNetwork = true), 'hostNetwork'],
  ['a port of the host', ({ container }) => (container.ports[0].hostPort = 80), 'hostPort'],
  [
    'a namespace without the standard',
    (all) => delete all.get('Namespace').metadata.labels['pod-security.kubernetes.io/enforce'],
    'not restricted',
  ],
  [
    'an object in another namespace',
    (all) => (all.get('ServiceAccount').metadata.namespace = 'system'),
    'is in system',
  ],
  [
    'a cluster-wide object in a namespace',
    (all) => (all.get('ClusterRole', 'reader').metadata.namespace = 'jobwatcher-system'),
    'not in undefined',
  ],
  ['a name without the prefix', (all) => (all.get('Issuer').metadata.name = 'issuer'), 'lacks the prefix'],
  [
    'a name that is too long',
    (all) => (all.get('ClusterRole', 'reader').metadata.name += 'x'.repeat(60)),
    'characters',
  ],
  ['a duplicate object', (all) => all.all.push(all.get('Issuer')), 'twice'],
  [
    'the host of a placeholder',
    (all) => all.get('Certificate').spec.dnsNames.push('SERVICE_NAME.SERVICE_NAMESPACE.svc'),
    'SERVICE_NAME',
  ],
  [
    'a namespace that was not replaced',
    (all) => all.get('Certificate').spec.dnsNames.push('jobwatcher-webhook-service.system.svc'),
    '.system.svc',
  ],
  ['a template that was not rendered', ({ container }) => (container.image = '{{image}}'), '{{image}}'],
  ['a missing service account', (all) => all.remove('ServiceAccount'), 'service account'],
  ['a mount of nothing', ({ pod }) => delete pod.volumes, 'is not a volume'],
  [
    'a probe of a closed port',
    ({ container }) => (container.livenessProbe.httpGet.port = 'healthz'),
    'is probed on port healthz',
  ],
  [
    'a service of other pods',
    (all) => (all.get('Service', 'metrics-service').spec.selector.app = 'x'),
    'selects no pods',
  ],
  [
    'a service of a closed port',
    (all) => (all.get('Service', 'webhook-service').spec.ports[0].targetPort = 443),
    'leads to port 443',
  ],
  [
    'a policy for a closed port',
    (all) => (all.get('NetworkPolicy', 'webhook-traffic').spec.ingress[0].ports[0].port = 443),
    'lets in port 443',
  ],
  [
    'no policy for an open port',
    (all) => all.remove('NetworkPolicy', 'webhook-traffic'),
    'no network policy lets in port https',
  ],
  [
    'a policy for other pods',
    (all) => (all.get('NetworkPolicy', 'metrics-traffic').spec.podSelector.matchLabels.app = 'x'),
    'selects no pods',
  ],
  [
    'a monitor of nothing',
    (all) => (all.get('ServiceMonitor').spec.selector.matchLabels.app = 'x'),
    'selects 0 services',
  ],
  [
    'a monitor of another port',
    (all) => (all.get('ServiceMonitor').spec.endpoints[0].port = 'metrics'),
    'scrapes port metrics',
  ],
  [
    'a webhook of another service',
    (all) =>
      (all.get('MutatingWebhookConfiguration').webhooks[0].clientConfig.service.name = 'webhook-service'),
    'does not exist',
  ],
  [
    'a webhook of another port',
    (all) => (all.get('ValidatingWebhookConfiguration').webhooks[0].clientConfig.service.port = 9443),
    'does not exist',
  ],
  [
    'no authority for a webhook',
    (all) => delete all.get('MutatingWebhookConfiguration').metadata.annotations,
    'names no certificate',
  ],
  [
    'a certificate for another service',
    (all) => (all.get('Certificate').spec.dnsNames = []),
    'is not for jobwatcher-webhook-service.jobwatcher-system.svc',
  ],
  [
    'a certificate that is not mounted',
    (all) => (all.get('Certificate').spec.secretName = 'other'),
    'no pod uses',
  ],
  ['a certificate that is not read', ({ container }) => container.args.pop(), 'does not serve with'],
  ['a certificate without an issuer', (all) => all.remove('Issuer'), 'issuer'],
  ['a wildcard', (all) => all.get('ClusterRole', 'viewer-role').rules[0].verbs.push('*'), 'has a wildcard'],
  [
    'a role that does not exist',
    (all) => all.remove('ClusterRole', 'metrics-auth-role'),
    'which does not exist',
  ],
  [
    'a binding for another subject',
    (all) => (all.get('ClusterRoleBinding', 'manager-rolebinding').subjects[0].namespace = 'default'),
    'who does not exist',
  ],
  [
    'a manager that may not watch',
    (all) => all.get('ClusterRole', 'manager-role').rules[0].verbs.pop(),
    'may not watch jobwatchers.batch.',
  ],
  [
    'no rights for the lease',
    (all) => all.remove('RoleBinding', 'leader-election-rolebinding'),
    'may not get leases',
  ],
  [
    'rights for another lease',
    (all) => (all.get('Role', 'leader-election-role').rules[1].resourceNames = ['x.example.com']),
    'may not update leases',
  ],
  [
    'rights for every lease',
    (all) => delete all.get('Role', 'leader-election-role').rules[1].resourceNames,
    'for the leases of others',
  ],
  ['no election', ({ container }) => container.args.shift(), 'elects no leader'],
  ['a kind without a definition', (all) => all.remove('CustomResourceDefinition'), 'the definitions are'],
  ['a webhook that is not called', (all) => all.remove('ValidatingWebhookConfiguration'), 'the webhooks are'],
];

/** Where the manager makes its certificate itself. */
const rotatorMistakes: Mistake[] = [
  [
    'no Secret for the certificate',
    ({ container }) => rename(container, 'webhook-certificate', 'webhook-certificate'),
    'which does not exist',
  ],
  [
    'a certificate for another service',
    ({ container }) => rename(container, 'webhook-service', 'webhook-service'),
    'the certificate is for the service webhook-service',
  ],
  [
    'a configuration without the certificate authority',
    ({ container }) => container.args.splice(-2),
    '--webhook-validating-configuration is undefined',
  ],
  [
    'the certificate authority in another configuration',
    ({ container }) => rename(container, 'mutating-webhook-configuration', 'mutating-webhook-configuration'),
    '--webhook-mutating-configuration is mutating-webhook-configuration',
  ],
  [
    'no rights for the Secret',
    (all) => all.remove('RoleBinding', 'webhook-certificate-rolebinding'),
    'may not update the Secret',
  ],
  [
    'rights for every Secret',
    (all) => delete all.get('Role', 'webhook-certificate-role').rules[1].resourceNames,
    'for the Secrets of others',
  ],
  [
    'no rights for a configuration',
    (all) => all.get('ClusterRole', 'webhook-authority-role').rules.pop(),
    'may not patch ValidatingWebhookConfiguration',
  ],
  [
    'rights for a configuration without the prefix',
    (all) =>
      all
        .get('ClusterRole', 'webhook-authority-role')
        .rules[0].resourceNames.push('mutating-webhook-configuration'),
    'mutating-webhook-configuration, which is none of its own',
  ],
  [
    'rights for every configuration',
    (all) => delete all.get('ClusterRole', 'webhook-authority-role').rules[0].resourceNames,
    'for the mutatingwebhookconfigurations of others',
  ],
];

/** Gives the argument that ends so another value. */
function rename(container: any, suffix: string, value: string): void {
  const index = container.args.findIndex((argument: string) => argument.endsWith(`-${suffix}`));
  container.args[index] = value;
}

const [builder] = await findBuilders();

describe.skipIf(!builder)('the checks notice', () => {
  let directory: string;
  let built: Manifest[];
  let expected: Expected;
  let withRotator: Manifest[];
  let expectedWithRotator: Expected;
  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'ots-checks-'));
    const project = mkdtempSync(join(directory, 'project-'));
    const { steps } = goldenProjects.find(({ name }) => name === 'jobwatcher')!;
    for (const step of steps) await scaffoldStep(project, step);
    const variants = variantsOf(project, directory);
    const build = async (wanted: string): Promise<[Manifest[], Expected]> => {
      const { names, certificates, ...variant } = variants.find(({ name }) => name === wanted)!;
      return [await builder!.build(variant.directory), { ...readExpected(project), names, certificates }];
    };
    [built, expected] = await build('with cert-manager');
    [withRotator, expectedWithRotator] = await build('with every component');
  });
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  test('nothing when nothing is wrong', () => {
    expect(checkOperator(built, expected)).toEqual([]);
    expect(checkOperator(withRotator, expectedWithRotator)).toEqual([]);
  });

  test.each(mistakes)('%s', (_, spoil, says) => {
    const all = structuredClone(built);
    spoil(new Objects(all));
    expect(checkOperator(all, expected)).toContainEqual(expect.stringContaining(says));
  });

  test.each(rotatorMistakes)('%s, with its own certificates', (_, spoil, says) => {
    const all = structuredClone(withRotator);
    spoil(new Objects(all));
    expect(checkOperator(all, expectedWithRotator)).toContainEqual(expect.stringContaining(says));
  });

  test('rights in the whole cluster for an operator of one namespace', () => {
    const namespaced = { ...expected, project: { ...expected.project, namespaced: true } };
    const problems = checkOperator(built, namespaced);
    const group = `batch.${expected.project.domain}`;
    expect(problems).toContain(`the manager has rights for ${group} in the whole cluster`);
    expect(problems).toContain(`the manager may not get, list, watch jobwatchers.${group}`);
  });
});
