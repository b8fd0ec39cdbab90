import type { Kind, KubernetesObject } from 'ots-kubernetes';
import {
  MutatingWebhookConfiguration,
  ValidatingWebhookConfiguration,
} from 'ots-kubernetes/admissionregistration/v1';
import { CustomResourceDefinition } from 'ots-kubernetes/apiextensions/v1';
import type { Client } from '../client/client.ts';
import { errorMessage } from '../errors/error-message.ts';
import type { Logger } from '../logging/logger.ts';
import type { DeepReadonly } from '../objects/deep-readonly.ts';
import { metadataOf } from '../objects/metadata-of.ts';
import type { JsonPatchOperation } from '../objects/patches.ts';
import type { RotatorOptions } from './rotator-options.ts';

/** One object that tells the API server which authorities to trust. */
interface Target {
  name: string;
  /** Writes the bundle, in base64, where it is missing. Returns what it did, or why the bundle cannot be written. */
  patch: (bundle: string, signal: AbortSignal) => Promise<'there' | 'written' | { problem: string }>;
}

/** The webhook configurations and CRDs that must contain our authorities. */
export class AuthorityBundles {
  readonly #client: Client;
  readonly #logger: Logger;
  readonly #targets: readonly Target[];
  readonly #problems = new Map<string, string>();

  constructor(client: Client, options: RotatorOptions, logger: Logger) {
    this.#client = client;
    this.#logger = logger;
    const {
      validatingWebhookConfigurations: validating = [],
      mutatingWebhookConfigurations: mutating = [],
      customResourceDefinitions: definitions = [],
    } = options;
    this.#targets = [
      ...validating.map((name) => this.#target(ValidatingWebhookConfiguration, name, webhookPatch)),
      ...mutating.map((name) => this.#target(MutatingWebhookConfiguration, name, webhookPatch)),
      ...definitions.map((name) => this.#target(CustomResourceDefinition, name, conversionPatch)),
    ];
  }

  /**
   * Writes the authorities to every object that lacks them. Logs a problem once, not at every check.
   * @param bundle the authorities, PEM.
   * @returns true when every object that exists already contained them.
   */
  async ensure(bundle: string, signal: AbortSignal): Promise<boolean> {
    const encoded = Buffer.from(bundle).toString('base64');
    const all = await Promise.all(this.#targets.map((target) => this.#ensure(target, encoded, signal)));
    return all.every(Boolean);
  }

  async #ensure({ name, patch }: Target, encoded: string, signal: AbortSignal): Promise<boolean> {
    try {
      const result = await patch(encoded, signal);
      this.#tell(name, typeof result === 'string' ? undefined : result.problem);
      return result !== 'written';
    } catch (error) {
      if (!signal.aborted) this.#tell(name, errorMessage(error));
      return false;
    }
  }

  #tell(name: string, problem: string | undefined): void {
    const before = this.#problems.get(name);
    if (problem === undefined) {
      this.#problems.delete(name);
    } else if (problem !== before) {
      this.#problems.set(name, problem);
      this.#logger.warn({ reason: problem }, `${name} did not receive the certificate authority`);
    }
  }

  #target<T extends KubernetesObject>(
    kind: Kind<T>,
    name: string,
    patchFor: (object: DeepReadonly<T>, bundle: string) => JsonPatchOperation[] | string,
  ): Target {
    /** The bundle that this object last contained, and the object's resource version then. */
    let found: { bundle: string; version: string | undefined } | undefined;
    const isAsFound = async (bundle: string, signal: AbortSignal): Promise<boolean> => {
      if (found?.bundle !== bundle || found.version === undefined) return false;
      const seen = await this.#client.get(metadataOf(kind), { name }, { signal });
      return seen?.metadata.resourceVersion === found.version;
    };
    return {
      name: `${kind.kind} ${name}`,
      patch: async (bundle, signal) => {
        // A CRD can be a megabyte in size, and every replica checks it every ten seconds.
        if (await isAsFound(bundle, signal)) return 'there';
        const object = await this.#client.get(kind, { name }, { signal });
        // It may appear later: webhooks are often installed after the operator.
        if (!object) return { problem: 'it does not exist' };
        const patch = patchFor(object, bundle);
        if (typeof patch === 'string') return { problem: patch };
        if (patch.length === 0) {
          found = { bundle, version: object.metadata.resourceVersion };
          return 'there';
        }
        await this.#client.patch(kind, { name }, patch, { type: 'json', signal });
        this.#logger.info(`${kind.kind} ${name} received the certificate authority`);
        return 'written';
      },
    };
  }
}

function webhookPatch(
  object: DeepReadonly<{ webhooks?: { name: string; clientConfig: { caBundle?: string } }[] }>,
  bundle: string,
): JsonPatchOperation[] | string {
  const { webhooks = [] } = object;
  if (webhooks.length === 0) return 'it has no webhooks';
  return webhooks.flatMap(({ name, clientConfig }, index): JsonPatchOperation[] => {
    const operations = bundlePatch(clientConfig, `/webhooks/${index}/clientConfig`, bundle);
    // Indexes shift when another writer changes the list; then the patch fails, and the next check creates a new one.
    return operations.length > 0
      ? [{ op: 'test', path: `/webhooks/${index}/name`, value: name }, ...operations]
      : [];
  });
}

function conversionPatch(
  { spec }: DeepReadonly<CustomResourceDefinition>,
  bundle: string,
): JsonPatchOperation[] | string {
  const clientConfig = spec.conversion?.webhook?.clientConfig;
  if (!clientConfig) return 'it has no conversion webhook (spec.conversion.webhook.clientConfig)';
  return bundlePatch(clientConfig, '/spec/conversion/webhook/clientConfig', bundle);
}

function bundlePatch(
  clientConfig: DeepReadonly<{ caBundle?: string }>,
  path: string,
  bundle: string,
): JsonPatchOperation[] {
  if (clientConfig.caBundle === bundle) return [];
  return [{ op: 'add', path: `${path}/caBundle`, value: bundle }];
}
