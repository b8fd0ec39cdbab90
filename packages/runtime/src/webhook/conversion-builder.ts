import type { Kind, KubernetesObject } from 'ots-kubernetes';
import { UsageError } from '../errors/usage-error.ts';
import { type Conversion, KindConverter } from './kind-converter.ts';
import type { WebhookHost } from './webhook-host.ts';

/**
 * Declares how the versions of a kind are converted, and serves the conversion at `/convert`: `new
 * ConversionBuilder(manager, MyAppV2).withSpoke(MyAppV1, new MyAppConversion()).complete()`.
 */
export class ConversionBuilder<Hub extends KubernetesObject> {
  readonly #manager: WebhookHost;
  readonly #hub: Kind<Hub>;
  readonly #spokes = new Map<string, Conversion<KubernetesObject, KubernetesObject>>();

  /** @param hub the version that all others are converted to and from. */
  constructor(manager: WebhookHost, hub: Kind<Hub>) {
    this.#manager = manager;
    this.#hub = hub;
  }

  /**
   * Adds another version of the kind.
   * @throws {UsageError} if the spoke is another kind, is the hub itself, or was added before.
   */
  withSpoke<Spoke extends KubernetesObject>(spoke: Kind<Spoke>, conversion: Conversion<Hub, Spoke>): this {
    const { group, kind, apiVersion } = this.#hub;
    if (spoke.group !== group || spoke.kind !== kind) {
      throw new UsageError(
        `${spoke.apiVersion} ${spoke.kind} is not a version of ${apiVersion} ${kind}`,
        'A spoke has the group and the kind of its hub.',
      );
    }
    if (spoke.apiVersion === apiVersion || this.#spokes.has(spoke.apiVersion)) {
      throw new UsageError(`${spoke.apiVersion} ${kind} was already added`, 'Add each other version once.');
    }
    this.#spokes.set(spoke.apiVersion, conversion);
    return this;
  }

  /**
   * Adds the conversions to the manager.
   * @throws {UsageError} if no spoke was added, or the kind already has conversions.
   */
  complete(): void {
    if (this.#spokes.size === 0) {
      throw new UsageError(
        `${this.#hub.kind} has no version to convert`,
        'Call withSpoke for each other version.',
      );
    }
    this.#manager.conversions.add(new KindConverter(this.#hub, this.#spokes));
  }
}
