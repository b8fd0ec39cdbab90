import type { ValidatingAdmissionPolicy } from 'ots-kubernetes/admissionregistration/v1';
import { checkTypes } from '../admission/policy/type-checking/type-checker.ts';
import { systemUser } from '../authentication/user-info.ts';
import { applyObject } from '../registry/apply.ts';
import type { Machinery } from '../registry/machinery.ts';
import type { Resource } from '../registry/resource.ts';
import { StatusError } from '../status/status-error.ts';
import type { StoredRecord } from '../storage/stored-record.ts';
import { WorkQueue } from './work-queue.ts';

const manager = 'validatingadmissionpolicy-status';

/** Reports the type errors in ValidatingAdmissionPolicies in their status. */
export class PolicyStatusController {
  readonly #machinery: Machinery;
  readonly #policies: Resource;
  readonly #queue: WorkQueue<string>;
  readonly #unsubscribe: () => void;

  /** @param policies the resource of the policies */
  constructor(machinery: Machinery, policies: Resource) {
    this.#machinery = machinery;
    this.#queue = new WorkQueue(machinery.clock, (name) => this.#sync(name));
    this.#policies = policies;
    this.#unsubscribe = policies.table.subscribers.add('', ({ type, record }) => {
      if (type !== 'DELETED' && isOutdated(record)) this.#queue.add(record.key, record.key);
    });
  }

  stop(): void {
    this.#unsubscribe();
    this.#queue.stop();
  }

  async #sync(name: string): Promise<void> {
    const record = this.#policies.table.get(name);
    if (!record || !isOutdated(record)) return;
    const { metadata, spec } = policyOf(record);
    const warnings = checkTypes(spec ?? {}, this.#machinery.registry);
    const status = {
      observedGeneration: metadata.generation,
      typeChecking: warnings.length > 0 ? { expressionWarnings: warnings } : {},
    };
    const { apiVersion, kind } = record.object;
    const value = { apiVersion, kind, metadata: { name }, status };
    const target = { resource: this.#policies, namespace: '', name, subresource: 'status' };
    try {
      const configuration = { value, force: true, check: () => {} };
      await applyObject(this.#machinery, target, configuration, { user: systemUser, dryRun: false, manager });
    } catch (error) {
      // It may have been deleted meanwhile.
      if (!(error instanceof StatusError)) throw error;
    }
  }
}

function isOutdated(record: StoredRecord): boolean {
  const { metadata, status } = policyOf(record);
  return (metadata.generation ?? 0) > (status?.observedGeneration ?? 0);
}

function policyOf(
  record: StoredRecord,
): ValidatingAdmissionPolicy & Pick<StoredRecord['object'], 'metadata'> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is stored was decoded
  return record.object as ReturnType<typeof policyOf>;
}
