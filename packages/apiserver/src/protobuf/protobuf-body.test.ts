import { readFileSync } from 'node:fs';
import { resources } from 'ots-kubernetes/resources';
import { describe, expect, test } from 'vitest';
import { body, entry, field, integer, metadata, tag, varint } from '../../test/support/protobuf-writer.ts';
import { openProtobuf, readProtobuf } from './protobuf-body.ts';
import { ProtobufError } from './wire-reader.ts';
import fc from 'fast-check';

interface RecordedBody {
  /** The kubectl command that sent the body; scripts/protobuf-bodies.go made the others. */
  command?: string;
  apiVersion: string;
  kind: string;
  body: string;
  /** What Go decodes. */
  json: unknown;
}

const file = new URL('../../test/data/protobuf-bodies.jsonl', import.meta.url);
const recorded = readFileSync(file, 'utf8')
  .trimEnd()
  .split('\n')
  .map((line): RecordedBody => JSON.parse(line));

describe('a body that Go wrote is read as Go reads it', () => {
  test.each(recorded.map((line) => [line.command ?? `${line.kind} of ${line.apiVersion}`, line] as const))(
    '%s',
    (_, { apiVersion, kind, body: base64, json }) => {
      const { raw, ...type } = openProtobuf(Buffer.from(base64, 'base64'));
      expect(type).toStrictEqual({ apiVersion, kind });
      // Compares text, because the order of keys is also Go's.
      const value = readProtobuf(raw, apiVersion, kind);
      expect(JSON.stringify(withoutNulls(value))).toBe(JSON.stringify(withoutNulls(json)));
    },
  );

  test('kubectl sent some of them', () => {
    expect(recorded.filter(({ command }) => command !== undefined).length).toBeGreaterThan(15);
  });
});

test('every built-in resource can be read', () => {
  for (const { group, version, kind } of resources) {
    const apiVersion = group === '' ? version : `${group}/${version}`;
    expect(readProtobuf(metadata('a'), apiVersion, kind)).toMatchObject({ metadata: { name: 'a' } });
  }
});

describe('values', () => {
  const pod = (...fields: Buffer[]) => readProtobuf(field(2, ...fields), 'v1', 'Pod')['spec'];
  const event = (...fields: Buffer[]) => readProtobuf(Buffer.concat(fields), 'v1', 'Event');
  const policy = (...target: Buffer[]) =>
    readProtobuf(field(2, field(1, ...target)), 'policy/v1', 'PodDisruptionBudget')['spec'];

  test('structs are always present, pointers and lists only if they were sent', () => {
    expect(readProtobuf(Buffer.alloc(0), 'apps/v1', 'Deployment')).toStrictEqual({
      metadata: {},
      spec: { template: { metadata: {}, spec: {} }, strategy: {} },
      status: {},
    });
    expect(pod(field(2, field(1, 'c')))).toStrictEqual({ containers: [{ name: 'c', resources: {} }] });
  });

  test('a pointer to zero is kept, a zero of another field is not', () => {
    const deployment = readProtobuf(field(2, integer(1, 0), integer(5, 0)), 'apps/v1', 'Deployment');
    expect(deployment['spec']).toMatchObject({ replicas: 0 });
    expect(deployment['spec']).not.toHaveProperty('minReadySeconds');
    expect(pod(integer(11, 0), integer(21, 0))).toStrictEqual({ automountServiceAccountToken: false });
  });

  test('an embedded struct is replaced by its fields', () => {
    const volume = field(1, field(1, 'v'), field(2, field(2, field(1, 'Memory'))));
    expect(pod(volume)).toStrictEqual({ volumes: [{ name: 'v', emptyDir: { medium: 'Memory' } }] });
  });

  test('a message in several parts is merged', () => {
    const parts = [metadata('a'), field(1, entry(11, 'l', 'v')), metadata('b')];
    expect(readProtobuf(Buffer.concat(parts), 'v1', 'ConfigMap')).toStrictEqual({
      metadata: { name: 'b', labels: { l: 'v' } },
    });
    // Each of them is complete.
    const halves = [field(1, metadata('a').subarray(0, 2)), field(1, 'a')];
    expect(() => readProtobuf(Buffer.concat(halves), 'v1', 'ConfigMap')).toThrow('unexpected EOF');
  });

  test('numbers keep their sign, and 32-bit numbers drop higher bits', () => {
    expect(pod(integer(4, -5))).toStrictEqual({ terminationGracePeriodSeconds: -5 });
    expect(pod(integer(25, 2n ** 32n + 7n))).toStrictEqual({ priority: 7 });
    expect(pod(integer(25, -1))).toStrictEqual({ priority: -1 });
  });

  test('a list of numbers may be packed', () => {
    const groups = { securityContext: { supplementalGroups: [1, 300, -1] } };
    const packed = Buffer.concat([varint(1), varint(300), varint(-1)]);
    expect(pod(field(14, field(4, packed)))).toStrictEqual(groups);
    expect(pod(field(14, integer(4, 1), integer(4, 300), integer(4, -1)))).toStrictEqual(groups);
  });

  test('times have seconds, or microseconds', () => {
    const noTime = {
      metadata: {},
      involvedObject: {},
      source: {},
      reportingComponent: '',
      reportingInstance: '',
    };
    const moment = [integer(1, 1_700_000_000), integer(2, 123_456_789)];
    expect(event(field(6, ...moment), field(10, ...moment))).toStrictEqual({
      ...noTime,
      firstTimestamp: '2023-11-14T22:13:20Z',
      eventTime: '2023-11-14T22:13:20.123456Z',
    });
    expect(event(field(10, integer(1, -1), integer(2, 999_999_999)))['eventTime']).toBe(
      '1969-12-31T23:59:59.999999Z',
    );
    expect(event(field(6), field(10))).toStrictEqual(noTime);
    expect(event(field(6, integer(1, -62_135_596_800)))).toStrictEqual(noTime);
    expect(() => event(field(6, integer(1, 2n ** 60n)))).toThrow(ProtobufError);
  });

  test('a number or a string', () => {
    expect(policy(integer(1, 0), integer(2, 3))).toStrictEqual({ minAvailable: 3 });
    expect(policy(integer(1, 1), field(3, '50%'))).toStrictEqual({ minAvailable: '50%' });
    expect(policy()).toStrictEqual({ minAvailable: 0 });
    expect(() => policy(integer(1, 2))).toThrow('impossible IntOrString.Type');
  });

  test('keys with a meaning in JavaScript are data', () => {
    const raw = Buffer.concat([entry(2, '__proto__', 'p'), entry(2, 'constructor', 'c')]);
    expect(JSON.stringify(readProtobuf(raw, 'v1', 'ConfigMap')['data'])).toBe(
      '{"__proto__":"p","constructor":"c"}',
    );
    const revision = readProtobuf(
      field(2, field(1, '{"__proto__":{"x":1}}')),
      'apps/v1',
      'ControllerRevision',
    );
    expect(JSON.stringify(revision['data'])).toBe('{"__proto__":{"x":1}}');
  });

  test('an entry of a map may lack its key, its value, or both', () => {
    const raw = Buffer.concat([field(2, field(1, 'k')), field(2)]);
    expect(readProtobuf(raw, 'v1', 'ConfigMap')['data']).toStrictEqual({ k: '', '': '' });
    expect(readProtobuf(field(2, field(1, 'k')), 'v1', 'Secret')['data']).toStrictEqual({ k: '' });
  });

  test('a list that is a message is never null', () => {
    const review = readProtobuf(
      field(2, field(5, field(1, 'k'), field(2))),
      'authorization.k8s.io/v1',
      'SubjectAccessReview',
    );
    expect(review['spec']).toStrictEqual({ extra: { k: [] } });
  });

  test('a schema of a CustomResourceDefinition is what its JSON says', () => {
    const type = (name: string) => field(5, name);
    const items = field(24, field(1, type('string')));
    const closed = field(30, integer(1, 0));
    const maps = field(30, integer(1, 1), field(2, type('integer')));
    const schema = (...fields: Buffer[]) => {
      const version = field(7, field(1, 'v1'), field(4, field(1, ...fields)));
      const spec = readProtobuf(field(2, version), 'apiextensions.k8s.io/v1', 'CustomResourceDefinition')[
        'spec'
      ];
      return JSON.parse(JSON.stringify(spec)).versions[0].schema.openAPIV3Schema;
    };
    expect(schema(type('array'), items)).toStrictEqual({ type: 'array', items: { type: 'string' } });
    expect(schema(closed)).toStrictEqual({ additionalProperties: false });
    expect(schema(maps)).toStrictEqual({ additionalProperties: { type: 'integer' } });
    expect(schema(field(8, field(1, '[1,{"a":null}]')))).toStrictEqual({ default: [1, { a: null }] });
  });
});

describe('bytes that are not an object', () => {
  const configMap = (...fields: Buffer[]) => readProtobuf(Buffer.concat(fields), 'v1', 'ConfigMap');

  test.each([
    ['that end too early', Buffer.from([0x0a, 5, 1]), 'unexpected EOF'],
    ['with a number that never ends', Buffer.alloc(12, 0xff), 'proto: integer overflow'],
    [
      'with a length below zero',
      Buffer.concat([tag(1, 2), varint(-1)]),
      'proto: negative length found during unmarshaling',
    ],
    ['with a length beyond all', Buffer.concat([tag(1, 2), varint(2n ** 62n)]), 'unexpected EOF'],
    ['with a field of another type', integer(1, 5), 'proto: wrong wireType = 0 for field ObjectMeta'],
    ['with a map of another type', integer(2, 5), 'proto: wrong wireType = 0 for field Data'],
    ['without a field', Buffer.from([2, 0]), 'proto: ConfigMap: illegal tag 0 (wire type 2)'],
    ['with the end of a group', tag(1, 4), 'proto: ConfigMap: wiretype end group for non-group'],
    ['with a group without an end', Buffer.concat([tag(99, 3), integer(1, 1)]), 'unexpected EOF'],
    ['with an unknown type', tag(99, 7), 'proto: illegal wireType 7'],
    ['with an unknown field that ends too early', tag(99, 1), 'unexpected EOF'],
  ])('%s', (_, bytes, message) => {
    expect(() => configMap(bytes)).toThrow(new ProtobufError(message));
  });

  test('unknown fields of every type are skipped', () => {
    const unknown = [
      integer(99, 1),
      Buffer.concat([tag(99, 1), Buffer.alloc(8)]),
      field(99, 'text'),
      Buffer.concat([tag(99, 3), tag(5, 3), integer(1, 1), tag(5, 4), tag(99, 4)]),
      Buffer.concat([tag(99, 5), Buffer.alloc(4)]),
    ];
    expect(configMap(...unknown, metadata('a'))).toStrictEqual({ metadata: { name: 'a' } });
  });

  test('messages nested without end are refused', () => {
    let schema = field(5, 'object');
    for (let depth = 0; depth < 5000; depth += 1) schema = field(28, schema);
    const crd = field(2, field(7, field(4, field(1, schema))));
    expect(() => readProtobuf(crd, 'apiextensions.k8s.io/v1', 'CustomResourceDefinition')).toThrow(
      'exceeded max depth',
    );
    const json = `${'['.repeat(10_001)}${']'.repeat(10_001)}`;
    expect(() => readProtobuf(field(2, field(1, json)), 'apps/v1', 'ControllerRevision')).toThrow(
      'exceeded max depth',
    );
  });

  test('a body with too many messages is refused: each takes two bytes and becomes an object', () => {
    const containers = Buffer.alloc(2_000_000, Buffer.from([0x12, 0]));
    expect(() => readProtobuf(field(2, containers), 'v1', 'Pod')).toThrow('exceeded max number of messages');
  });

  test('a number that JSON does not have', () => {
    const nan = Buffer.concat([tag(9, 1), Buffer.from([0, 0, 0, 0, 0, 0, 0xf8, 0x7f])]);
    const crd = field(2, field(7, field(4, field(1, nan))));
    expect(() => readProtobuf(crd, 'apiextensions.k8s.io/v1', 'CustomResourceDefinition')).toThrow(
      ProtobufError,
    );
  });

  test('whatever the bytes are, the answer is an object or a ProtobufError', () => {
    const kinds = resources.map(({ group, version, kind }) => ({
      apiVersion: group === '' ? version : `${group}/${version}`,
      kind,
    }));
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 200 }),
        fc.constantFrom(...kinds),
        (bytes, { apiVersion, kind }) => {
          tryToRead(() => readProtobuf(Buffer.from(bytes), apiVersion, kind));
          tryToRead(() => openProtobuf(Buffer.concat([Buffer.from('k8s\0'), bytes])));
        },
      ),
    );
  });

  test('the same holds for real bodies that were truncated or changed', () => {
    const bytesOf = fc.constantFrom(...recorded.map((line) => Buffer.from(line.body, 'base64')));
    const change = fc.record({ at: fc.nat(), to: fc.integer({ min: 0, max: 255 }) });
    fc.assert(
      fc.property(bytesOf, fc.array(change, { maxLength: 5 }), fc.nat(), (original, changes, end) => {
        const bytes = Buffer.from(original.subarray(0, end % (original.length + 1)));
        for (const { at, to } of changes) bytes[at % original.length] = to;
        tryToRead(() => {
          const { raw, apiVersion, kind } = openProtobuf(bytes);
          return readProtobuf(raw, apiVersion, kind);
        });
      }),
      { numRuns: 500 },
    );
  });
});

describe('the envelope', () => {
  test('states the type of its object, or none', () => {
    expect(openProtobuf(body('apps/v1', 'Deployment', metadata('a')))).toStrictEqual({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      raw: metadata('a'),
    });
    expect(openProtobuf(body('a/b/c', '', field(9, 'x')))).toMatchObject({ apiVersion: '', kind: '' });
    expect(openProtobuf(Buffer.concat([Buffer.from('k8s\0'), field(9, 'x')]))).toStrictEqual({
      apiVersion: '',
      kind: '',
      raw: Buffer.alloc(0),
    });
  });

  test.each([
    ['', 'empty data'],
    ['k8s\0', 'empty body'],
    ['k8', 'provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]'],
    ['k8s\0\n\xff', 'unexpected EOF'],
  ])('%j is none', (bytes, message) => {
    expect(() => openProtobuf(Buffer.from(bytes, 'latin1'))).toThrow(new ProtobufError(message));
  });
});

function tryToRead(read: () => unknown): void {
  try {
    expect(read()).toBeTypeOf('object');
  } catch (error) {
    expect(error).toBeInstanceOf(ProtobufError);
  }
}

/** Go writes null for a missing struct, list or map, which means nothing in a body. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, item]) => item !== null)
      .map(([key, item]) => [key, withoutNulls(item)]),
  );
}
