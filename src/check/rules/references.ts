import { closestName } from 'ots-apimachinery/closest-name';
import type { KubernetesObject } from 'ots-kubernetes';
import { didYouMean } from '../../project/names/did-you-mean.ts';
import { isData } from '../../project/yaml/data.ts';
import { DeployedNames } from '../deployed-names.ts';
import type { Problem } from '../finding.ts';
import type { DeployedObject } from '../deployed-object.ts';
import { placeOf } from '../kustomize-build.ts';
import { podTemplateOf } from '../pod-templates.ts';
import type { ProjectView } from '../project-view.ts';

const root = 'config/default';

type Keys = readonly (string | number)[];

/** Reports a problem of an object. */
type Report = (path: Keys, message: string, hint: string, severity?: Problem['severity']) => void;

type CheckObject = (object: KubernetesObject, names: DeployedNames, report: Report) => void;

/** Checks that the objects of config/default agree: what one of them names exists, and what it selects is there. */
export async function checkReferences(view: ProjectView): Promise<Problem[]> {
  const build = await view.build(root);
  if (!('objects' in build)) return [];
  const names = new DeployedNames(build.objects.map(({ object }) => object));
  return build.objects.flatMap((deployed) => problemsOf(view, deployed, names));
}

function problemsOf(view: ProjectView, deployed: DeployedObject, names: DeployedNames): Problem[] {
  const problems: Problem[] = [];
  const { object } = deployed;
  const report: Report = (path, message, hint, severity = 'error') => {
    const name = `${object.kind} ${object.metadata.name}`;
    problems.push({ ...placeOf(view, deployed, root, path), severity, message: `${name}: ${message}`, hint });
  };
  const check = checks[object.kind];
  check?.(object, names, report);
  checkPods(object, names, report);
  return problems;
}

const checks: Readonly<Record<string, CheckObject | undefined>> = {
  RoleBinding: checkBinding,
  ClusterRoleBinding: checkBinding,
  Service: checkService,
  MutatingWebhookConfiguration: checkWebhooks,
  ValidatingWebhookConfiguration: checkWebhooks,
  CustomResourceDefinition: checkConversion,
  Deployment: checkSelector,
  NetworkPolicy: checkPodSelector('podSelector'),
  PodDisruptionBudget: checkPodSelector('selector'),
  ValidatingAdmissionPolicyBinding: checkPolicyBinding,
};

/** Roles that every cluster has. */
const isClusterRole = (name: string): boolean => /^(?:system:|(?:cluster-admin|admin|edit|view)$)/.test(name);

function checkBinding(object: KubernetesObject, names: DeployedNames, report: Report): void {
  const { roleRef, subjects } = object as { roleRef?: unknown; subjects?: unknown };
  const namespace = object.metadata.namespace ?? '';
  if (isData(roleRef) && typeof roleRef['kind'] === 'string' && typeof roleRef['name'] === 'string') {
    const { kind, name } = roleRef as { kind: string; name: string };
    const isMissing = !names.has(kind, name, kind === 'Role' ? namespace : '');
    if (isMissing && !(kind === 'ClusterRole' && isClusterRole(name)))
      report(
        ['roleRef', 'name'],
        `there is no ${kind} ${name}`,
        suggest(names, kind, name, 'Correct the name of the role.'),
      );
  }
  for (const [index, subject] of (Array.isArray(subjects) ? subjects : []).entries()) {
    if (!isData(subject) || subject['kind'] !== 'ServiceAccount' || typeof subject['name'] !== 'string')
      continue;
    const { name } = subject as { name: string };
    const place = typeof subject['namespace'] === 'string' ? subject['namespace'] : namespace;
    if (names.has('ServiceAccount', name, place) || name === 'default' || !names.deploysTo(place)) continue;
    const hint = suggest(names, 'ServiceAccount', name, 'Correct the name or the namespace of the subject.');
    report(['subjects', index, 'name'], `there is no ServiceAccount ${name} in ${place}`, hint);
  }
}

function checkService({ metadata, ...rest }: KubernetesObject, names: DeployedNames, report: Report): void {
  const { spec } = rest as { spec?: unknown };
  if (!isData(spec) || !isData(spec['selector'])) return;
  const pods = names.podsOf(metadata.namespace ?? '', spec['selector']);
  if (pods.length === 0) {
    const hint = 'Make it equal to labels of the pods in config/manager/manager.yaml.';
    report(['spec', 'selector'], 'its selector matches no pods', hint);
    return;
  }
  for (const [index, port] of (Array.isArray(spec['ports']) ? spec['ports'] : []).entries()) {
    const target: unknown = isData(port) ? (port['targetPort'] ?? port['port']) : undefined;
    const ports = pods.flatMap(({ spec: pod }) =>
      (pod?.containers ?? []).flatMap(({ ports: list }) => list ?? []),
    );
    const isServed = ports.some(({ name, containerPort }) => name === target || containerPort === target);
    // Containers need not list their ports, but then they have no names.
    if (isServed || (typeof target === 'number' && ports.length === 0)) continue;
    const known = ports.map(({ name, containerPort }) => name ?? String(containerPort)).join(', ');
    const hint = known === '' ? 'Name the port in the container.' : `The containers have ${known}.`;
    report(['spec', 'ports', index, 'targetPort'], `no container has the port ${String(target)}`, hint);
  }
}

function checkSelector(object: KubernetesObject, _: DeployedNames, report: Report): void {
  const { spec } = object as { spec?: unknown };
  const selector = isData(spec) && isData(spec['selector']) ? spec['selector']['matchLabels'] : undefined;
  const labels = podTemplateOf(object)?.template.metadata?.labels ?? {};
  if (!isData(selector)) return;
  const wrong = Object.keys(selector).find((key) => labels[key] !== selector[key]);
  if (wrong === undefined) return;
  const message = `its selector wants the label ${wrong}: ${String(selector[wrong])}, which its pods do not have`;
  report(
    ['spec', 'selector', 'matchLabels', wrong],
    message,
    'Give the selector and the template the same labels.',
  );
}

/** Of what is about pods in its namespace. An empty selector is about all of them. */
function checkPodSelector(field: string): CheckObject {
  return ({ metadata, ...rest }, names, report) => {
    const { spec } = rest as { spec?: unknown };
    const selector = isData(spec) ? spec[field] : undefined;
    const labels = isData(selector) ? selector['matchLabels'] : undefined;
    if (!isData(labels) || names.podsOf(metadata.namespace ?? '', labels).length > 0) return;
    const hint = 'Make it equal to labels of the pods in config/manager/manager.yaml.';
    report(['spec', field, 'matchLabels'], 'its selector matches no pods', hint, 'warning');
  };
}

function checkPolicyBinding(object: KubernetesObject, names: DeployedNames, report: Report): void {
  const { spec } = object as { spec?: unknown };
  const name = isData(spec) ? spec['policyName'] : undefined;
  if (typeof name !== 'string' || names.has('ValidatingAdmissionPolicy', name, '')) return;
  const hint = suggest(names, 'ValidatingAdmissionPolicy', name, 'Correct the name of the policy.');
  report(['spec', 'policyName'], `there is no ValidatingAdmissionPolicy ${name}`, hint);
}

function checkWebhooks(object: KubernetesObject, names: DeployedNames, report: Report): void {
  const { webhooks } = object as { webhooks?: unknown };
  for (const [index, webhook] of (Array.isArray(webhooks) ? webhooks : []).entries())
    if (isData(webhook))
      checkClientConfig(webhook['clientConfig'], ['webhooks', index, 'clientConfig'], names, report);
}

function checkConversion(object: KubernetesObject, names: DeployedNames, report: Report): void {
  const { spec } = object as { spec?: unknown };
  const conversion = isData(spec) ? spec['conversion'] : undefined;
  const webhook = isData(conversion) ? conversion['webhook'] : undefined;
  if (isData(webhook))
    checkClientConfig(
      webhook['clientConfig'],
      ['spec', 'conversion', 'webhook', 'clientConfig'],
      names,
      report,
    );
}

function checkClientConfig(config: unknown, path: Keys, names: DeployedNames, report: Report): void {
  const service = isData(config) ? config['service'] : undefined;
  if (!isData(service) || typeof service['name'] !== 'string') return;
  const { name } = service as { name: string };
  const namespace = String(service['namespace']);
  const found = names.find('Service', name, namespace);
  if (!found) {
    const hint = suggest(names, 'Service', name, 'Enable ../webhook in config/default, or correct the name.');
    report([...path, 'service', 'name'], `there is no Service ${name} in ${namespace}`, hint);
    return;
  }
  const { spec } = found as { spec?: unknown };
  const ports = isData(spec) && Array.isArray(spec['ports']) ? spec['ports'].filter(isData) : [];
  const port = typeof service['port'] === 'number' ? service['port'] : 443;
  if (!ports.some((each) => each['port'] === port))
    report(
      [...path, 'service', 'port'],
      `the Service ${name} has no port ${port}`,
      'Correct the port of the Service.',
    );
}

/** What pods need before they start. */
function checkPods(object: KubernetesObject, names: DeployedNames, report: Report): void {
  const pods = podTemplateOf(object);
  const spec = pods?.template.spec;
  if (!pods || !spec) return;
  const namespace = object.metadata.namespace ?? '';
  const account = spec.serviceAccountName;
  if (account !== undefined && account !== 'default' && !names.has('ServiceAccount', account, namespace)) {
    const hint = suggest(names, 'ServiceAccount', account, 'Correct the name, or add the ServiceAccount.');
    report(
      [...pods.path, 'spec', 'serviceAccountName'],
      `there is no ServiceAccount ${account} in ${namespace}`,
      hint,
    );
  }
  for (const { kind, name, path } of mountedNames(spec)) {
    if (names.has(kind, name, namespace) || names.isIssued(kind, name, namespace)) continue;
    const near = closestName(name, names.of(kind));
    // The author may create Secrets outside of the project.
    if (kind === 'Secret' && near === undefined) continue;
    const rule = `Correct the name, add the ${kind}, or write "optional: true".`;
    report(
      [...pods.path, 'spec', ...path],
      `there is no ${kind} ${name} in ${namespace}`,
      didYouMean(near, rule),
      'warning',
    );
  }
}

interface MountedName {
  readonly kind: 'ConfigMap' | 'Secret';
  readonly name: string;
  readonly path: Keys;
}

/** The ConfigMaps and Secrets without which pods do not start. */
function mountedNames(
  spec: NonNullable<NonNullable<ReturnType<typeof podTemplateOf>>['template']['spec']>,
): MountedName[] {
  const found: MountedName[] = [];
  const add = (
    kind: MountedName['kind'],
    name: string | undefined,
    isOptional: boolean | undefined,
    path: Keys,
  ): void => {
    if (name !== undefined && name !== 'kube-root-ca.crt' && !isOptional) found.push({ kind, name, path });
  };
  for (const [index, { configMap, secret }] of (spec.volumes ?? []).entries()) {
    add('ConfigMap', configMap?.name, configMap?.optional, ['volumes', index, 'configMap', 'name']);
    add('Secret', secret?.secretName, secret?.optional, ['volumes', index, 'secret', 'secretName']);
  }
  for (const [index, container] of spec.containers.entries()) {
    const path = ['containers', index];
    for (const [at, { configMapRef, secretRef }] of (container.envFrom ?? []).entries()) {
      add('ConfigMap', configMapRef?.name, configMapRef?.optional, [...path, 'envFrom', at]);
      add('Secret', secretRef?.name, secretRef?.optional, [...path, 'envFrom', at]);
    }
    for (const [at, { valueFrom }] of (container.env ?? []).entries()) {
      const { configMapKeyRef, secretKeyRef } = valueFrom ?? {};
      add('ConfigMap', configMapKeyRef?.name, configMapKeyRef?.optional, [...path, 'env', at]);
      add('Secret', secretKeyRef?.name, secretKeyRef?.optional, [...path, 'env', at]);
    }
  }
  return found;
}

function suggest(names: DeployedNames, kind: string, name: string, rule: string): string {
  return didYouMean(closestName(name, names.of(kind)), rule);
}
