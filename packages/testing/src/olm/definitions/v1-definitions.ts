import type { CustomResourceDefinition } from 'ots-kubernetes/apiextensions/v1';
import { ClusterCatalog, ClusterExtension } from '../v1/kinds.ts';
import { definition } from './definition.ts';
import { type Schema, anything, integer, list, object, oneOf, text, time } from './schema.ts';

const rule = (expression: string, message: string): { rule: string; message: string } => ({
  rule: expression,
  message,
});
const withRules = (schema: Schema, ...rules: { rule: string; message: string }[]): Schema => ({
  ...schema,
  'x-kubernetes-validations': rules,
});

const subdomain = '^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$';
const label = '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$';

const conditions = {
  ...list(
    object(
      {
        type: text,
        status: oneOf('True', 'False', 'Unknown'),
        reason: text,
        message: text,
        observedGeneration: integer,
        lastTransitionTime: time,
      },
      ['type', 'status', 'reason', 'message', 'lastTransitionTime'],
    ),
  ),
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['type'],
};

const imageSource = object({ type: oneOf('Image'), image: object({ ref: text }, ['ref']) }, [
  'type',
  'image',
]);

const clusterCatalog = definition(ClusterCatalog, [
  {
    name: 'v1',
    required: ['spec'],
    columns: [
      ['LastUnpacked', 'date', '.status.lastUnpacked'],
      ['Serving', 'string', '.status.conditions[?(@.type=="Serving")].status'],
      ['Age', 'date', '.metadata.creationTimestamp'],
    ],
    spec: object(
      {
        source: withRules(
          object(
            {
              type: oneOf('Image'),
              image: object(
                {
                  ref: withRules(
                    { ...text, maxLength: 1000 },
                    rule(
                      "self.find('(@.*:)') != '' || self.find(':.*$') != ''",
                      'must end with a digest or a tag',
                    ),
                  ),
                  pollIntervalMinutes: { ...integer, minimum: 1 },
                },
                ['ref'],
              ),
            },
            ['type'],
          ),
          rule(
            "has(self.type) && self.type == 'Image' ? has(self.image) : !has(self.image)",
            'image is required when source type is Image, and forbidden otherwise',
          ),
        ),
        priority: { ...integer, format: 'int32', default: 0 },
        availabilityMode: { ...oneOf('Unavailable', 'Available'), default: 'Available' },
      },
      ['source'],
    ),
    status: object({
      conditions,
      resolvedSource: imageSource,
      urls: object({ base: text }, ['base']),
      lastUnpacked: time,
    }),
  },
]);

const clusterExtension = definition(ClusterExtension, [
  {
    name: 'v1',
    columns: [
      ['Installed Bundle', 'string', '.status.install.bundle.name'],
      ['Version', 'string', '.status.install.bundle.version'],
      ['Installed', 'string', ".status.conditions[?(@.type=='Installed')].status"],
      ['Progressing', 'string', ".status.conditions[?(@.type=='Progressing')].status"],
      ['Age', 'date', '.metadata.creationTimestamp'],
    ],
    spec: object(
      {
        namespace: withRules(
          { ...text, maxLength: 63 },
          rule('self == oldSelf', 'namespace is immutable'),
          rule(`self.matches(${JSON.stringify(label)})`, 'namespace must be a valid DNS1123 label'),
        ),
        serviceAccount: object({
          name: withRules(
            { ...text, maxLength: 253 },
            rule('self == oldSelf', 'name is immutable once set but may be cleared'),
          ),
        }),
        source: withRules(
          object(
            {
              sourceType: oneOf('Catalog'),
              catalog: object(
                {
                  packageName: withRules(
                    { ...text, maxLength: 253 },
                    rule('self == oldSelf', 'packageName is immutable'),
                    rule(
                      `self.matches(${JSON.stringify(subdomain)})`,
                      'packageName must be a valid DNS1123 subdomain',
                    ),
                  ),
                  version: { ...text, maxLength: 64 },
                  channels: { ...list({ ...text, maxLength: 253 }), maxItems: 256 },
                  selector: anything,
                  upgradeConstraintPolicy: {
                    ...oneOf('CatalogProvided', 'SelfCertified'),
                    default: 'CatalogProvided',
                  },
                },
                ['packageName'],
              ),
            },
            ['sourceType'],
          ),
          rule(
            "has(self.sourceType) && self.sourceType == 'Catalog' ? has(self.catalog) : !has(self.catalog)",
            'catalog is required when sourceType is Catalog, and forbidden otherwise',
          ),
        ),
        install: object({
          preflight: object({
            crdUpgradeSafety: object({ enforcement: oneOf('None', 'Strict') }, ['enforcement']),
          }),
        }),
        config: anything,
      },
      ['namespace', 'source'],
    ),
    status: object({
      conditions,
      install: object({ bundle: object({ name: text, version: text }, ['name', 'version']) }, ['bundle']),
    }),
  },
]);

/** The kinds of OLM v1, with the fields that its users and the simulation need. */
export const v1Definitions: readonly CustomResourceDefinition[] = [clusterCatalog, clusterExtension];
