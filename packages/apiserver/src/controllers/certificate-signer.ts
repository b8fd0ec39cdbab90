import type { CertificatePair } from 'ots-apimachinery/certificates/certificate-pair';
import type { CertificateSigningRequest } from 'ots-kubernetes/certificates/v1';
import { type Machinery, timestamp } from '../registry/machinery.ts';
import type { Resource } from '../registry/resource.ts';
import type { StoredRecord } from '../storage/stored-record.ts';
import { WorkQueue } from './work-queue.ts';
import { writeObject } from './write-object.ts';

/**
 * Issues the certificates of approved CertificateSigningRequests for the signers that kube-controller-manager serves, or says in
 * their status why it does not.
 */
export class CertificateSigner {
  readonly #machinery: Machinery;
  readonly #requests: Resource;
  readonly #readAuthority: () => CertificatePair;
  readonly #queue: WorkQueue<string>;
  readonly #unsubscribe: () => void;

  /**
   * @param requests the resource of the requests
   * @param readAuthority returns the authority that signs; called for the first certificate
   */
  constructor(machinery: Machinery, requests: Resource, readAuthority: () => CertificatePair) {
    this.#machinery = machinery;
    this.#queue = new WorkQueue(machinery.clock, (name) => {
      this.#sync(name).catch((error: Error) => process.emitWarning(error));
    });
    this.#requests = requests;
    this.#readAuthority = readAuthority;
    this.#unsubscribe = requests.table.subscribers.add('', ({ type, record }) => {
      if (type !== 'DELETED' && isDue(record)) this.#queue.add(record.key, record.key);
    });
  }

  stop(): void {
    this.#unsubscribe();
    this.#queue.stop();
  }

  async #sync(name: string): Promise<void> {
    // Most servers sign nothing.
    const [{ isOwnSigner, refusalToSign }, { issueRequested }] = await Promise.all([
      import('./refuse-to-sign.ts'),
      import('./issue-requested.ts'),
    ]);
    const record = this.#requests.table.get(name);
    if (!record || !isDue(record)) return;
    const { spec, status } = requestIn(record);
    if (!isOwnSigner(spec.signerName)) return;
    const refusal = refusalToSign(spec);
    if (refusal === undefined) {
      const certificate = issueRequested(this.#readAuthority(), spec, this.#machinery.now());
      this.#write(record, { ...status, certificate: Buffer.from(certificate).toString('base64') });
      return;
    }
    const failed = {
      type: 'Failed',
      status: 'True',
      reason: 'SignerValidationFailure',
      message: refusal,
      lastUpdateTime: timestamp(this.#machinery),
    };
    this.#write(record, { ...status, conditions: [...(status?.conditions ?? []), failed] });
  }

  #write(record: StoredRecord, status: object): void {
    writeObject(this.#machinery, this.#requests, record, { status }, 'status');
  }
}

/** Whether a request is approved and nothing more has happened to it. */
function isDue(record: StoredRecord): boolean {
  const { conditions = [], certificate = '' } = requestIn(record).status ?? {};
  const has = (type: string) => conditions.some((one) => one.type === type && one.status === 'True');
  return certificate === '' && has('Approved') && !has('Denied') && !has('Failed');
}

function requestIn(record: StoredRecord): CertificateSigningRequest {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is stored was decoded
  return record.object as unknown as CertificateSigningRequest;
}
