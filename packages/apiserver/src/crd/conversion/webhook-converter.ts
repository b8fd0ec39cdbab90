import type { WebhookConversion } from 'ots-kubernetes/apiextensions/v1';
import type { ApiObject } from '../../json/api-object.ts';
import { type JsonObject, isObject } from '../../json/json-object.ts';
import { jsonType } from '../../decoding/mismatches.ts';
import { stringifyJson } from '../../json/stringify-json.ts';
import { StatusError } from '../../status/status-error.ts';
import type { Random } from '../../random/random.ts';
import { callWebhook } from '../../webhooks/call-webhook.ts';
import { WebhookCallError } from '../../webhooks/webhook-call-error.ts';
import { addressOf } from '../../webhooks/client-config.ts';
import type { ServiceEndpoints } from '../../webhooks/service-endpoints.ts';
import { InvalidResultError, checkedResult } from './checked-result.ts';
import { createReview, readResponse, typeOf } from './conversion-review.ts';

/** How long a webhook may take, in seconds: the limit of a real server. */
const timeoutSeconds = 30;

/** Converts custom resources by the webhook that their definition names. Like a real server it sends one object per review. */
export class WebhookConverter {
  readonly #webhook: WebhookConversion;
  readonly #services: ServiceEndpoints;
  readonly #random: Random;

  constructor(
    webhook: WebhookConversion,
    { services, random }: { services: ServiceEndpoints; random: Random },
  ) {
    this.#webhook = webhook;
    this.#services = services;
    this.#random = random;
  }

  /**
   * Converts an object to another version.
   *
   * @returns the object as the webhook returned it, with the metadata that it must not change
   * @throws {StatusError} 500, in the words of kube-apiserver, when the webhook fails
   */
  async convert(object: JsonObject, apiVersion: string): Promise<ApiObject> {
    const subject = `conversion webhook for ${typeOf(object)}`;
    try {
      const results = await this.#review(object, apiVersion);
      if (results.length !== 1) throw failure(`${subject} returned ${results.length} objects, expected 1`);
      return checkedResult(object, asObject(results[0]), apiVersion);
    } catch (error) {
      if (error instanceof WebhookCallError) throw failure(`${subject} failed: ${error.message}`);
      if (error instanceof InvalidResultError) throw failure(`${subject} returned invalid ${error.message}`);
      throw error;
    }
  }

  async #review(object: JsonObject, apiVersion: string): Promise<unknown[]> {
    const { clientConfig, conversionReviewVersions } = this.#webhook;
    const review = createReview(conversionReviewVersions, asSent(object), apiVersion, this.#random);
    const address = addressOf(clientConfig ?? {}, this.#services);
    return readResponse(await callWebhook(address, review, timeoutSeconds), review);
  }
}

/** Objects are stored, and sent, without their resource version. */
function asSent(object: JsonObject): JsonObject {
  if (!isObject(object['metadata'])) return object;
  const { resourceVersion: _, ...metadata } = object['metadata'];
  return { ...object, metadata };
}

/** The errors of a real server's decoder, which do not say whose object it is. */
function asObject(value: unknown): JsonObject {
  if (value === null) throw failure('unexpected end of JSON input');
  if (!isObject(value))
    throw failure(`json: cannot unmarshal ${jsonType(value)} into Go value of type map[string]interface {}`);
  const { kind } = value;
  if (typeof kind !== 'string' || kind === '')
    throw failure(`Object 'Kind' is missing in '${stringifyJson(value)}'`);
  return value;
}

function failure(message: string): StatusError {
  return new StatusError(500, undefined, message);
}
