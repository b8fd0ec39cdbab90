import type { CustomResourceDefinition } from 'ots-kubernetes/apiextensions/v1';
import { ConfigMap, Service } from 'ots-kubernetes/core/v1';
import {
  type Client,
  ControllerBuilder,
  type DeepReadonly,
  FinalizerRegistry,
  type Kind,
  type KubernetesObject,
  Manager,
  type ReconcileContext,
  type Request,
  controllerReference,
  createLogger,
  defineKind,
} from 'ots-runtime';
import { expect, test } from 'vitest';
import { ConvergenceError } from './convergence-error.ts';
import type { ConvergenceOptions } from './convergence-options.ts';
import { expectConvergence } from './expect-convergence.ts';

interface Page extends KubernetesObject {
  spec: { text: string };
  status?: { published?: string; edits?: number };
}

const Page = defineKind<Page>({
  apiVersion: 'example.com/v1',
  kind: 'Page',
  plural: 'pages',
  scope: 'Namespaced',
});
const openObject = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
const definition: CustomResourceDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'pages.example.com' },
  spec: {
    group: 'example.com',
    names: { kind: 'Page', plural: 'pages' },
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: { openAPIV3Schema: { type: 'object', properties: { spec: openObject, status: openObject } } },
      },
    ],
  },
};
const key = { namespace: 'default', name: 'home' };
const page: Page = { apiVersion: 'example.com/v1', kind: 'Page', metadata: key, spec: { text: 'hello' } };

interface Context extends ReconcileContext {
  /** Of the process. */
  readonly life: number;
}

type Reconcile = (client: Client, page: DeepReadonly<Page>, context: Context) => Promise<unknown>;

let lives = 0;

/** An operator that reconciles pages. @param owned what it watches besides */
function operatorOf(reconcile: Reconcile, owned: Kind | null = ConfigMap): ConvergenceOptions {
  return {
    environment: { objects: [definition] },
    identity: { user: 'operator', groups: ['system:masters'] },
    start: async (connection) => {
      const logger = createLogger({ level: 'silent' });
      const manager = await Manager.create({ connection, logger, userAgent: 'pages' });
      const { client } = manager;
      const life = (lives += 1);
      const builder = new ControllerBuilder(manager).for(Page);
      if (owned) builder.owns(owned);
      builder.complete(async (request: Request, context: ReconcileContext) => {
        const found = await client.get(Page, request);
        if (found) await reconcile(client, found, Object.assign(context, { life }));
      });
      return manager;
    },
    object: page,
    changes: {
      'has another text': ({ client }) => client.patch(Page, key, { spec: { text: 'world' } }),
    },
  };
}

function contentOf({ metadata, spec, ...rest }: DeepReadonly<Page>) {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name: metadata.name!,
      namespace: 'default',
      ownerReferences: [controllerReference({ ...rest, metadata })],
    },
    data: { text: spec.text },
  } as const;
}

/** Correct from any state. */
const publish: Reconcile = async (client, found) => {
  if (found.metadata.deletionTimestamp) return;
  const { data } = await client.apply(ConfigMap, contentOf(found), { force: true });
  await client.status.patch(Page, found, (draft) => {
    draft.status = { published: data!['text']! };
  });
};

/** What is found wrong while the object is created and deleted. */
async function failureOf(options: ConvergenceOptions): Promise<string> {
  const error = await expectConvergence({ ...options, changes: {} }).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ConvergenceError);
  return (error as ConvergenceError).message;
}

test('an operator that compares what it reads with what is wanted converges', async () => {
  const { writes, disturbances, edits } = await expectConvergence(operatorOf(publish));
  // It may write once more when its object is gone, which the garbage collector undoes.
  expect(writes.slice(0, 4)).toEqual([
    'patch configmaps default/home',
    'patch pages/status.example.com default/home',
    'patch configmaps default/home',
    'patch pages/status.example.com default/home',
  ]);
  const created = 'when the object is created';
  const changed = 'when the object has another text';
  expect(disturbances).toEqual(
    expect.arrayContaining([
      `killed after write 1 (patch configmaps default/home) ${created}`,
      `killed after write 2 (patch pages/status.example.com default/home) ${changed}`,
      `a conflict at write 1 (patch configmaps default/home) ${changed}`,
      `the object deleted after write 2 (patch pages/status.example.com default/home) and made again ${created}`,
      'the watches are late',
      'the watches of configmaps are late',
      'the watches of pages.example.com are late',
    ]),
  );
  expect(edits).toEqual(['ConfigMap home edited by hand (/data/text)', 'ConfigMap home deleted by hand']);
});

test('an operator that counts before it acts fails when it is killed', async () => {
  const counting: Reconcile = async (client, found) => {
    if (found.status?.published === found.spec.text) return;
    await client.status.patch(Page, key, { status: { edits: (found.status?.edits ?? 0) + 1 } });
    await client.status.patch(Page, key, { status: { published: found.spec.text } });
  };
  const failure = await failureOf(operatorOf(counting));
  expect(failure).toMatch(
    /killed after write 1 \(patch pages\/status\.example\.com default\/home\) .*created; after/,
  );
  expect(failure).toContain('pages.example.com default/home: status.edits: 2 instead of 1');
});

test('an operator that gives up at a conflict fails', async () => {
  const careless: Reconcile = async (client, found, context) => {
    await publish(client, found, context).catch(() => {});
  };
  const failure = await failureOf(operatorOf(careless));
  expect(failure).toMatch(/a conflict at write 1 .*\n {2}configmaps default\/home: nothing instead of/);
});

test('an operator that does not watch its children fails when they change', async () => {
  const failure = await failureOf(operatorOf(publish, null));
  expect(failure).toMatch(
    /ConfigMap home edited by hand .*\n.*data\.text: "hello-edited" instead of "hello"/,
  );
  expect(failure).toMatch(/ConfigMap home deleted by hand\n.*: nothing instead of/);
});

test('an operator that remembers what it did fails when its object is made again', async () => {
  const done = new Set<string>();
  const forgetful: Reconcile = async (client, found, context) => {
    if (found.status?.published === found.spec.text || done.has(`${context.life} ${found.spec.text}`)) return;
    await publish(client, found, context);
    done.add(`${context.life} ${found.spec.text}`);
  };
  const failure = await failureOf(operatorOf(forgetful));
  expect(failure).toMatch(
    /the object deleted after write .* and made again .*\n {2}configmaps default\/home: nothing/,
  );
});

test('a finalizer cleans up whatever happens to it', async () => {
  const cleaning: Reconcile = async (client, found, context) => {
    const finalizers = new FinalizerRegistry(client, Page).register('example.com/copy', async () => {
      await client.deleteCollection(ConfigMap, { namespace: 'default', labelSelector: 'copy=home' });
    });
    const alive = await finalizers.finalize(found, context);
    if (!alive) return;
    const metadata = { ...key, name: 'copy', labels: { copy: 'home' } };
    await client.apply(ConfigMap, { ...contentOf(found), metadata }, { force: true });
  };
  const { writes } = await expectConvergence({
    ...operatorOf(cleaning),
    // It is not owned, so changes of it queue nothing.
    spare: ({ kind }) => kind === 'ConfigMap',
  });
  expect(writes).toContain('deletecollection configmaps default/*');
});

test('what legitimately depends on history can be left out', async () => {
  const counting: Reconcile = async (client, found, context) => {
    await publish(client, found, context);
    const edits = (found.status?.edits ?? 0) + 1;
    if (found.status?.published !== found.spec.text)
      await client.status.patch(Page, key, { status: { edits } });
  };
  const report = await expectConvergence({
    ...operatorOf(counting),
    comparable: (object) => {
      const { status, ...rest } = object as Page;
      return { ...rest, published: status?.published };
    },
  });
  expect(report.disturbances.length).toBeGreaterThan(10);
});

test('which address a Service gets does not count', async () => {
  const serving: Reconcile = async (client, found) => {
    const { metadata } = contentOf(found);
    const spec = { ports: [{ port: found.spec.text === 'hello' ? 80 : 81 }] };
    await client.apply(Service, { apiVersion: 'v1', kind: 'Service', metadata, spec }, { force: true });
  };
  const { edits } = await expectConvergence(operatorOf(serving, Service));
  expect(edits).toContain('Service home deleted by hand');
});

test('an operator that does nothing, or does not let its object go, is refused', async () => {
  await expect(expectConvergence(operatorOf(async () => {}))).rejects.toThrow('The operator wrote nothing');
  const holding: Reconcile = async (client, found) =>
    found.metadata.finalizers ||
    (await client.patch(Page, key, { metadata: { finalizers: ['example.com/x'] } }));
  await expect(expectConvergence(operatorOf(holding))).rejects.toThrow(
    'Page home is still there after its deletion',
  );
});
