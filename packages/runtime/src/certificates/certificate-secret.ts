import type { Client } from '../client/client.ts';
import { Secret } from 'ots-kubernetes/core/v1';
import type { DeepReadonly } from '../objects/deep-readonly.ts';
import { CertificateError } from './certificate-error.ts';
import { type CertificateState, type SecretTexts, stateOf, textsOf } from './certificate-state.ts';

/** The result of reading the Secret. */
export interface FoundSecret {
  /** Undefined when it does not exist. */
  secret: DeepReadonly<Secret> | undefined;
  /** The state that it contains; undefined when the Secret does not exist or is damaged. */
  state: CertificateState | undefined;
}

/** Marks every Secret that a rotator writes. */
const mark = 'ots-runtime/rotated-certificates';

/** The Secret through which the replicas of an operator share their certificates. */
export class CertificateSecret {
  readonly #client: Client;
  readonly #key: { name: string; namespace: string };

  constructor(client: Client, key: { name: string; namespace: string }) {
    this.#client = client;
    this.#key = key;
  }

  /** @throws {CertificateError} when the Secret contains data that no rotator wrote. */
  async read(signal: AbortSignal): Promise<FoundSecret> {
    const secret = await this.#client.get(Secret, this.#key, { signal });
    if (!secret) return { secret, state: undefined };
    const isMarked = secret.metadata.labels?.[mark] !== undefined;
    const isEmpty = Object.values(secret.data ?? {}).every((value) => value === '');
    if (!isMarked && !isEmpty) {
      const { name, namespace } = this.#key;
      throw new CertificateError(
        `The Secret ${namespace}/${name} was not created by this operator`,
        'Choose another secretName, or delete that Secret if nothing needs it.',
      );
    }
    return { secret, state: stateOf(decode(secret.data ?? {})) };
  }

  /**
   * Replaces what `read` found with the state.
   * @throws {ApiError} `isConflict` or `isAlreadyExists` when another replica was faster: read its state.
   */
  async write(state: CertificateState, found: FoundSecret, signal: AbortSignal): Promise<void> {
    const { name, namespace } = this.#key;
    const labels = { ...found.secret?.metadata.labels, [mark]: 'true' };
    const data = { ...found.secret?.data, ...encode(textsOf(state)) };
    const common = { apiVersion: 'v1', kind: 'Secret', data } as const;
    if (found.secret) {
      const { type, metadata } = found.secret;
      const secret = { ...common, ...(type !== undefined && { type }), metadata: { ...metadata, labels } };
      await this.#client.update(Secret, secret, { signal });
    } else {
      const secret = { ...common, type: 'kubernetes.io/tls', metadata: { name, namespace, labels } };
      await this.#client.create(Secret, secret, { signal });
    }
  }
}

function decode(data: DeepReadonly<Record<string, string>>): SecretTexts {
  const texts = Object.entries(data).map(([key, value]) => [
    key,
    Buffer.from(value, 'base64').toString('utf8'),
  ]);
  return Object.fromEntries(texts) as SecretTexts;
}

function encode(texts: SecretTexts): Record<string, string> {
  return Object.fromEntries(
    Object.entries(texts).map(([key, text]) => [key, Buffer.from(text).toString('base64')]),
  );
}
