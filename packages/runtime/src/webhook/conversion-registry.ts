import type { KubernetesObject } from 'ots-kubernetes';
import { runInContext } from '../context/work-context.ts';
import { errorMessage } from '../errors/error-message.ts';
import { RuntimeError } from '../errors/runtime-error.ts';
import { UsageError } from '../errors/usage-error.ts';
import type { Logger } from '../logging/logger.ts';
import { BadReviewError } from './read-review.ts';
import type { KindConverter } from './kind-converter.ts';
import type { WebhookObserver } from './webhook-observer.ts';
import type { ReviewCall, WebhookRegistry } from './webhook-registry.ts';

interface ConversionReview {
  apiVersion: unknown;
  request: ConversionRequest;
}

interface ConversionRequest {
  uid: string;
  desiredAPIVersion: string;
  objects: KubernetesObject[];
}

/** Both are the same. */
const versions: readonly unknown[] = ['apiextensions.k8s.io/v1', 'apiextensions.k8s.io/v1beta1'];

/** The kinds that are converted at `/convert`: they share one path and are distinguished by group and kind. */
export class ConversionRegistry {
  readonly #webhooks: WebhookRegistry;
  readonly #logger: Logger;
  readonly #converters = new Map<string, KindConverter>();

  constructor(webhooks: WebhookRegistry, logger: Logger) {
    this.#webhooks = webhooks;
    this.#logger = logger;
  }

  /** The names of the CustomResourceDefinitions of the kinds, such as `myapps.example.com`. */
  get definitions(): string[] {
    return [...this.#converters.values()].map(({ hub }) => `${hub.plural}.${hub.group}`);
  }

  /** @throws {UsageError} if the kind already has a converter. */
  add(converter: KindConverter): void {
    const { hub } = converter;
    const key = converterKey(hub.apiVersion, hub.kind);
    if (this.#converters.has(key)) {
      throw new UsageError(
        `${hub.kind} has two conversions`,
        'Add all of its versions to one ConversionBuilder.',
      );
    }
    if (this.#converters.size === 0) {
      this.#webhooks.add('/convert', (review, call) => this.#review(review, call), 'convert');
    }
    this.#converters.set(key, converter);
  }

  async #review(review: unknown, { signal, observer }: ReviewCall): Promise<unknown> {
    const onStrayRejection = (error: unknown): void => {
      observer?.panicked('conversion');
      this.#logger.error({ err: error }, 'a promise that a conversion did not await was rejected');
    };
    return runInContext({ signal, onStrayRejection }, () => this.#respond(reviewOf(review), observer));
  }

  #respond(
    { apiVersion, request: { uid, desiredAPIVersion, objects } }: ConversionReview,
    observer: WebhookObserver | undefined,
  ): unknown {
    const reviewWith = (response: object): object => ({
      apiVersion,
      kind: 'ConversionReview',
      response: { uid, ...response },
    });
    const convertedObjects: KubernetesObject[] = [];
    for (const object of objects) {
      try {
        convertedObjects.push(this.#convert(object, desiredAPIVersion));
      } catch (error) {
        if (!(error instanceof RuntimeError)) observer?.panicked('conversion');
        const { kind, metadata } = object;
        const { name, namespace } = metadata;
        const message = `${kind} ${namespace === undefined ? name : `${namespace}/${name}`}: ${errorMessage(error)}`;
        this.#logger.error({ err: error, kind, namespace, name, desiredAPIVersion }, 'conversion failed');
        // The API server drops the whole request when one object fails, so partial results are not sent.
        return reviewWith({ convertedObjects: [], result: { status: 'Failure', message } });
      }
    }
    return reviewWith({ convertedObjects, result: { status: 'Success' } });
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

function reviewOf(review: unknown): ConversionReview {
  const { kind, apiVersion, request } = (review ?? {}) as Record<string, unknown>;
  if (kind !== 'ConversionReview' || !versions.includes(apiVersion)) {
    throw new BadReviewError(400, `expected a ConversionReview of ${versions.join(' or ')}`);
  }
  const { uid, desiredAPIVersion, objects } = (request ?? {}) as Partial<ConversionRequest>;
  if (typeof uid !== 'string' || typeof desiredAPIVersion !== 'string' || !Array.isArray(objects)) {
    throw new BadReviewError(400, 'the ConversionReview has no request with a uid, a version and objects');
  }
  for (const object of objects as unknown[]) {
    const { apiVersion: of, kind: what } = (object ?? {}) as Partial<KubernetesObject>;
    if (typeof of !== 'string' || typeof what !== 'string') {
      throw new BadReviewError(
        400,
        'the ConversionReview contains something that is not a Kubernetes object',
      );
    }
  }
  return { apiVersion, request: { uid, desiredAPIVersion, objects: objects.map(withMetadata) } };
}

/** To compare fields of managers, an API server also converts parts of objects, which may lack metadata. */
function withMetadata(object: KubernetesObject): KubernetesObject {
  const { metadata } = object as Partial<KubernetesObject>;
  return metadata ? object : { ...object, metadata: {} };
}
