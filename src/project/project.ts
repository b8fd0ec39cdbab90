/** The layout of projects of this version of ots, as in the key `layout` of PROJECT. */
export const projectLayout = 'typescript.ots/v1';

/** The version of the PROJECT format, which is kubebuilder's. */
export const projectVersion = '3';

/** The model of PROJECT, with defaults. It is frozen: {@link ProjectFile} makes changes. */
export interface Project {
  readonly version: typeof projectVersion;
  readonly layout: readonly string[];
  readonly domain: string;
  readonly projectName: string;
  /** The `--repo` of `ots init`; '' if the key is missing. */
  readonly repo: string;
  readonly multigroup: boolean;
  readonly namespaced: boolean;
  /** The version of ots that created the project. */
  readonly cliVersion: string | undefined;
  /** Data of plugins, which ots does not change. */
  readonly plugins: Readonly<Record<string, unknown>>;
  readonly resources: readonly Resource[];
}

/** One group, version and kind that the project has code for. */
export interface Resource {
  /** `batch` of `batch.example.com`; `core` for the core group of Kubernetes. */
  readonly group: string;
  /** `example.com`; '' for built-in groups such as `apps`. */
  readonly domain: string;
  readonly version: string;
  readonly kind: string;
  /** PROJECT contains it only if it differs from `pluralOf(kind)`. */
  readonly plural: string;
  /** The module that exports the types, or their folder in the project. */
  readonly path: string | undefined;
  /** Set when the project defines the kind itself. */
  readonly api: { readonly crdVersion: 'v1'; readonly namespaced: boolean } | undefined;
  /** One controller, named by `defaultControllerName`. False if there are `controllers`. */
  readonly controller: boolean;
  /** Controllers with their own names. */
  readonly controllers: readonly { readonly name: string }[];
  /** A kind of Kubernetes itself. */
  readonly core: boolean;
  /** A kind that another project defines. */
  readonly external: boolean;
  readonly webhooks: ResourceWebhooks | undefined;
}

/** Which webhooks a resource has. */
export interface ResourceWebhooks {
  readonly webhookVersion: 'v1';
  readonly defaulting: boolean;
  /** Default: `defaultWebhookPath`. */
  readonly defaultingPath: string | undefined;
  readonly validation: boolean;
  readonly validationPath: string | undefined;
  /** This version is the hub: all others convert to and from it. */
  readonly conversion: boolean;
  /** The versions that convert to and from this one. */
  readonly spoke: readonly string[];
}

/** A resource to add or merge: missing keys mean absent or false. */
export type ResourceInput = Pick<Resource, 'group' | 'domain' | 'version' | 'kind'> &
  Partial<Omit<Resource, 'webhooks'>> & { readonly webhooks?: Partial<ResourceWebhooks> | undefined };
