import { expect, test } from 'vitest';
import { type ProtobufMessage, protobufMessage } from './protobuf-messages.ts';
import { resources } from './resources.ts';

test('every resource has a message, and all of its parts resolve', () => {
  const seen = new Set<ProtobufMessage>();
  const visit = (message: ProtobufMessage | undefined) => {
    if (!message || seen.has(message)) return;
    seen.add(message);
    for (const { type } of message.fields) if (typeof type === 'object') visit(type);
  };
  for (const { group, version, kind } of resources) {
    const message = protobufMessage(group === '' ? version : `${group}/${version}`, kind);
    expect(message?.fields[0]).toMatchObject({ number: 1, name: 'metadata', goName: 'ObjectMeta' });
    visit(message);
  }
  expect(seen.size).toBeGreaterThan(400);
});

test('the facts in the tags of the Go types are known', () => {
  const eviction = protobufMessage('policy/v1', 'Eviction');
  expect(eviction?.fieldOfNumber.get(2)).toMatchObject({ name: 'deleteOptions', shape: 'pointer' });
  const options = protobufMessage('meta.k8s.io/v1', 'DeleteOptions');
  expect(eviction?.fieldOfNumber.get(2)?.type).toBe(options);
  expect(options?.fieldOfNumber.get(1)).toMatchObject({
    name: 'gracePeriodSeconds',
    type: 'int64',
    shape: 'pointer',
  });
  const secret = protobufMessage('v1', 'Secret');
  expect(secret?.fieldOfNumber.get(2)).toMatchObject({ name: 'data', type: 'bytes', shape: 'map' });
});

test('an unknown kind has no message', () => {
  for (const [apiVersion, kind] of [
    ['v1', 'Nope'],
    ['v2', 'Pod'],
    ['', ''],
    ['v1', 'PodSpec'],
  ] as const)
    expect(protobufMessage(apiVersion, kind)).toBeUndefined();
});
