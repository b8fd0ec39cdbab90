import type { KubernetesObject } from 'ots-kubernetes';
import { errorMessage } from '../errors/error-message.ts';
import { UsageError } from '../errors/usage-error.ts';
import type { Logger } from '../logging/logger.ts';
import { BadReviewError } from './bad-review-error.ts';
import type { KindConverter } from './kind-converter.ts';
import type { WebhookRegistry } from './webhook-registry.ts';

interface ConversionRequest {
  uid: string;
  desiredAPIVersion: string;
  objects: KubernetesObject[];
}

const apiVersion = 'apiextensions.k8s.io/v1';

/** The kinds that are converted at `/convert`: one path for all of them, told apart by group and kind. */
export class ConversionRegistry {
  readonly #webhooks: WebhookRegistry;
  readonly #logger: Logger;
  readonly #converters = new Map<string, KindConverter>();

  constructor(webhooks: WebhookRegistry, logger: Logger) {
    this.#webhooks = webhooks;
    this.#logger = logger;
  }

  /** @throws {UsageError} when the kind has a converter already. */
  add(converter: KindConverter): void {
    const { hub } = converter;
    const key = converterKey(hub.apiVersion, hub.kind);
    if (this.#converters.has(key)) {
      throw new UsageError(
        `${hub.kind} has two conversions`,
        'Add all of its versions to one ConversionBuilder.',
      );
    }
    if (this.#converters.size === 0) this.#webhooks.add('/convert', (review) => this.#review(review));
    this.#converters.set(key, converter);
  }

  async #review(review: unknown): Promise<unknown> {
    const request = requestOf(review);
    const { uid, desiredAPIVersion, objects } = request;
    const answer = (response: object): object => ({
      apiVersion,
      kind: 'ConversionReview',
      response: { uid, ...response },
    });
    try {
      const convertedObjects = objects.map((object) => this.#convert(object, desiredAPIVersion));
      return answer({ convertedObjects, result: { status: 'Success' } });
    } catch (error) {
      // The API server drops the whole request when one object fails, so partial results are not sent.
      this.#logger.error({ err: error, desiredAPIVersion }, 'conversion failed');
      return answer({ convertedObjects: [], result: { status: 'Failed', message: errorMessage(error) } });
    }
  }

  #convert(object: KubernetesObject, desiredAPIVersion: string): KubernetesObject {
    const converter = this.#converters.get(converterKey(object.apiVersion, object.kind));
    if (!converter) {
      throw new UsageError(
        `${object.apiVersion} ${object.kind} is not converted here`,
        'Add a ConversionBuilder.',
      );
    }
    return converter.convert(object, desiredAPIVersion);
  }
}

function converterKey(version: string, kind: string): string {
  return `${version.split('/')[0]}/${kind}`;
}

function requestOf(review: unknown): ConversionRequest {
  const { kind, apiVersion: version, request } = (review ?? {}) as Record<string, unknown>;
  if (kind !== 'ConversionReview' || version !== apiVersion) {
    throw new BadReviewError(400, `expected a ConversionReview of ${apiVersion}`);
  }
  const { uid, desiredAPIVersion, objects } = (request ?? {}) as Partial<ConversionRequest>;
  if (typeof uid !== 'string' || typeof desiredAPIVersion !== 'string' || !Array.isArray(objects)) {
    throw new BadReviewError(400, 'the ConversionReview has no request with a uid, a version and objects');
  }
  return request as ConversionRequest;
}
