import type { Kind, KubernetesObject } from 'ots-kubernetes';
import { UsageError } from '../errors/usage-error.ts';
import type { Manager } from '../manager/manager.ts';
import { admissionHandler } from './admission-handler.ts';
import type { Defaulter } from './defaulter.ts';
import { applyDefaults } from './defaulting.ts';
import { validate } from './validating.ts';
import type { Validator } from './validator.ts';
import { checkWebhookPath, webhookPath } from './webhook-path.ts';

export interface WebhookOptions {
  /** Where it is served; kubebuilder's path of the kind by default. */
  path?: string | undefined;
}

/**
 * Declares the admission webhooks of a kind and adds them to a manager:
 * `new WebhookBuilder(manager, MyApp).withDefaulter(new MyAppDefaulter()).complete()`.
 */
export class WebhookBuilder<T extends KubernetesObject> {
  readonly #manager: Manager;
  readonly #kind: Kind<T>;
  #defaulter: { handler: Defaulter<T>; path: string } | undefined;
  #validator: { handler: Validator<T>; path: string } | undefined;

  constructor(manager: Manager, kind: Kind<T>) {
    this.#manager = manager;
    this.#kind = kind;
  }

  /** @throws {UsageError} when the path is malformed. */
  withDefaulter(handler: Defaulter<T>, { path }: WebhookOptions = {}): this {
    this.#defaulter = { handler, path: checkWebhookPath(path ?? webhookPath('mutate', this.#kind)) };
    return this;
  }

  /** @throws {UsageError} when the path is malformed. */
  withValidator(handler: Validator<T>, { path }: WebhookOptions = {}): this {
    this.#validator = { handler, path: checkWebhookPath(path ?? webhookPath('validate', this.#kind)) };
    return this;
  }

  /** @throws {UsageError} when there is no handler, or another webhook has the same path. */
  complete(): void {
    const kind = this.#kind;
    const { logger, metrics, webhooks } = this.#manager;
    const common = { kind, logger, metrics };
    const defaulter = this.#defaulter;
    const validator = this.#validator;
    if (!defaulter && !validator) {
      throw new UsageError(
        `the webhook of ${kind.kind} has no handler`,
        'Call withDefaulter or withValidator.',
      );
    }
    if (defaulter) {
      const { handler, path } = defaulter;
      webhooks.add(
        path,
        admissionHandler({
          ...common,
          path,
          admit: (request, context) => applyDefaults(kind, handler, request, context),
        }),
      );
    }
    if (validator) {
      const { handler, path } = validator;
      webhooks.add(
        path,
        admissionHandler({
          ...common,
          path,
          admit: (request, context) => validate(kind, handler, request, context),
        }),
      );
    }
  }
}
