import type {
  MutatingWebhook,
  MutatingWebhookConfiguration,
  ValidatingWebhook,
  ValidatingWebhookConfiguration,
} from 'ots-kubernetes/admissionregistration/v1';
import type { ResourceRegistry } from '../../registry/resource-registry.ts';
import type { Resource } from '../../registry/resource.ts';
import { viewOf } from '../../registry/views.ts';

/** A webhook of a configuration, with the defaults of the server. */
export interface ConfiguredWebhook
  extends Omit<MutatingWebhook, 'reinvocationPolicy'>, Pick<MutatingWebhook, 'reinvocationPolicy'> {
  /** Tells it from webhooks of the same name in other configurations. */
  readonly id: string;
  /** The name of its configuration. */
  readonly configuration: string;
}

/** The webhooks of all configurations, in the order in which they are called. */
export class ConfiguredWebhooks {
  readonly #resource: Resource;
  #all: readonly ConfiguredWebhook[] | undefined;

  /** @param plural `mutatingwebhookconfigurations` or `validatingwebhookconfigurations` */
  constructor(registry: ResourceRegistry, plural: string) {
    const resource = registry.find('admissionregistration.k8s.io', 'v1', plural);
    if (!resource) throw new Error(`the server does not serve ${plural}`);
    this.#resource = resource;
    resource.table.subscribers.add('', () => (this.#all = undefined));
  }

  /** Sorted by the name of their configuration, then in its order. */
  get all(): readonly ConfiguredWebhook[] {
    return (this.#all ??= this.#resource.table.list().flatMap((record) => {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is stored was decoded
      const configuration = viewOf(this.#resource, record) as Configuration;
      const { name = '' } = configuration.metadata ?? {};
      const webhooks: readonly (MutatingWebhook | ValidatingWebhook)[] = configuration.webhooks ?? [];
      return webhooks.map((webhook, index) => ({
        ...webhook,
        id: `${name}/${webhook.name}/${index}`,
        configuration: name,
      }));
    }));
  }
}

type Configuration = MutatingWebhookConfiguration | ValidatingWebhookConfiguration;
