import type { CustomResourceDefinition } from 'ots-kubernetes/apiextensions/v1';
import {
  CatalogSource,
  ClusterServiceVersion,
  InstallPlan,
  OlmConfig,
  OperatorCondition,
  OperatorGroup,
  OperatorSummary,
  Subscription,
} from '../v0/kinds.ts';
import { definition } from './definition.ts';
import { anything, flag, integer, list, object, oneOf, open, text, time } from './schema.ts';

const categories = ['olm'];

/** A condition as metav1 has it. */
const condition = object(
  {
    type: text,
    status: oneOf('True', 'False', 'Unknown'),
    reason: text,
    message: text,
    observedGeneration: integer,
    lastTransitionTime: time,
  },
  ['type', 'status', 'reason', 'message', 'lastTransitionTime'],
);

const catalogSource = definition(
  CatalogSource,
  [
    {
      name: 'v1alpha1',
      required: ['spec'],
      columns: [
        ['Display', 'string', '.spec.displayName'],
        ['Type', 'string', '.spec.sourceType'],
        ['Publisher', 'string', '.spec.publisher'],
        ['Age', 'date', '.metadata.creationTimestamp'],
      ],
      spec: object(
        {
          sourceType: text,
          priority: integer,
          configMap: text,
          address: text,
          image: text,
          grpcPodConfig: open({ securityContextConfig: oneOf('legacy', 'restricted') }),
          updateStrategy: open({}),
          secrets: list(text),
          displayName: text,
          description: text,
          publisher: text,
          icon: object({ base64data: text, mediatype: text }, ['base64data', 'mediatype']),
          runAsRoot: flag,
        },
        ['sourceType'],
      ),
      status: object({
        message: text,
        reason: text,
        configMapReference: open({}, ['name', 'namespace']),
        registryService: anything,
        connectionState: object({ address: text, lastObservedState: text, lastConnect: time }, [
          'lastObservedState',
        ]),
        latestImageRegistryPoll: time,
        conditions: list(condition),
      }),
    },
  ],
  { shortNames: ['catsrc'], categories },
);

const subscription = definition(
  Subscription,
  [
    {
      name: 'v1alpha1',
      required: ['spec'],
      columns: [
        ['Package', 'string', '.spec.name'],
        ['Source', 'string', '.spec.source'],
        ['Channel', 'string', '.spec.channel'],
      ],
      spec: object(
        {
          source: text,
          sourceNamespace: text,
          name: text,
          channel: text,
          startingCSV: text,
          installPlanApproval: text,
          config: anything,
        },
        ['name', 'source', 'sourceNamespace'],
      ),
      status: object(
        {
          currentCSV: text,
          installedCSV: text,
          installplan: object({ apiVersion: text, kind: text, name: text, uuid: text }, [
            'apiVersion',
            'kind',
            'name',
            'uuid',
          ]),
          state: text,
          reason: text,
          installPlanGeneration: integer,
          installPlanRef: anything,
          catalogHealth: list(
            object({ catalogSourceRef: anything, lastUpdated: time, healthy: flag }, [
              'catalogSourceRef',
              'healthy',
              'lastUpdated',
            ]),
          ),
          conditions: list(
            object(
              {
                type: text,
                status: text,
                reason: text,
                message: text,
                lastHeartbeatTime: time,
                lastTransitionTime: time,
              },
              ['status', 'type'],
            ),
          ),
          lastUpdated: time,
        },
        ['lastUpdated'],
      ),
    },
  ],
  { shortNames: ['sub', 'subs'], categories },
);

const stepResource = open(
  {
    name: text,
    kind: text,
    group: text,
    version: text,
    sourceName: text,
    sourceNamespace: text,
    manifest: text,
  },
  ['group', 'kind', 'name', 'sourceName', 'sourceNamespace', 'version'],
);

const installPlan = definition(
  InstallPlan,
  [
    {
      name: 'v1alpha1',
      required: ['spec'],
      columns: [
        ['CSV', 'string', '.spec.clusterServiceVersionNames[0]'],
        ['Approval', 'string', '.spec.approval'],
        ['Approved', 'boolean', '.spec.approved'],
      ],
      spec: object(
        {
          source: text,
          sourceNamespace: text,
          clusterServiceVersionNames: list(text),
          approval: text,
          approved: flag,
          generation: integer,
        },
        ['approval', 'approved', 'clusterServiceVersionNames'],
      ),
      status: object(
        {
          phase: text,
          conditions: list(
            object({
              type: text,
              status: text,
              lastUpdateTime: time,
              lastTransitionTime: time,
              reason: text,
              message: text,
            }),
          ),
          catalogSources: list(text),
          plan: list(
            object({ resolving: text, resource: stepResource, optional: flag, status: text }, [
              'resolving',
              'resource',
              'status',
            ]),
          ),
          bundleLookups: list(open({ path: text, identifier: text, replaces: text })),
          attenuatedServiceAccountRef: anything,
          startTime: time,
          message: text,
        },
        ['catalogSources', 'phase'],
      ),
    },
  ],
  { shortNames: ['ip'], categories },
);

const ownedCrds = list(open({ name: text, version: text, kind: text }, ['kind', 'name', 'version']));
const apiServices = list(
  open({ group: text, version: text, kind: text, name: text }, ['group', 'kind', 'name', 'version']),
);
const permissions = list(
  object(
    {
      serviceAccountName: text,
      rules: list(
        object(
          {
            apiGroups: list(text),
            resources: list(text),
            resourceNames: list(text),
            nonResourceURLs: list(text),
            verbs: list(text),
          },
          ['verbs'],
        ),
      ),
    },
    ['rules', 'serviceAccountName'],
  ),
);

const clusterServiceVersion = definition(
  ClusterServiceVersion,
  [
    {
      name: 'v1alpha1',
      required: ['spec'],
      columns: [
        ['Display', 'string', '.spec.displayName'],
        ['Version', 'string', '.spec.version'],
        ['Release', 'string', '.spec.release'],
        ['Replaces', 'string', '.spec.replaces'],
        ['Phase', 'string', '.status.phase'],
      ],
      spec: open(
        {
          displayName: text,
          description: text,
          version: text,
          replaces: text,
          skips: list(text),
          minKubeVersion: text,
          install: object(
            {
              strategy: text,
              spec: object(
                {
                  permissions,
                  clusterPermissions: permissions,
                  deployments: list(
                    object({ name: text, label: anything, spec: anything }, ['name', 'spec']),
                  ),
                },
                ['deployments'],
              ),
            },
            ['strategy'],
          ),
          installModes: list(object({ type: text, supported: flag }, ['supported', 'type'])),
          customresourcedefinitions: object({ owned: ownedCrds, required: ownedCrds }),
          apiservicedefinitions: object({ owned: apiServices, required: apiServices }),
          webhookdefinitions: list(
            open(
              {
                type: oneOf('ValidatingAdmissionWebhook', 'MutatingAdmissionWebhook', 'ConversionWebhook'),
                generateName: text,
                containerPort: { ...integer, default: 443, minimum: 1, maximum: 65_535 },
                sideEffects: text,
                admissionReviewVersions: list(text),
              },
              ['admissionReviewVersions', 'generateName', 'sideEffects', 'type'],
            ),
          ),
          relatedImages: list(object({ name: text, image: text }, ['image', 'name'])),
          cleanup: object({ enabled: flag }, ['enabled']),
        },
        ['displayName', 'install'],
      ),
      status: open({
        phase: text,
        message: text,
        reason: text,
        lastUpdateTime: time,
        lastTransitionTime: time,
        conditions: list(
          object({
            phase: text,
            message: text,
            reason: text,
            lastUpdateTime: time,
            lastTransitionTime: time,
          }),
        ),
        requirementStatus: list(
          open(
            { group: text, version: text, kind: text, name: text, status: text, message: text, uuid: text },
            ['group', 'kind', 'message', 'name', 'status', 'version'],
          ),
        ),
        certsLastUpdated: time,
        certsRotateAt: time,
        cleanup: anything,
      }),
    },
  ],
  { shortNames: ['csv', 'csvs'], categories },
);

const groupSpec = {
  selector: anything,
  targetNamespaces: list(text),
  serviceAccountName: text,
  staticProvidedAPIs: flag,
};

const operatorGroup = definition(
  OperatorGroup,
  [
    {
      name: 'v1',
      spec: {
        ...object({
          ...groupSpec,
          upgradeStrategy: { ...oneOf('Default', 'TechPreviewUnsafeFailForward'), default: 'Default' },
        }),
        default: { upgradeStrategy: 'Default' },
      },
      status: object(
        {
          namespaces: list(text),
          serviceAccountRef: anything,
          lastUpdated: time,
          conditions: list(condition),
        },
        ['lastUpdated'],
      ),
    },
    { name: 'v1alpha2', spec: object({ ...groupSpec, serviceAccount: anything }), status: anything },
  ],
  { shortNames: ['og'], categories },
);

const overrides = list(
  object({ type: text, status: oneOf('True', 'False', 'Unknown'), reason: text, message: text }, [
    'message',
    'reason',
    'status',
    'type',
  ]),
);
const serviceAccounts = list(text);
const deployments = list(text);

const operatorCondition = definition(
  OperatorCondition,
  [
    {
      name: 'v2',
      spec: object({ serviceAccounts, deployments, overrides, conditions: list(condition) }),
      status: object({ conditions: list(condition) }),
    },
    {
      name: 'v1',
      spec: object({ serviceAccounts, deployments, overrides }),
      status: object({ conditions: list(condition) }),
    },
  ],
  { shortNames: ['condition'], categories },
);

const operator = definition(
  OperatorSummary,
  [{ name: 'v1', spec: anything, status: open({ components: anything }) }],
  { categories },
);

const olmConfig = definition(
  OlmConfig,
  [{ name: 'v1', spec: open({ features: anything }), status: open({ conditions: list(condition) }) }],
  { categories },
);

/** The kinds of OLM v0, with the fields that its users and the simulation need. */
export const v0Definitions: readonly CustomResourceDefinition[] = [
  catalogSource,
  clusterServiceVersion,
  installPlan,
  olmConfig,
  operatorCondition,
  operatorGroup,
  operator,
  subscription,
];
