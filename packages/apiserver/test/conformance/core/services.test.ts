import { expect, test } from 'vitest';
import { outcomeOf } from '../../support/kind-cases.ts';
import { onEachServer } from '../../support/on-each-server.ts';
import { asRecorded } from '../../support/recorded.ts';
import { serviceCases, serviceUpdates } from './service-cases.ts';

const services = '/api/v1/namespaces/default/services';
const ports = [{ port: 80 }];

/** A text without the addresses and ports that a server chooses. Those in the cases are in the lower part of the ranges. */
function masked(value: unknown): string {
  return asRecorded(value)
    .replaceAll(/10\.0\.0\.(1[7-9]|[2-9]\d|[12]\d\d)\b/g, '<address>')
    .replaceAll(/(odePort): (3008[6-9]|3009\d|30[1-9]\d\d|3[12]\d{3})\b/g, '$1: <port>');
}

onEachServer('services', (server) => {
  const create = (name: string, spec: any) => server.session.post(services, { metadata: { name }, spec });

  test('new Services get what they do not request', async () => {
    const outcomes: Record<string, unknown> = {};
    for (const [name, spec] of Object.entries(serviceCases)) {
      outcomes[name] = outcomeOf(await create('created', spec));
      await server.session.delete(`${services}/created`);
    }
    await expect(masked(outcomes)).toMatchFileSnapshot('../recorded/core/services.yaml');
  }, 60_000);

  test('updated Services keep what they got', async () => {
    const outcomes: Record<string, unknown> = {};
    for (const [name, { from, to }] of Object.entries(serviceUpdates)) {
      const created = await create('updated', from);
      const updated = await server.session.put(`${services}/updated`, {
        metadata: { name: 'updated' },
        spec: to,
      });
      const { clusterIP } = created.body.spec;
      const isKept = updated.code === 200 && updated.body.spec.clusterIP === clusterIP;
      outcomes[name] = { isKept, ...(outcomeOf(updated) as object) };
      await server.session.delete(`${services}/updated`);
    }
    await expect(masked(outcomes)).toMatchFileSnapshot('../recorded/core/service-updates.yaml');
  }, 60_000);

  test('names and annotations', async () => {
    const outcomes: Record<string, unknown> = {};
    const topology = {
      'service.kubernetes.io/topology-mode': 'a',
      'service.kubernetes.io/topology-aware-hints': 'b',
    };
    const ranges = { 'service.beta.kubernetes.io/load-balancer-source-ranges': '1.2.3.4/32, x' };
    const metadata = [
      { name: '1a' },
      { name: 'a.b' },
      { name: 'A' },
      { name: 'a'.repeat(64) },
      { name: 'topology', annotations: topology },
      { name: 'ranges', annotations: ranges },
    ];
    for (const one of metadata) {
      const answer = await server.session.post(`${services}?dryRun=All`, { metadata: one, spec: { ports } });
      outcomes[one.name] = outcomeOf(answer);
    }
    expect((await server.session.post(services, { metadata: { name: 'bare' } })).code).toBe(422);
    await expect(masked(outcomes).replaceAll('10.0.0.0', '<address>')).toMatchFileSnapshot(
      '../recorded/core/service-names.yaml',
    );
  });

  test('an address or port belongs to one Service until it is released', async () => {
    const spec = { type: 'NodePort', clusterIP: '10.0.0.5', ports: [{ port: 80, nodePort: 30_005 }] };
    expect((await create('holder', spec)).code).toBe(201);
    const refused = await create('other', spec);
    expect(refused.body.message).toBe(
      'Service "other" is invalid: spec.clusterIPs: Invalid value: ["10.0.0.5"]: failed to allocate IP 10.0.0.5: provided IP is already allocated',
    );
    const samePort = await create('other', { ...spec, clusterIP: '10.0.0.6' });
    expect(samePort.body.message).toBe(
      'Service "other" is invalid: spec.ports[0].nodePort: Invalid value: 30005: provided port is already allocated',
    );
    // A Service that was refused because of its port keeps no address.
    expect((await create('free', { clusterIP: '10.0.0.6', ports })).code).toBe(201);
    await server.session.merge(`${services}/holder`, {
      spec: { type: 'ExternalName', externalName: 'a.b', clusterIP: null, clusterIPs: null },
    });
    expect((await create('other', spec)).code).toBe(201);
    for (const name of ['holder', 'other', 'free']) await server.session.delete(`${services}/${name}`);
    expect((await create('other', spec)).code).toBe(201);
    await server.session.delete(`${services}/other`);
  });

  test('a dry run reserves nothing', async () => {
    const spec = { clusterIP: '10.0.0.7', ports };
    const dry = await server.session.post(`${services}?dryRun=All`, { metadata: { name: 'dry' }, spec });
    expect(dry.code).toBe(201);
    expect((await create('wet', spec)).code).toBe(201);
    await server.session.delete(`${services}/wet`);
  });

  test('the status contains the address of a load balancer', async () => {
    const outcomes: Record<string, unknown> = {};
    await create('status', { type: 'LoadBalancer', ports });
    const ingresses: Record<string, any> = {
      'an address': [{ ip: '1.2.3.4' }],
      'a name': [{ hostname: 'a.b' }],
      'a bad name': [{ hostname: 'A_b' }, { hostname: '1.2.3.4' }],
      'a bad address': [{ ip: 'x' }, { ip: '01.2.3.4' }],
      'a mode': [{ ip: '1.2.3.4', ipMode: 'Proxy' }],
      'a mode of nothing': [{ hostname: 'a.b', ipMode: 'VIP' }],
      'an unknown mode': [{ ip: '1.2.3.4', ipMode: 'x' }],
    };
    for (const [name, ingress] of Object.entries(ingresses)) {
      const answer = await server.session.merge(`${services}/status/status`, {
        status: { loadBalancer: { ingress } },
      });
      outcomes[name] = answer.code === 200 ? answer.body.status : outcomeOf(answer);
    }
    const plain = { spec: { type: 'ClusterIP', allocateLoadBalancerNodePorts: null } };
    outcomes['no balancer any more'] = (await server.session.merge(`${services}/status`, plain)).body.status;
    const late = await server.session.merge(`${services}/status/status`, {
      status: { loadBalancer: { ingress: [{ ip: '1.2.3.4' }] } },
    });
    outcomes['no balancer'] = outcomeOf(late);
    await server.session.delete(`${services}/status`);
    await expect(masked(outcomes)).toMatchFileSnapshot('../recorded/core/service-status.yaml');
  });

  test('the server creates its own Service at start', async () => {
    const { body } = await server.session.get(`${services}/kubernetes`);
    expect(body.metadata.labels).toStrictEqual({ component: 'apiserver', provider: 'kubernetes' });
    const port = Number(new URL(server.environment.config.server).port);
    expect(body.spec).toStrictEqual({
      ports: [{ name: 'https', protocol: 'TCP', port: 443, targetPort: port }],
      clusterIP: '10.0.0.1',
      clusterIPs: ['10.0.0.1'],
      type: 'ClusterIP',
      sessionAffinity: 'None',
      ipFamilies: ['IPv4'],
      ipFamilyPolicy: 'SingleStack',
      internalTrafficPolicy: 'Cluster',
    });
    expect(body.status).toStrictEqual({ loadBalancer: {} });
  });
});
