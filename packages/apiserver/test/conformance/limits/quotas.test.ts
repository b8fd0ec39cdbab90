import { beforeAll, expect, test } from 'vitest';
import { outcomeOf } from '../../support/kind-cases.ts';
import { onEachServer } from '../../support/on-each-server.ts';
import { asRecorded } from '../../support/recorded.ts';
import { quotaCases } from './quota-cases.ts';
import { QuotaSession } from './quota-session.ts';

onEachServer('quotas', { controllers: {} }, (server) => {
  beforeAll(async () => {
    for (const [name, value] of Object.entries({ 'quota-high': 10, 'quota-low': 1 }))
      await server.session.post('/apis/scheduling.k8s.io/v1/priorityclasses', { metadata: { name }, value });
  });

  // On a busy machine, the quota controller of kube-controller-manager may count pods before it has heard of a new one, and overwrite what
  // admission has just counted. Nothing tells a test when that can no longer happen, so such a case runs again, in a new namespace.
  const retry = server.name === 'kube-apiserver' ? 3 : 0;
  const attempts = new Map<string, number>();
  test.each(Object.keys(quotaCases))('%s', { retry }, async (title) => {
    const namespace = title.replaceAll(' ', '-');
    const attempt = (attempts.get(title) ?? 0) + 1;
    attempts.set(title, attempt);
    const { quotas = {}, steps = {} } = quotaCases[title] ?? {};
    const quota = new QuotaSession(server.session, attempt === 1 ? namespace : `${namespace}-${attempt}`);
    await quota.open(quotas);
    const outcomes = { counted: await quota.statuses(), ...(await quota.run(steps)) };
    await expect(asRecorded(outcomes)).toMatchFileSnapshot(`../recorded/quotas/${namespace}.yaml`);
  });

  test('what existed before the quota counts', async () => {
    const path = '/api/v1/namespaces/before';
    await server.session.post('/api/v1/namespaces', { metadata: { name: 'before' } });
    for (const name of ['a', 'b']) await server.session.post(`${path}/secrets`, { metadata: { name } });
    const quota = new QuotaSession(server.session, 'before');
    await quota.open({ counted: { hard: { secrets: '2', configmaps: '1' } } });
    expect(await quota.statuses()).toMatchObject({ counted: { used: { secrets: '2', configmaps: '0' } } });
    expect((await server.session.post(`${path}/secrets`, { metadata: { name: 'c' } })).code).toBe(403);
  });
});

onEachServer('quotas that nothing counts', (server) => {
  const path = '/api/v1/namespaces/default';

  test('they limit nothing until their status says what is used', async () => {
    const outcomes: Record<string, unknown> = {};
    const metadata = { name: 'quota' };
    await server.session.post(`${path}/resourcequotas`, {
      metadata,
      spec: { hard: { secrets: '0', pods: '1' } },
    });
    const ask = async () => {
      const answer = await server.session.post(`${path}/secrets?dryRun=All`, { metadata: { name: 's' } });
      return outcomeOf(answer);
    };
    const report = (status: object) =>
      server.session.merge(`${path}/resourcequotas/quota/status`, { status });
    outcomes['no status'] = await ask();
    await report({ hard: { secrets: '0' } });
    // Admission may not see a new status at once.
    while (JSON.stringify(await ask()) === JSON.stringify(outcomes['no status']));
    outcomes['only limits'] = await ask();
    await report({ hard: { secrets: '1' }, used: { secrets: '1' } });
    while (JSON.stringify(await ask()) === JSON.stringify(outcomes['only limits']));
    outcomes['all used'] = await ask();
    await expect(asRecorded(outcomes)).toMatchFileSnapshot('../recorded/quotas/uncounted.yaml');
  });
});
