/** The layout of the projects that this ots makes; it stands in the key `layout` of PROJECT. */
export const projectLayout = 'typescript.ots/v1';

/** The version of the PROJECT format, kubebuilder's. */
export const projectVersion = '3';

/** What PROJECT says, with defaults filled in. It is frozen: changes go through {@link ProjectFile}. */
export interface Project {
  readonly version: typeof projectVersion;
  readonly layout: readonly string[];
  readonly domain: string;
  readonly projectName: string;
  /** As it was given to `ots init`; '' when the key is missing. */
  readonly repo: string;
  readonly multigroup: boolean;
  readonly namespaced: boolean;
  /** The version of ots that made the project. */
  readonly cliVersion: string | undefined;
  /** What plugins keep there, untouched. */
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
  /** PROJECT holds it only where it is not what `pluralOf(kind)` says. */
  readonly plural: string;
  /** Where the types are: the module they are imported from, or their folder in the project. */
  readonly path: string | undefined;
  /** Set when the project defines the kind itself. */
  readonly api: { readonly crdVersion: 'v1'; readonly namespaced: boolean } | undefined;
  /** One controller, with the name that `defaultControllerName` gives. Never true beside `controllers`. */
  readonly controller: boolean;
  /** Controllers with names of their own. */
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
  /** Undefined for the path that `defaultWebhookPath` gives. */
  readonly defaultingPath: string | undefined;
  readonly validation: boolean;
  readonly validationPath: string | undefined;
  /** This version is the hub that all others are converted to and from. */
  readonly conversion: boolean;
  /** The versions that are converted to and from this one. */
  readonly spoke: readonly string[];
}

/** A resource to be added or merged: what is left out is absent or false. */
export type ResourceInput = Pick<Resource, 'group' | 'domain' | 'version' | 'kind'> &
  Partial<Omit<Resource, 'webhooks'>> & { readonly webhooks?: Partial<ResourceWebhooks> | undefined };
