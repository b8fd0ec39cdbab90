import { expect } from 'vitest';
import { until } from '../../../support/fixtures.ts';
import { onceKindIsKnown } from '../../../support/known-kind.ts';
import type { Answer, Session } from '../../../support/session.ts';

export const registration = '/apis/admissionregistration.k8s.io/v1';
export const configMaps = {
  operations: ['CREATE', 'UPDATE', 'DELETE'],
  apiGroups: [''],
  apiVersions: ['v1'],
  resources: ['configmaps'],
};

/** A request to a server with the policy of a case. */
export interface CaseRequest {
  method?: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below the namespace of the case, unless it starts with a slash; `NAMESPACE` stands for its name. Default `configmaps`. */
  path?: string;
  body?: unknown;
  contentType?: string;
  /** Default: the administrator. */
  user?: string;
  /** Whether the server stores the result. Default false. */
  stored?: boolean;
}

/** A policy, its bindings, and requests that it decides about. They see the namespace of the case only. */
export interface PolicyCase {
  /** The spec of the policy. Its constraints match ConfigMaps unless it says more. */
  spec: Record<string, unknown>;
  /** The specs of the bindings. Default: one. */
  bindings?: Record<string, unknown>[];
  /** Labels of the namespace. */
  labels?: Record<string, string>;
  /** Objects that exist before the policy, as paths and bodies. */
  objects?: [path: string, body: object][];
  /** Default: one ConfigMap. */
  requests?: CaseRequest[];
}

/** A ConfigMap to create. */
export function configMap(data: Record<string, string> = {}, metadata: object = {}): object {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'one', ...metadata }, data };
}

type Kind = 'Validating' | 'Mutating';

const plurals = {
  Validating: { policies: 'validatingadmissionpolicies', bindings: 'validatingadmissionpolicybindings' },
  Mutating: { policies: 'mutatingadmissionpolicies', bindings: 'mutatingadmissionpolicybindings' },
};

/** The namespace of a case, which is also the name of its policy. */
export function namespaceOf(index: number): string {
  return `case-${index}`;
}

/**
 * Installs the policies of all cases, and waits until the server uses them.
 *
 * @returns why the server refuses policies
 */
export async function installCases(
  session: Session,
  kind: Kind,
  cases: readonly PolicyCase[],
): Promise<string[]> {
  for (const [index, one] of cases.entries()) await prepareCase(session, index, one);
  const refusals: string[] = [];
  for (const [index, one] of cases.entries())
    refusals.push(...(await installPolicy(session, kind, index, one)));
  await untilUsed(session, kind);
  return refusals;
}

async function prepareCase(
  session: Session,
  index: number,
  { labels, objects = [] }: PolicyCase,
): Promise<void> {
  const name = namespaceOf(index);
  await create(session, '/api/v1/namespaces', { metadata: { name, labels } });
  for (const [path, body] of objects) await create(session, pathIn(name, path), body);
}

async function installPolicy(
  session: Session,
  kind: Kind,
  index: number,
  { spec, bindings = [{}] }: PolicyCase,
): Promise<string[]> {
  const name = namespaceOf(index);
  const { code, body } = await session.post(`${registration}/${plurals[kind].policies}`, {
    metadata: { name },
    spec: specOf(kind, name, spec),
  });
  for (const [position, binding] of bindings.entries())
    await create(session, `${registration}/${plurals[kind].bindings}`, {
      metadata: { name: `${name}-${position}` },
      spec: bindingOf(kind, name, binding),
    });
  return code === 201 ? [] : [body.message];
}

function specOf(
  kind: Kind,
  name: string,
  { matchConstraints = {}, ...spec }: Record<string, unknown>,
): object {
  const isMutating = kind === 'Mutating';
  const rule = isMutating ? { ...configMaps, operations: ['CREATE', 'UPDATE'] } : configMaps;
  const constraints = { resourceRules: [rule], ...selectorOf(name), ...(matchConstraints as object) };
  return { ...(isMutating && { reinvocationPolicy: 'Never' }), ...spec, matchConstraints: constraints };
}

function selectorOf(namespace: string): object {
  return { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } } };
}

function bindingOf(kind: Kind, policyName: string, binding: Record<string, unknown>): object {
  const { matchResources = {}, ...others } = binding;
  return {
    policyName,
    ...(kind === 'Validating' && { validationActions: ['Deny'] }),
    matchResources: { ...selectorOf(policyName), ...(matchResources as object) },
    ...others,
  };
}

/** A real server sees policies and bindings a little later, each in the order in which they were created. */
async function untilUsed(session: Session, kind: Kind): Promise<void> {
  const name = 'last';
  const rule = { ...configMaps, operations: ['CREATE'], resourceNames: [name] };
  const matchConstraints = { resourceRules: [rule] };
  const mutations = [
    { patchType: 'ApplyConfiguration', applyConfiguration: { expression: 'Object{data: {"seen": "yes"}}' } },
  ];
  await create(session, `${registration}/${plurals[kind].policies}`, {
    metadata: { name },
    spec:
      kind === 'Validating'
        ? { matchConstraints, validations: [{ expression: 'false' }] }
        : { matchConstraints, mutations, reinvocationPolicy: 'Never' },
  });
  await create(session, `${registration}/${plurals[kind].bindings}`, {
    metadata: { name },
    spec: { policyName: name, ...(kind === 'Validating' && { validationActions: ['Deny'] }) },
  });
  await until(async () => {
    const path = '/api/v1/namespaces/default/configmaps?dryRun=All';
    const { code, body } = await session.post(path, { metadata: { name } });
    return code === 422 || body.data?.seen === 'yes';
  });
}

async function create(session: Session, path: string, object: object): Promise<void> {
  const { code, body } = await session.post(path, object);
  expect(body.message ?? code).toBe(201);
}

function pathIn(namespace: string, path: string): string {
  return path.startsWith('/')
    ? path.replace('NAMESPACE', namespace)
    : `/api/v1/namespaces/${namespace}/${path}`;
}

/** Sends a request of a case. */
export function sendRequest(
  session: Session,
  index: number,
  { method = 'POST', path = 'configmaps', body, contentType, user, stored = false }: CaseRequest,
): Promise<Answer> {
  const whole = pathIn(namespaceOf(index), path);
  const asked = stored ? whole : `${whole}${whole.includes('?') ? '&' : '?'}dryRun=All`;
  return onceKindIsKnown(() =>
    session.send(method, asked, {
      body: body ?? (method === 'POST' ? configMap() : undefined),
      ...(contentType !== undefined && { contentType }),
      ...(user !== undefined && { headers: { 'impersonate-user': user } }),
    }),
  );
}

/** What a server decided. Generated names differ. */
export function decisionOf({ code, body, warnings }: Answer): unknown {
  const { message, reason, details } = body;
  const refusal = code < 400 ? { code } : { code, reason, message, details };
  const decision = { ...refusal, ...(warnings.length > 0 && { warnings }) };
  const text = JSON.stringify(decision).replaceAll(/\bgenerated-[a-z0-9]{5}\b/g, 'generated-…');
  return JSON.parse(text);
}
