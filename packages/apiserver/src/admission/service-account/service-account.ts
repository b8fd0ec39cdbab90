import type { Pod, PodSpec, ServiceAccount as Account } from 'ots-kubernetes/core/v1';
import type { AdmissionAttributes } from '../../registry/admission.ts';
import type { Random } from '../../random/random.ts';
import type { OwnMachinery } from '../../registry/machinery.ts';
import type { ResourceRegistry } from '../../registry/resource-registry.ts';
import { StatusError } from '../../status/status-error.ts';
import { forbid } from '../forbid.ts';
import type { AdmissionPlugin } from '../plugin.ts';
import { faultOfMirrorPod, isMirrorPod } from './mirror-pods.ts';
import { mountToken } from './mount-token.ts';
import { foreignSecretIn, foreignSecretOf } from './secret-references.ts';

const enforceAnnotation = 'kubernetes.io/enforce-mountable-secrets';
/** The texts that Go reads as true. */
const affirmations = new Set(['1', 't', 'T', 'true', 'TRUE', 'True']);

/** ServiceAccount: every pod runs as a ServiceAccount that exists, and gets a token of it. */
export class ServiceAccount implements AdmissionPlugin {
  readonly name = 'ServiceAccount';
  readonly #registry: ResourceRegistry;
  readonly #random: Random;

  constructor({ registry, random }: OwnMachinery) {
    this.#registry = registry;
    this.#random = random;
  }

  handles({ operation, target: { resource, subresource } }: AdmissionAttributes): boolean {
    if (resource.group !== '' || resource.plural !== 'pods') return false;
    return operation === 'CREATE'
      ? subresource === ''
      : operation === 'UPDATE' && subresource === 'ephemeralcontainers';
  }

  /** @throws {StatusError} 403 when the ServiceAccount does not exist, or does not name what the pod uses */
  mutate(attributes: AdmissionAttributes): undefined {
    const pod = podOf(attributes);
    if (attributes.operation !== 'CREATE') return;
    if (!isMirrorPod(pod)) {
      const { spec } = pod;
      if (!spec.serviceAccountName) spec.serviceAccountName = 'default';
      spec.serviceAccount = spec.serviceAccountName;
      const account = this.#accountOf(attributes, spec);
      if (spec.automountServiceAccountToken ?? account.automountServiceAccountToken ?? true)
        mountToken(spec, this.#random);
      const { imagePullSecrets = [] } = account;
      if (!spec.imagePullSecrets?.length && imagePullSecrets.length > 0)
        spec.imagePullSecrets = imagePullSecrets.map(({ name }) => ({ ...(name !== undefined && { name }) }));
    }
    this.validate(attributes);
  }

  /** @throws {StatusError} 403 as above; 500 for ephemeral containers, as from kube-apiserver */
  validate(attributes: AdmissionAttributes): undefined {
    const pod = podOf(attributes);
    const { spec } = pod;
    const isNew = attributes.operation === 'CREATE';
    if (isNew && isMirrorPod(pod)) {
      const fault = faultOfMirrorPod(pod);
      if (fault !== undefined) throw forbid(attributes, fault);
      return;
    }
    if (!spec.serviceAccountName) {
      const id = `${attributes.target.namespace}/${pod.metadata?.name}`;
      throw forbid(attributes, `no service account specified for pod ${id}`);
    }
    const account = this.#accountOf(attributes, spec);
    if (!affirmations.has(account.metadata?.annotations?.[enforceAnnotation] ?? '')) return;
    const foreign = isNew
      ? foreignSecretOf(spec, account)
      : foreignSecretIn(spec.ephemeralContainers ?? [], 'ephemeral container', account);
    if (foreign === undefined) return;
    throw isNew ? forbid(attributes, foreign) : new StatusError(500, undefined, foreign);
  }

  #accountOf(attributes: AdmissionAttributes, { serviceAccountName: name }: PodSpec): Account {
    const id = `${attributes.target.namespace}/${name}`;
    const record = this.#registry.find('', 'v1', 'serviceaccounts')?.table.get(id);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is stored was decoded
    if (record) return record.object as unknown as Account;
    throw forbid(attributes, `error looking up service account ${id}: serviceaccount "${name}" not found`);
  }
}

function podOf({ object }: AdmissionAttributes): Pod & { spec: PodSpec } {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- decoding checked its fields and gives it a spec
  return object as unknown as Pod & { spec: PodSpec };
}
