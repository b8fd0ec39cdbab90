import { type JsonObject, objectAt, textOf, valueOf } from '../bundle/json.ts';
import type { Base } from './base-csv.ts';
import { type Collection, versionsOf } from './collection.ts';
import { generatedAnnotations, imagesIn, missingImages } from './handmade.ts';
import type { InputObject } from './input-object.ts';
import { objectsAt } from './objects-at.ts';
import type { SplitPermissions } from './permissions.ts';
import { relatedImages } from './related-images.ts';
import { webhooksOf } from './webhooks.ts';

/** What a ClusterServiceVersion says beside its base and the objects. */
export interface CsvOptions {
  readonly packageName: string;
  /** Undefined: the name and the version of the base. */
  readonly version: string | undefined;
  /** The layout in PROJECT, or `unknown`. */
  readonly layout: string;
  /** The program that made it, such as `ots-v0.1.0`. */
  readonly builder: string;
}

/** A ClusterServiceVersion without `createdAt`, and what is missing in it. */
export interface GeneratedCsv {
  readonly csv: JsonObject;
  readonly problems: readonly string[];
}

/**
 * Makes the ClusterServiceVersion of a bundle: the base, with what OLM needs to install the objects.
 *
 * @throws OtsError `RELATED_IMAGE_REFERENCE`
 */
export function generateCsv(
  { csv: base }: Base,
  collection: Collection,
  split: SplitPermissions,
  options: CsvOptions,
): GeneratedCsv {
  const spec = objectAt(base, 'spec');
  const install = objectAt(spec, 'install');
  const webhooks = webhooksOf(collection);
  const { images, problems } = relatedImages(collection.deployments);
  const ownImages = [...images, ...missingImages(images, imagesIn(base))];
  const { status: _, ...rest } = base;
  const { cleanup, webhookdefinitions: __, relatedImages: ___, ...keptSpec } = spec;
  return {
    csv: {
      ...rest,
      metadata: metadataOf(base, collection, options),
      spec: {
        ...keptSpec,
        ...(valueOf(cleanup, 'enabled') === true && { cleanup }),
        apiservicedefinitions: objectAt(spec, 'apiservicedefinitions'),
        customresourcedefinitions: definitionsOf(spec, collection.crds),
        install: {
          strategy: textOf(install, 'strategy') || 'deployment',
          spec: strategyOf(collection, split),
        },
        provider: objectAt(spec, 'provider'),
        version: options.version ?? valueOf(spec, 'version') ?? '0.0.0',
        ...(webhooks.definitions.length > 0 && { webhookdefinitions: webhooks.definitions }),
        ...(ownImages.length > 0 && { relatedImages: ownImages }),
      },
    },
    problems: [...webhooks.problems, ...problems],
  };
}

function metadataOf(
  base: JsonObject,
  { examples }: Collection,
  { packageName, version, layout, builder }: CsvOptions,
): JsonObject {
  const { creationTimestamp: _, ...metadata } = objectAt(base, 'metadata');
  const annotations = Object.entries(objectAt(metadata, 'annotations'));
  return {
    ...metadata,
    ...(version !== undefined && { name: `${packageName}.v${version}` }),
    annotations: {
      ...Object.fromEntries(annotations.filter(([key]) => !generatedAnnotations.has(key))),
      'alm-examples': jsonLikeGo(examples.map(({ object }) => object)),
      'operators.operatorframework.io/builder': builder,
      'operators.operatorframework.io/project_layout': layout,
    },
  };
}

/** Go escapes what HTML would read as markup. */
function jsonLikeGo(value: unknown): string {
  return JSON.stringify(value, undefined, 2).replaceAll(
    /[<>&\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Each served version is owned. What the author wrote about one stays. */
function definitionsOf(spec: JsonObject, crds: readonly InputObject[]): JsonObject {
  const { owned: _, ...definitions } = objectAt(spec, 'customresourcedefinitions');
  const described = objectsAt(objectAt(spec, 'customresourcedefinitions'), 'owned');
  const owned = crds.flatMap((crd) =>
    versionsOf(crd)
      .filter(({ served }) => served)
      .map(({ version, kind }) => {
        const entry = { name: crd.name, version, kind };
        const known = described.find((each) =>
          Object.entries(entry).every(([key, value]) => valueOf(each, key) === value),
        );
        return known ?? entry;
      }),
  );
  return { ...definitions, ...(owned.length > 0 && { owned }) };
}

function strategyOf({ deployments }: Collection, split: SplitPermissions): JsonObject {
  const { permissions, clusterPermissions } = split;
  return {
    deployments: deployments.map(({ name, object }) => {
      const label = objectAt(objectAt(object, 'metadata'), 'labels');
      return {
        name,
        ...(Object.keys(label).length > 0 && { label }),
        spec: watchingTargets(objectAt(object, 'spec')),
      };
    }),
    ...(permissions.length > 0 && { permissions }),
    ...(clusterPermissions.length > 0 && { clusterPermissions }),
  };
}

/** An operator that reads WATCH_NAMESPACE watches the namespaces of its OperatorGroup. */
function watchingTargets(spec: JsonObject): JsonObject {
  const template = objectAt(spec, 'template');
  const pod = objectAt(template, 'spec');
  const containers = objectsAt(pod, 'containers').map((container) => {
    const env = objectsAt(container, 'env').map((variable) =>
      textOf(variable, 'name') === 'WATCH_NAMESPACE' ? targetNamespaces : variable,
    );
    return env.length > 0 ? { ...container, env } : container;
  });
  if (containers.length === 0) return spec;
  return { ...spec, template: { ...template, spec: { ...pod, containers } } };
}

const targetNamespaces = {
  name: 'WATCH_NAMESPACE',
  valueFrom: { fieldRef: { fieldPath: "metadata.annotations['olm.targetNamespaces']" } },
};
