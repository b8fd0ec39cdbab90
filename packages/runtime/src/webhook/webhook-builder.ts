import type { Kind, KubernetesObject } from 'ots-kubernetes';
import { className } from '../errors/class-name.ts';
import { UsageError } from '../errors/usage-error.ts';
import { type AdmissionWebhook, admissionWebhook } from './admission-webhook.ts';
import { type Defaulter, applyDefaults } from './defaulter.ts';
import { type Validator, validate } from './validator.ts';
import type { WebhookHost } from './webhook-host.ts';
import { checkWebhookPath, webhookPath } from './webhook-path.ts';

/** Where a webhook is served. */
export interface WebhookOptions {
  /** The path; that of kubebuilder for the kind by default. */
  path?: string | undefined;
}

/**
 * Declares the admission webhooks of a kind and adds them to a manager:
 * `new WebhookBuilder(manager, MyApp).withDefaulter(new MyAppDefaulter()).complete()`.
 */
export class WebhookBuilder<T extends KubernetesObject> {
  readonly #manager: WebhookHost;
  readonly #kind: Kind<T>;
  readonly #webhooks = new Map<'mutate' | 'validate', Omit<AdmissionWebhook, 'logger'>>();

  constructor(manager: WebhookHost, kind: Kind<T>) {
    this.#manager = manager;
    this.#kind = kind;
  }

  /**
   * Fills in defaults, at `/mutate-<group>-<version>-<kind>` with dashes for dots.
   * @throws {UsageError} if the path is malformed, or a defaulter was already added.
   */
  withDefaulter(handler: Defaulter<T>, options: WebhookOptions = {}): this {
    return this.#with('mutate', options, {
      author: className(handler),
      admit: (request, context) => applyDefaults(this.#kind, handler, request, context),
    });
  }

  /**
   * Accepts and refuses objects, at `/validate-<group>-<version>-<kind>` with dashes for dots.
   * @throws {UsageError} if the path is malformed, or a validator was already added.
   */
  withValidator(handler: Validator<T>, options: WebhookOptions = {}): this {
    return this.#with('validate', options, {
      author: className(handler),
      admit: (request, context) => validate(this.#kind, handler, request, context),
    });
  }

  /**
   * Adds the webhooks to the manager.
   * @throws {UsageError} if no handler was added, or another webhook has the same path.
   */
  complete(): void {
    const { logger, webhooks } = this.#manager;
    if (this.#webhooks.size === 0) {
      throw new UsageError(
        `The webhook of ${this.#kind.kind} has no handler`,
        'Call withDefaulter or withValidator.',
      );
    }
    for (const [action, webhook] of this.#webhooks) {
      webhooks.add(webhook.path, admissionWebhook({ ...webhook, logger }), action);
    }
  }

  #with(
    action: 'mutate' | 'validate',
    { path }: WebhookOptions,
    handler: Pick<AdmissionWebhook, 'author' | 'admit'>,
  ): this {
    if (this.#webhooks.has(action)) {
      throw new UsageError(
        `The webhook of ${this.#kind.kind} has two handlers that ${action}`,
        'Add one of them with another WebhookBuilder, at its own path.',
      );
    }
    this.#webhooks.set(action, {
      ...handler,
      path: checkWebhookPath(path ?? webhookPath(action, this.#kind)),
    });
    return this;
  }
}
