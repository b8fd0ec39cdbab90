import { subdomain } from 'ots-apimachinery/names';
import type { Csv, WebhookDescription } from '../bundle/csv.ts';
import { valueOf } from '../bundle/json.ts';
import { namespacedByKind } from '../bundle/supported-kinds.ts';
import type { ManifestObject, RegistryV1 } from './registry-v1.ts';

/** Why OLM v1 refuses a bundle. */
export interface Refusal {
  readonly rule: Rule;
  /** The name of what is wrong: a Deployment, a webhook, a definition or an object; empty where there is no name. */
  readonly subject: string;
  /** One line, which starts with the path of a field where one is wrong. */
  readonly detail: string;
  /** Absent where no file is the cause. */
  readonly file?: string;
}

/** The rules of OLM v1 for a bundle: first those of reading it, last those of the configuration of a ClusterExtension. */
export type Rule =
  | 'unreadable'
  | 'api-service'
  | 'webhook'
  | 'all-namespaces'
  | 'install-mode'
  | 'dependency'
  | 'duplicate-deployment'
  | 'deployment-name'
  | 'duplicate-crd'
  | 'missing-crd'
  | 'package'
  | 'conversion-install-mode'
  | 'webhook-deployment'
  | 'duplicate-webhook'
  | 'webhook-name'
  | 'duplicate-conversion'
  | 'conversion-crd'
  | 'webhook-rule'
  | 'object'
  | 'kept-fields'
  | 'configuration';

type Check = (bundle: RegistryV1) => Refusal[];
type Details = Omit<Refusal, 'file'>;

/** What OLM v1 checks before it renders a bundle. Source: the validators for registry+v1 of operator-controller. */
export function checkBundle(bundle: RegistryV1): Refusal[] {
  return checks.flatMap((check) => check(bundle));
}

/** A webhook cannot convert objects whose unknown fields are kept. OLM v1 notices it when it renders the CRD. */
export function checkConvertedCrds({ csv, crds }: RegistryV1): Refusal[] {
  const converted = new Set(conversionsOf(csv).flatMap(([, { conversionCRDs = [] }]) => conversionCRDs));
  return crds
    .filter(
      ({ name, object }) => converted.has(name) && valueOf(object['spec'], 'preserveUnknownFields') === true,
    )
    .map(({ name, file }) => ({
      rule: 'kept-fields',
      subject: name,
      detail: 'spec.preserveUnknownFields must be false, because a webhook converts its objects',
      file,
    }));
}

/** A check of the ClusterServiceVersion alone. */
function ofCsv(check: (csv: Csv, bundle: RegistryV1) => Details[]): Check {
  return (bundle) => check(bundle.csv, bundle).map((details) => ({ ...details, file: bundle.file }));
}

const checks: readonly Check[] = [
  ofCsv(checkDeploymentNames),
  checkCrdNames,
  ofCsv(checkOwnedCrds),
  checkPackage,
  ofCsv(checkConversionInstallModes),
  ofCsv(checkWebhookDeployments),
  ofCsv(checkWebhookNames),
  ofCsv(checkConversions),
  ofCsv(checkWebhookRules),
  checkObjects,
];

function webhooksOf({ spec }: Csv): readonly (readonly [path: string, webhook: WebhookDescription])[] {
  return (spec?.webhookdefinitions ?? []).map(
    (webhook, index) => [`spec.webhookdefinitions[${index}]`, webhook] as const,
  );
}

function conversionsOf(csv: Csv) {
  return webhooksOf(csv).filter(([, { type }]) => type === conversionWebhook);
}

/** The type of a webhook that converts objects. */
export const conversionWebhook = 'ConversionWebhook';

/** The install modes that an operator supports. */
export function supportedModes({ spec }: Csv): ReadonlySet<string> {
  return new Set(
    (spec?.installModes ?? []).filter(({ supported }) => supported).map(({ type = '' }) => type),
  );
}

/** The items whose key an earlier item has, once for each key. */
function repeated<Item>(items: readonly Item[], keyOf: (item: Item) => string): Item[] {
  const seen = new Map<string, number>();
  return items.filter((item) => {
    const count = (seen.get(keyOf(item)) ?? 0) + 1;
    seen.set(keyOf(item), count);
    return count === 2;
  });
}

function checkDeploymentNames({ spec }: Csv): Details[] {
  const deployments = (spec?.install?.spec?.deployments ?? []).map(({ name = '' }, index) => ({
    name,
    path: `spec.install.spec.deployments[${index}].name`,
  }));
  const invalid = new Map(deployments.map(({ name, path }) => [name, { path, problems: subdomain(name) }]));
  return [
    ...repeated(deployments, ({ name }) => name).map(({ name, path }) => ({
      rule: 'duplicate-deployment' as const,
      subject: name,
      detail: `${path} is "${name}", which another Deployment has`,
    })),
    ...[...invalid]
      .filter(([, { problems }]) => problems.length > 0)
      .map(([name, { path, problems }]) => ({
        rule: 'deployment-name' as const,
        subject: name,
        detail: `${path} is "${name}": ${problems.join(', ')}`,
      })),
  ];
}

function checkCrdNames({ crds }: RegistryV1): Refusal[] {
  return repeated(crds, ({ name }) => name).map(({ name, file }) => ({
    rule: 'duplicate-crd',
    subject: name,
    detail: `the bundle has the CRD "${name}" more than once`,
    file,
  }));
}

function ownedNames({ spec }: Csv): string[] {
  return (spec?.customresourcedefinitions?.owned ?? []).map(({ name = '' }) => name);
}

function checkOwnedCrds(csv: Csv, { crds }: RegistryV1): Details[] {
  const present = new Set(crds.map(({ name }) => name));
  const missing = ownedNames(csv).map((name, index) => ({ name, index }));
  return [
    ...new Map(missing.filter(({ name }) => !present.has(name)).map((each) => [each.name, each])).values(),
  ].map(({ name, index }) => ({
    rule: 'missing-crd',
    subject: name,
    detail: `spec.customresourcedefinitions.owned[${index}].name is "${name}", and the bundle has no such CRD`,
  }));
}

function checkPackage(bundle: RegistryV1): Refusal[] {
  if (bundle.package !== '') return [];
  return [
    {
      rule: 'package',
      subject: '',
      detail: 'it does not name the package, with operators.operatorframework.io.bundle.package.v1',
      file: 'metadata/annotations.yaml',
    },
  ];
}

function checkConversionInstallModes(csv: Csv): Details[] {
  const modes = supportedModes(csv);
  if (modes.size === 1 && modes.has('AllNamespaces')) return [];
  return conversionsOf(csv).map(([path, { generateName = '' }]) => ({
    rule: 'conversion-install-mode',
    subject: generateName,
    detail: `${path} is a conversion webhook, so spec.installModes must support AllNamespaces only`,
  }));
}

function checkWebhookDeployments(csv: Csv): Details[] {
  const known = new Set((csv.spec?.install?.spec?.deployments ?? []).map(({ name = '' }) => name));
  return webhooksOf(csv)
    .filter(([, { deploymentName = '' }]) => !known.has(deploymentName))
    .map(([path, { generateName = '', deploymentName = '' }]) => ({
      rule: 'webhook-deployment',
      subject: generateName,
      detail: `${path}.deploymentName is "${deploymentName}", and spec.install has no such Deployment`,
    }));
}

function checkWebhookNames(csv: Csv): Details[] {
  const webhooks = webhooksOf(csv).map(([path, { generateName = '', type = '' }]) => ({
    path: `${path}.generateName`,
    name: generateName,
    key: JSON.stringify([type, generateName]),
  }));
  const invalid = new Map(
    webhooks.filter(({ name }) => subdomain(name).length > 0).map((each) => [each.key, each]),
  );
  return [
    ...repeated(webhooks, ({ key }) => key).map(({ path, name }) => ({
      rule: 'duplicate-webhook' as const,
      subject: name,
      detail: `${path} is "${name}", which another webhook of this type has`,
    })),
    ...[...invalid.values()].map(({ path, name }) => ({
      rule: 'webhook-name' as const,
      subject: name,
      detail: `${path} is "${name}": ${subdomain(name).join(', ')}`,
    })),
  ];
}

function checkConversions(csv: Csv): Details[] {
  const references = conversionsOf(csv).flatMap(([path, { conversionCRDs = [] }]) =>
    conversionCRDs.map((crd, index) => ({ crd, path: `${path}.conversionCRDs[${index}]` })),
  );
  const owned = new Set(ownedNames(csv));
  return [
    ...repeated(references, ({ crd }) => crd).map(({ crd, path }) => ({
      rule: 'duplicate-conversion' as const,
      subject: crd,
      detail: `${path} is "${crd}", which another conversion webhook has`,
    })),
    ...references
      .filter(({ crd }) => !owned.has(crd))
      .map(({ crd, path }) => ({
        rule: 'conversion-crd' as const,
        subject: crd,
        detail: `${path} is "${crd}", which is not an owned CRD`,
      })),
  ];
}

/** They could keep OLM from removing a broken webhook. */
const refusedGroups = new Set(['*', 'olm.operatorframework.io']);
const refusedConfigurations = new Set([
  '*',
  'mutatingwebhookconfiguration',
  'mutatingwebhookconfigurations',
  'validatingwebhookconfiguration',
  'validatingwebhookconfigurations',
]);

function checkWebhookRules(csv: Csv): Details[] {
  return webhooksOf(csv)
    .filter(([, { type }]) => type !== conversionWebhook)
    .flatMap(([path, { generateName = '', rules = [] }]) =>
      rules
        .flatMap(({ apiGroups = [], resources = [] }, index) =>
          apiGroups.flatMap((group) => [
            ...(refusedGroups.has(group)
              ? [`${path}.rules[${index}] is about the API group "${group}"`]
              : []),
            ...(group === 'admissionregistration.k8s.io' ? resources : [])
              .filter((resource) => refusedConfigurations.has(resource.toLowerCase()))
              .map((resource) => `${path}.rules[${index}] is about "${resource}" of ${group}`),
          ]),
        )
        .map((problem) => ({
          rule: 'webhook-rule' as const,
          subject: generateName,
          detail: `${problem}, which could keep OLM from removing the webhook`,
        })),
    );
}

function checkObjects({ others }: RegistryV1): Refusal[] {
  return others
    .filter(({ kind }) => !namespacedByKind.has(kind))
    .map(({ kind, name, file }: ManifestObject) => ({
      rule: 'object',
      subject: `${kind}/${name}`,
      detail: `a bundle cannot have a ${kind}; let the operator create it, or leave it out`,
      file,
    }));
}
