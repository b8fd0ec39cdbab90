import type { FaultedRequests, TestFaultEffect } from 'ots-testing';
import { beforeAll, expect, test } from 'vitest';
import { configMaps, crdOf, installCrd, objectOf, pathOf, until } from '../../support/fixtures.ts';
import { onEachServer } from '../../support/on-each-server.ts';
import { asRecorded } from '../../support/recorded.ts';
import type { Answer, Session } from '../../support/session.ts';
import { Watcher } from '../../support/watcher.ts';
import { configureWebhooks, webhookOf } from '../../support/webhook-configurations.ts';
import { type WebhookCall, WebhookServer } from '../../support/webhook-server.ts';

// What a real server says when it cannot serve a request, and what faults make the embedded one say.

const flowControl = '/apis/flowcontrol.apiserver.k8s.io/v1';
const things = '/apis/none.example.com/v1/things';
const user = 'impatient';
const asUser = { headers: { 'impersonate-user': user } };

interface Refusal {
  /** What the embedded server has instead of the trouble. */
  readonly fault: readonly [FaultedRequests, TestFaultEffect];
  /** The request that both servers refuse. */
  readonly send: (session: Session) => Promise<Answer>;
  /** Gets a real server into trouble, and sends the request. */
  readonly provoke: (session: Session) => Promise<Answer>;
}

const changed = (resourceVersion?: string) => ({ metadata: { name: 'a', resourceVersion }, data: {} });
const untilTimeout = (session: Session) => session.get(`${configMaps}/a?timeout=1ns`);

const refusals: Record<string, Refusal> = {
  conflict: {
    fault: [{ verbs: ['update'], resource: 'configmaps', name: 'a' }, { answer: 'Conflict' }],
    send: (session) => session.put(`${configMaps}/a`, changed()),
    provoke: (session) => session.put(`${configMaps}/a`, changed('1')),
  },
  'too-many-requests': {
    fault: [{ user }, { answer: 'TooManyRequests' }],
    send: (session) => session.send('GET', configMaps, asUser),
    provoke: whileBusy,
  },
  'no-answer-in-time': {
    fault: [{ resource: 'configmaps' }, { answer: 'Timeout' }],
    send: untilTimeout,
    provoke: untilTimeout,
  },
  unavailable: {
    fault: [{ verbs: ['get'] }, { answer: 'ServiceUnavailable' }],
    send: (session) => session.get(`${configMaps}/a`),
    provoke: withoutExtension,
  },
};

/** Asks an aggregated API whose server does not exist. */
async function withoutExtension(session: Session): Promise<Answer> {
  await session.post('/apis/apiregistration.k8s.io/v1/apiservices', {
    metadata: { name: 'v1.none.example.com' },
    spec: {
      group: 'none.example.com',
      version: 'v1',
      groupPriorityMinimum: 100,
      versionPriority: 100,
      insecureSkipTLSVerify: true,
      service: { name: 'none', namespace: 'default' },
    },
  });
  await until(async () => (await session.get(things)).code === 503);
  return session.get(things);
}

/** Sends a request while another one of the same user has the only seat: a webhook keeps it there. */
async function whileBusy(session: Session): Promise<Answer> {
  await limitUser(session);
  const webhooks = await WebhookServer.start();
  const held: WebhookCall[] = [];
  webhooks.handle('/hold', (call) => void held.push(call));
  const webhook = webhookOf('hold', webhooks.clientConfig('/hold'), {
    timeoutSeconds: 30,
    objectSelector: { matchLabels: { held: 'yes' } },
  });
  const create = () =>
    session.send('POST', `${configMaps}?dryRun=All`, {
      ...asUser,
      body: { metadata: { generateName: 'held-', labels: { held: 'yes' } } },
    });
  const sent: Promise<Answer>[] = [];
  await configureWebhooks(session, 'Validating', { name: 'hold', webhooks: [webhook] }, async () => {
    sent.push(create());
    await Promise.race([sent.at(-1), until(() => Promise.resolve(held.length > 0))]);
    return held.length > 0;
  });
  const answer = await session.send('GET', configMaps, asUser);
  for (const { response } of held) response.destroy();
  await Promise.all(sent);
  await webhooks.close();
  return answer;
}

/** Lets the user send one request at a time. */
async function limitUser(session: Session): Promise<void> {
  const limited = {
    nominalConcurrencyShares: 0,
    borrowingLimitPercent: 0,
    limitResponse: { type: 'Reject' },
  };
  await session.post(`${flowControl}/prioritylevelconfigurations`, {
    metadata: { name: 'one-seat' },
    spec: { type: 'Limited', limited },
  });
  const all = ['*'];
  const { body } = await session.post(`${flowControl}/flowschemas`, {
    metadata: { name: user },
    spec: {
      priorityLevelConfiguration: { name: 'one-seat' },
      matchingPrecedence: 2,
      rules: [
        {
          subjects: [{ kind: 'User', user: { name: user } }],
          resourceRules: [{ verbs: all, apiGroups: all, resources: all, namespaces: all }],
        },
      ],
    },
  });
  await until(async () => {
    const { headers } = await session.send('GET', configMaps, asUser);
    return headers['x-kubernetes-pf-flowschema-uid'] === body.metadata.uid;
  });
}

function shown({ code, headers, body }: Answer): object {
  const names = ['content-type', 'cache-control', 'retry-after', 'x-content-type-options'];
  const sent = names.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]]));
  return { code, headers: Object.fromEntries(sent), body };
}

onEachServer('refusals of a server in trouble', (server) => {
  beforeAll(async () => {
    await server.session.post(configMaps, changed());
    await server.session.post('/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
      metadata: { name: user },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: user }],
    });
    await until(async () => (await server.session.send('GET', configMaps, asUser)).code === 200);
  });

  test.each(Object.entries(refusals))('%s', async (name, { fault, send, provoke }) => {
    const answered = async () => {
      if (server.name === 'kube-apiserver') return provoke(server.session);
      using added = server.environment.faults.add(...fault);
      const answer = await send(server.session);
      expect(added.hits).toBe(1);
      return answer;
    };
    await expect(asRecorded(shown(await answered()))).toMatchFileSnapshot(
      `../recorded/refusals/${name}.yaml`,
    );
  });

  test('a watch from before the history ends with an ERROR event', async () => {
    const { session } = server;
    // A real server knows no history from before the definition.
    await installCrd(session, crdOf('Past', {}));
    await session.post(pathOf('Past'), objectOf('Past', 'a', {}));
    if (server.name === 'embedded') server.environment.faults.compact();
    const watcher = await Watcher.start(session, `${pathOf('Past')}?watch=1&resourceVersion=1`);
    await watcher.ended;
    const events = JSON.stringify(watcher.events).replace(/\(\d+\)/, '(<oldest>)');
    await expect(asRecorded(JSON.parse(events))).toMatchFileSnapshot('../recorded/refusals/old-watch.yaml');
  });
});
