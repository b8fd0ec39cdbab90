import type { CronJob } from 'ots-kubernetes/batch/v1';
import type { Pod, PodTemplate, PodTemplateSpec } from 'ots-kubernetes/core/v1';
import type { Deployment } from 'ots-kubernetes/apps/v1';
import type { ApiObject } from '../../json/api-object.ts';
import { appendAll } from '../../json/append-all.ts';
import type { ResourceRegistry } from '../../registry/resource-registry.ts';
import { kindName } from '../../registry/resource.ts';
import { invalidObject } from '../../status/errors.ts';
import type { AdmissionAttributes } from '../../registry/admission.ts';
import type { AdmissionPlugin } from '../plugin.ts';
import { forbid } from '../forbid.ts';
import { auditPod } from './audit-pod.ts';
import { checkedPodOf } from './check.ts';
import { describeViolations } from './evaluate.ts';
import { isSignificantUpdate } from './is-significant-update.ts';
import { type LabeledPolicy, compareLevels, formatLevel, policyOf, prefix } from './policy.ts';
import { warningsForExistingPods } from './warnings-for-existing-pods.ts';

/** Returns the pod template of a workload; undefined if it has none. */
type TemplateReader = (object: ApiObject) => PodTemplateSpec | undefined;

// oxlint-disable typescript/no-unsafe-type-assertion -- decoding checked the fields of the objects
const ofSpec: TemplateReader = (object) => (object as unknown as Deployment).spec?.template;
const ofJob: TemplateReader = (object) => (object as unknown as CronJob).spec?.jobTemplate.spec?.template;
const ofTemplate: TemplateReader = (object) => (object as unknown as PodTemplate).template;
const podOf = (object: ApiObject | undefined) => object as unknown as Pod;
// oxlint-enable typescript/no-unsafe-type-assertion

const templates = new Map<string, TemplateReader>([
  ['/podtemplates', ofTemplate],
  ['/replicationcontrollers', ofSpec],
  ['apps/replicasets', ofSpec],
  ['apps/deployments', ofSpec],
  ['apps/statefulsets', ofSpec],
  ['apps/daemonsets', ofSpec],
  ['batch/jobs', ofSpec],
  ['batch/cronjobs', ofJob],
]);

/** The subresources of pods that may change the spec. */
const podEndpoints = new Set(['', 'ephemeralcontainers', 'resize']);

/**
 * PodSecurity: checks pods against the Pod Security Standard that the labels of their namespace name. Workloads only get
 * warnings and audit annotations.
 */
export class PodSecurity implements AdmissionPlugin {
  readonly name = 'PodSecurity';
  readonly #registry: ResourceRegistry;

  constructor(registry: ResourceRegistry) {
    this.#registry = registry;
  }

  handles({ operation, target: { resource, subresource } }: AdmissionAttributes): boolean {
    if (resource.custom || (operation !== 'CREATE' && operation !== 'UPDATE')) return false;
    const id = `${resource.group}/${resource.plural}`;
    if (id === '/pods') return podEndpoints.has(subresource);
    return subresource === '' && (id === '/namespaces' || templates.has(id));
  }

  /** @throws {StatusError} 403 for a pod that its namespace does not accept, 422 for a namespace with wrong labels */
  validate(attributes: AdmissionAttributes): undefined {
    const { plural, group } = attributes.target.resource;
    if (plural === 'namespaces') this.#validateNamespace(attributes);
    else if (plural === 'pods') this.#validatePod(attributes);
    else this.#checkTemplate(attributes, templates.get(`${group}/${plural}`));
  }

  #validateNamespace({ target, object, oldObject, warnings }: AdmissionAttributes): void {
    const name = object?.metadata.name ?? '';
    const { policy, errors } = policyOf(object?.metadata.labels);
    const { policy: old, errors: oldErrors } = policyOf(oldObject?.metadata.labels);
    const isOldFault = oldObject && JSON.stringify(errors) === JSON.stringify(oldErrors);
    if (errors.length > 0 && !isOldFault) throw invalidObject(kindName(target.resource), name, errors);
    if (!oldObject) return;
    const { level, version } = policy.enforce;
    const isStricter = version !== old.enforce.version || compareLevels(level, old.enforce.level) > 0;
    if (level === 'privileged' || !isStricter) return;
    const records = this.#registry.find('', 'v1', 'pods')?.table.list(`${name}/`) ?? [];
    const pods = records.map((record) => podOf(record.object));
    appendAll(warnings, warningsForExistingPods(name, pods, policy.enforce));
  }

  #validatePod(attributes: AdmissionAttributes): void {
    const { operation, target, object, oldObject, warnings, audit } = attributes;
    const labeled = this.#policyIn(target.namespace);
    if (allowsEverything(labeled)) {
      audit?.add(`${prefix}enforce-policy`, 'privileged:latest');
      return;
    }
    const { enforce, warn } = labeled.policy;
    const pod = checkedPodOf(podOf(object));
    if (operation === 'UPDATE' && !isSignificantUpdate(pod.spec, checkedPodOf(podOf(oldObject)).spec)) return;
    audit?.add(`${prefix}enforce-policy`, formatLevel(enforce));
    auditPod(audit, pod, labeled);
    const found = describeViolations(pod, enforce);
    if (found !== undefined)
      throw forbid(attributes, `violates PodSecurity "${formatLevel(enforce)}": ${found}`);
    const tolerated = describeViolations(pod, warn);
    if (tolerated !== undefined)
      warnings.push(`would violate PodSecurity "${formatLevel(warn)}": ${tolerated}`);
  }

  #checkTemplate(
    { target, object, warnings, audit }: AdmissionAttributes,
    templateOf?: TemplateReader,
  ): void {
    const template = object && templateOf?.(object);
    if (!template) return;
    const labeled = this.#policyIn(target.namespace);
    const { warn } = labeled.policy;
    const pod = checkedPodOf(template);
    auditPod(audit, pod, labeled);
    const found = describeViolations(pod, warn);
    if (found !== undefined) warnings.push(`would violate PodSecurity "${formatLevel(warn)}": ${found}`);
  }

  #policyIn(namespace: string): LabeledPolicy {
    const record = this.#registry.find('', 'v1', 'namespaces')?.table.get(namespace);
    return policyOf(record?.object.metadata.labels);
  }
}

function allowsEverything({ policy: { enforce, audit, warn }, errors }: LabeledPolicy): boolean {
  return errors.length === 0 && [enforce, audit, warn].every(({ level }) => level === 'privileged');
}
