import { ConfigMap } from 'ots-kubernetes/core/v1';
import { type PolicyRule, Role, RoleBinding } from 'ots-kubernetes/rbac/v1';
import { expect, onTestFinished, test } from 'vitest';
import { apiServerFixture } from '../../test/api-server-fixture.ts';
import { Thing, thing, thingCrds } from '../../test/thing.ts';
import { Client } from '../client/client.ts';
import { compositeController } from '../composite/composite-controller.ts';
import { ControllerBuilder } from '../controller/controller-builder.ts';
import type { Reconciler, Request } from '../controller/reconciler.ts';
import { isForbidden } from '../errors/api-error.ts';
import { createLogger } from '../logging/create-logger.ts';
import { waitFor } from '../waiting/wait-for.ts';
import { Manager, type ManagerInternals } from './manager.ts';

// Runs against the embedded API server, and against a real one when KUBEBUILDER_ASSETS is set.

const server = apiServerFixture(thingCrds);
const group = 'example.com';
const watchThings: PolicyRule = { apiGroups: [group], resources: ['things'], verbs: ['list', 'watch'] };

const failing = { failOnDenied: true };

class ThingReconciler implements Reconciler {
  readonly #client: Client;

  constructor(client: Client) {
    this.#client = client;
  }

  async reconcile(request: Request): Promise<void> {
    await this.#client.status.patch(Thing, request, { status: { size: 1 } });
  }
}

/** A manager of a user who has these rules in a namespace of its own, where a Thing is. */
async function managerWith(
  rules: PolicyRule[],
  reconciler: (client: Client) => Reconciler['reconcile'] | Reconciler,
  { electionId, ...internals }: ManagerInternals & { electionId?: string } = {},
): Promise<Manager> {
  const namespace = await server.createNamespace();
  const metadata = { name: 'operator', namespace };
  const apiGroup = 'rbac.authorization.k8s.io';
  await server.client.create(Role, { apiVersion: `${apiGroup}/v1`, kind: 'Role', metadata, rules });
  await server.client.create(RoleBinding, {
    apiVersion: `${apiGroup}/v1`,
    kind: 'RoleBinding',
    metadata,
    roleRef: { apiGroup, kind: 'Role', name: 'operator' },
    subjects: [{ apiGroup, kind: 'User', name: namespace }],
  });
  await server.client.create(Thing, { ...thing('a'), metadata: { name: 'a', namespace } });
  const connection = { ...server.config, impersonate: { user: namespace } };
  // A real server learns of roles a moment later.
  await using user = new Client(connection);
  const isMember = rules.includes(watchThings);
  if (isMember) await waitFor(() => user.list(Thing, { namespace }).then(Boolean, isNotForbidden));
  const manager = await Manager.create(
    {
      connection,
      cache: { namespaces: [namespace] },
      logger: createLogger({ level: 'silent' }),
      ...(electionId !== undefined && { leaderElection: { id: electionId, namespace } }),
    },
    internals,
  );
  onTestFinished(() => manager.stop());
  new ControllerBuilder(manager).for(Thing).complete(reconciler(manager.client));
  return manager;
}

function isNotForbidden(error: unknown): boolean {
  if (isForbidden(error)) return false;
  throw error;
}

test('a write that no rule allows fails the manager, with the tag and the class that lacks it', async () => {
  const manager = await managerWith([watchThings], (client) => new ThingReconciler(client), failing);
  const running = manager.start();
  const error = {
    code: 'ACCESS_DENIED',
    message: expect.stringMatching(
      /^@rbac groups=example.com resources=things\/status verbs=patch is missing from ThingReconciler: things.example.com "a" is forbidden: User "test-\d+" cannot patch resource "things\/status"/,
    ),
    hint: expect.stringContaining('npm run manifests'),
    cause: { reason: 'Forbidden' },
  };
  await expect(running).rejects.toMatchObject(error);
  await expect(manager.idle()).rejects.toMatchObject(error);
});

test('a composite controller, which has no class, is named by its name', async () => {
  const manager = await managerWith([watchThings], () => async () => {}, failing);
  const sync = () => ({ children: [], status: { size: 1 } });
  compositeController(manager, { name: 'sizes', parent: Thing, children: [], sync });
  await expect(manager.start()).rejects.toThrow(
    '@rbac groups=example.com resources=things/status verbs=patch is missing from the controller sizes: ',
  );
});

test('idle rejects while a denied reconcile runs', async () => {
  const manager = await managerWith([watchThings], (client) => new ThingReconciler(client), failing);
  manager.start().catch(() => {});
  await expect(manager.idle()).rejects.toThrow('things/status verbs=patch is missing');
});

test('a watch that no rule allows fails the manager at once, with the reconcilers that watch the kind', async () => {
  const manager = await managerWith([], () => async () => {}, failing);
  new ControllerBuilder(manager).named('other').for(Thing).complete(new ThingReconciler(manager.client));
  manager.start().catch(() => {});
  await expect(manager.ready).rejects.toThrow(
    '@rbac groups=example.com resources=things verbs=get;list;watch is missing from the controller thing, ThingReconciler: ',
  );
});

test('a lease that no rule allows fails the manager', async () => {
  const manager = await managerWith([watchThings], () => async () => {}, { ...failing, electionId: 'a' });
  manager.start().catch(() => {});
  await expect(manager.elected).rejects.toThrow(
    /^@rbac groups=coordination.k8s.io resources=leases verbs=get is missing: leases.coordination.k8s.io "a" is forbidden/,
  );
});

test('a refusal that is not about rules does not fail the manager', async () => {
  let refused: unknown;
  const configMaps = { apiGroups: [''], resources: ['configmaps'], verbs: ['create'] };
  const manager = await managerWith(
    [watchThings, configMaps],
    (client) => async (request) => {
      const metadata = { namespace: request.namespace ?? '', name: 'Bad Name' };
      const creation = client.create(ConfigMap, { apiVersion: 'v1', kind: 'ConfigMap', metadata });
      refused = await creation.catch((error: unknown) => error);
    },
    failing,
  );
  manager.start().catch(() => {});
  await manager.idle();
  expect(refused).toMatchObject({ reason: 'Invalid' });
});

test('without the option, a denied reconcile is retried', async () => {
  const manager = await managerWith([watchThings], (client) => new ThingReconciler(client));
  manager.start().catch(() => {});
  await manager.ready;
  await expect(manager.idle()).resolves.toBeUndefined();
});
