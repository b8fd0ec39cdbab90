import { beforeAll, expect, test } from 'vitest';
import { until } from '../../support/fixtures.ts';
import { onEachServer } from '../../support/on-each-server.ts';
import { Randomness } from '../../support/randomness.ts';
import { asRecorded } from '../../support/recorded.ts';
import type { Session } from '../../support/session.ts';
import { namespaces, randomQuestion, randomRules, randomSubjects } from './random-rules.ts';

const rbac = '/apis/rbac.authorization.k8s.io/v1';
const reviews = '/apis/authorization.k8s.io/v1/subjectaccessreviews';
const apiGroup = 'rbac.authorization.k8s.io';
const rolesPerKind = 12;
const questions = 400;

async function create(session: Session, path: string, object: object): Promise<void> {
  const { code, body } = await session.post(path, object);
  expect(body.message ?? code).toBe(201);
}

/** Creates roles and bindings, each in the cluster and in namespaces. */
async function createRandomRoles(session: Session, random: Randomness): Promise<void> {
  for (let index = 0; index < rolesPerKind; index += 1) {
    const metadata = { name: `random-${index}` };
    const namespace = random.pick(namespaces);
    await create(session, `${rbac}/clusterroles`, { metadata, rules: randomRules(random, false) });
    await create(session, `${rbac}/namespaces/${namespace}/roles`, {
      metadata,
      rules: randomRules(random, true),
    });
    const roleRef = (kind: string) => ({
      apiGroup,
      kind,
      // Some bindings refer to roles that do not exist.
      name: `random-${random.pick([...Array(rolesPerKind + 2).keys()])}`,
    });
    await create(session, `${rbac}/clusterrolebindings`, {
      metadata,
      roleRef: roleRef('ClusterRole'),
      subjects: randomSubjects(random),
    });
    await create(session, `${rbac}/namespaces/${namespace}/rolebindings`, {
      metadata,
      roleRef: roleRef(random.pick(['Role', 'ClusterRole'])),
      subjects: randomSubjects(random),
    });
  }
}

/** A real server sees new roles and bindings a little later. Each kind has its own delay. */
async function untilSeen(session: Session): Promise<void> {
  const [namespace = ''] = namespaces;
  const rules = [{ verbs: ['last'], apiGroups: [''], resources: ['last'] }];
  const metadata = { name: 'last' };
  await create(session, `${rbac}/clusterroles`, { metadata, rules });
  await create(session, `${rbac}/namespaces/${namespace}/roles`, { metadata, rules });
  for (const [path, kind] of [
    ['clusterrolebindings', 'ClusterRole'],
    [`namespaces/${namespace}/rolebindings`, 'Role'],
  ] as const) {
    await create(session, `${rbac}/${path}`, {
      metadata,
      roleRef: { apiGroup, kind, name: 'last' },
      subjects: [{ kind: 'User', apiGroup, name: `last-${kind}` }],
    });
    const resourceAttributes = { verb: 'last', resource: 'last', namespace };
    await until(async () => {
      const { body } = await session.post(reviews, { spec: { user: `last-${kind}`, resourceAttributes } });
      return body.status.allowed;
    });
  }
}

onEachServer('random roles', (server) => {
  beforeAll(async () => {
    const random = new Randomness(14);
    for (const name of namespaces) await create(server.session, '/api/v1/namespaces', { metadata: { name } });
    await createRandomRoles(server.session, random);
    await untilSeen(server.session);
  });

  test('random questions', async () => {
    const random = new Randomness(15);
    const found: string[] = [];
    for (let index = 0; index < questions; index += 1) {
      const spec = randomQuestion(random);
      const { body } = await server.session.post(reviews, { spec });
      // Several roles may allow it, and a real server names any of them.
      const { allowed, reason = '' } = body.status;
      found.push(`${allowed ? 'allowed' : `denied ${sortedProblems(reason)}`} ${JSON.stringify(spec)}`);
    }
    expect(found.filter((line) => line.startsWith('allowed')).length).toBeGreaterThan(questions / 8);
    await expect(asRecorded(found)).toMatchFileSnapshot('../recorded/authorization/random-questions.yaml');
  });
});

/** A real server finds roles in any order. */
function sortedProblems(reason: string): string {
  const list = /^RBAC: \[(.*)\]$/.exec(reason)?.[1]?.split(', ');
  return list ? `RBAC: [${list.toSorted().join(', ')}]` : reason;
}
