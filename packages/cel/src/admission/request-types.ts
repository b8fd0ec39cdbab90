import {
  boolType,
  type CelType,
  dynType,
  intType,
  listOf,
  mapOf,
  stringType,
  struct,
  timestampType,
} from '../types/cel-type.ts';

const strings = listOf(stringType);
const stringMap = mapOf(stringType, stringType);

function message(name: string, fields: Readonly<Record<string, CelType>>): CelType {
  return struct(`kubernetes.${name}`, new Map(Object.entries(fields)));
}

const kind = message('GroupVersionKind', { group: stringType, version: stringType, kind: stringType });

const resource = message('GroupVersionResource', {
  group: stringType,
  version: stringType,
  resource: stringType,
});

/** The type of `request` (`k8s.io/apiserver/pkg/admission/plugin/cel/compile.go`). */
export const requestType: CelType = message('AdmissionRequest', {
  kind,
  resource,
  subResource: stringType,
  requestKind: kind,
  requestResource: resource,
  requestSubResource: stringType,
  name: stringType,
  namespace: stringType,
  operation: stringType,
  userInfo: message('UserInfo', {
    username: stringType,
    uid: stringType,
    groups: strings,
    extra: mapOf(stringType, strings),
  }),
  dryRun: boolType,
  options: dynType,
});

/** The type of `namespaceObject`. */
export const namespaceType: CelType = message('Namespace', {
  metadata: message('NamespaceMetadata', {
    name: stringType,
    generateName: stringType,
    namespace: stringType,
    labels: stringMap,
    annotations: stringMap,
    UID: stringType,
    creationTimestamp: timestampType,
    deletionGracePeriodSeconds: intType,
    deletionTimestamp: timestampType,
    generation: intType,
    resourceVersion: stringType,
    finalizers: strings,
  }),
  spec: message('NamespaceSpec', { finalizers: strings }),
  status: message('NamespaceStatus', {
    conditions: listOf(
      message('NamespaceCondition', {
        status: stringType,
        type: stringType,
        lastTransitionTime: timestampType,
        message: stringType,
        reason: stringType,
      }),
    ),
    phase: stringType,
  }),
});
