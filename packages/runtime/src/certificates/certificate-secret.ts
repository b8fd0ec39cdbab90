import type { Client } from '../client/client.ts';
import { Secret } from 'ots-kubernetes/core/v1';
import type { DeepReadonly } from '../objects/deep-readonly.ts';
import { CertificateError } from './certificate-error.ts';
import { type CertificateState, type SecretTexts, stateOf, textsOf } from './certificate-state.ts';

/** What a look at the Secret found. */
export interface FoundSecret {
  /** Undefined when there is none. */
  secret: DeepReadonly<Secret> | undefined;
  /** What it holds; undefined when there is none, or it is damaged. */
  state: CertificateState | undefined;
}

/** On every Secret that a rotator writes to. */
const mark = 'ots-runtime/rotated-certificates';

/** The Secret that the replicas of an operator share their certificates in. */
export class CertificateSecret {
  readonly #client: Client;
  readonly #key: { name: string; namespace: string };

  constructor(client: Client, key: { name: string; namespace: string }) {
    this.#client = client;
    this.#key = key;
  }

  /** @throws {CertificateError} when there is one that something else put its data into. */
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
   * Writes the state over what was found.
   * @throws {ApiError} `isConflict` or `isAlreadyExists` when another replica was faster: read what it wrote.
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
