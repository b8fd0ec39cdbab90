import { type GoStruct, type GoType, goTypeOfKind } from 'ots-apiserver/decoding';
import { fieldOf, goStruct as struct, list } from './go-struct.ts';

const text: GoType = { kind: 'string', name: 'string' };
const bool: GoType = { kind: 'bool', name: 'bool' };
const int32: GoType = { kind: 'int32', name: 'int32' };
const json: GoType = { kind: 'json', name: 'json' };

/** The type of a ClusterServiceVersion (operators.coreos.com/v1alpha1), as far as its `spec` and `metadata` are concerned. */
export function csvType(): GoStruct {
  type ??= struct('ClusterServiceVersion', {
    apiVersion: text,
    kind: text,
    metadata: fieldOf(goTypeOfKind('', 'v1', 'ConfigMap'), 'metadata'),
    spec: specType(),
    status: json,
  });
  return type;
}

let type: GoStruct | undefined;

function specType(): GoStruct {
  const deployment = fieldOf(goTypeOfKind('apps', 'v1', 'Deployment'), 'spec');
  const texts = list(text);
  const labels: GoType = { kind: 'map', name: 'map', items: text };
  const link = struct('AppLink', { name: text, url: text });
  const permissions = list(
    struct('StrategyDeploymentPermissions', {
      serviceAccountName: text,
      rules: fieldOf(goTypeOfKind('rbac.authorization.k8s.io', 'v1', 'ClusterRole'), 'rules'),
    }),
  );
  return struct('ClusterServiceVersionSpec', {
    install: struct('NamedInstallStrategy', {
      strategy: text,
      spec: struct('StrategyDetailsDeployment', {
        deployments: list(struct('StrategyDeploymentSpec', { name: text, spec: deployment, label: labels })),
        permissions,
        clusterPermissions: permissions,
      }),
    }),
    // Own decoders read these two: they take only a text.
    version: json,
    release: json,
    maturity: text,
    customresourcedefinitions: definitions({}),
    apiservicedefinitions: definitions({ group: text, deploymentName: text, containerPort: int32 }),
    webhookdefinitions: list(webhookType(deployment)),
    nativeAPIs: list(struct('GroupVersionKind', { group: text, version: text, kind: text })),
    minKubeVersion: text,
    displayName: text,
    description: text,
    keywords: texts,
    maintainers: list(struct('Maintainer', { name: text, email: text })),
    provider: link,
    links: list(link),
    icon: list(struct('Icon', { base64data: text, mediatype: text })),
    installModes: list(struct('InstallMode', { type: text, supported: bool })),
    replaces: text,
    labels,
    annotations: labels,
    selector: fieldOf(deployment, 'selector'),
    cleanup: struct('CleanupSpec', { enabled: bool }),
    skips: texts,
    relatedImages: list(struct('RelatedImage', { name: text, image: text })),
  });
}

function definitions(further: Record<string, GoType>): GoStruct {
  const descriptors = list(
    struct('Descriptor', {
      path: text,
      displayName: text,
      description: text,
      'x-descriptors': list(text),
      value: json,
    }),
  );
  const described = list(
    struct('CRDDescription', {
      name: text,
      version: text,
      kind: text,
      ...further,
      displayName: text,
      description: text,
      resources: list(struct('APIResourceReference', { name: text, kind: text, version: text })),
      statusDescriptors: descriptors,
      specDescriptors: descriptors,
      actionDescriptors: descriptors,
    }),
  );
  return struct('CustomResourceDefinitions', { owned: described, required: described });
}

function webhookType(deployment: GoType): GoStruct {
  const webhooks = fieldOf(
    goTypeOfKind('admissionregistration.k8s.io', 'v1', 'MutatingWebhookConfiguration'),
    'webhooks',
  );
  const webhook = webhooks.kind === 'list' ? webhooks.items : undefined;
  return struct('WebhookDescription', {
    generateName: text,
    type: text,
    deploymentName: text,
    containerPort: int32,
    targetPort: { kind: 'intOrString', name: 'intstr.IntOrString' },
    rules: fieldOf(webhook, 'rules'),
    failurePolicy: text,
    matchPolicy: text,
    objectSelector: fieldOf(deployment, 'selector'),
    sideEffects: text,
    timeoutSeconds: int32,
    admissionReviewVersions: list(text),
    reinvocationPolicy: text,
    webhookPath: text,
    conversionCRDs: list(text),
  });
}
