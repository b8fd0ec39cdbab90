import { expect, test } from 'vitest';
import { createRandom } from '../../../random/random.ts';
import { Store } from '../../../storage/store.ts';
import type { Table } from '../../../storage/table.ts';
import { ServiceAllocations } from './service-allocations.ts';

function put(table: Table, name: string, spec: object): void {
  table.put(`default/${name}`, { apiVersion: 'v1', kind: 'Service', metadata: { name }, spec });
}

function remove(table: Table, name: string): void {
  const record = table.get(`default/${name}`);
  if (record) table.delete(record);
}

test('every address is allocated once, the lower ones last, until none is left', () => {
  const table = new Store({ changes: 1000, characters: 1e6 }).createTable('/services');
  const allocations = new ServiceAllocations(table, createRandom());
  const given: number[] = [];
  for (let address = allocations.freeAddress(); address; address = allocations.freeAddress()) {
    put(table, `s${given.length}`, { type: 'ClusterIP', clusterIPs: [address] });
    given.push(Number(address.slice('10.0.0.'.length)));
  }
  expect(given.toSorted((a, b) => a - b)).toStrictEqual(Array.from({ length: 254 }, (_, index) => index + 1));
  expect(given.slice(-16).every((host) => host < 17)).toBe(true);
  remove(table, 's100');
  expect(allocations.freeAddress()).toBe(`10.0.0.${given[100]}`);
});

test('what a service releases is free, however much of the history is dropped', () => {
  const table = new Store({ changes: 1, characters: 1e6 }).createTable('/services');
  const allocations = new ServiceAllocations(table, createRandom());
  const ports = (nodePort: number) => [{ port: 80, nodePort }];
  put(table, 'kept', { type: 'NodePort', clusterIPs: ['10.0.0.2'], ports: ports(30_001) });
  put(table, 'changed', { type: 'NodePort', clusterIPs: ['10.0.0.3'], ports: ports(30_002) });
  expect(allocations.isPortTaken(30_002)).toBe(true);
  for (let round = 0; round < 10; round += 1)
    put(table, 'changed', { type: 'NodePort', clusterIPs: ['10.0.0.3'], ports: ports(30_003 + round) });
  put(table, 'gone', { type: 'ClusterIP', clusterIPs: ['10.0.0.4'] });
  remove(table, 'gone');
  const taken = [30_001, 30_002, 30_003, 30_011, 30_012].map((port) => allocations.isPortTaken(port));
  expect(taken).toStrictEqual([true, false, false, false, true]);
  expect(['10.0.0.2', '10.0.0.3', '10.0.0.4'].map((ip) => allocations.isAddressTaken(ip))).toStrictEqual([
    true,
    true,
    false,
  ]);
});

test('the port of a health check is taken as long as it is in use', () => {
  const table = new Store({ changes: 10, characters: 1e6 }).createTable('/services');
  const allocations = new ServiceAllocations(table, createRandom());
  const spec = { type: 'LoadBalancer', externalTrafficPolicy: 'Local', healthCheckNodePort: 31_000 };
  put(table, 'checked', spec);
  expect(allocations.isPortTaken(31_000)).toBe(true);
  put(table, 'checked', { ...spec, externalTrafficPolicy: 'Cluster' });
  expect(allocations.isPortTaken(31_000)).toBe(false);
  expect(allocations.freePort(new Set([31_000]))).toBeGreaterThanOrEqual(30_086);
});
