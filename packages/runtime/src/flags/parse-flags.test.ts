import { describe, expect, expectTypeOf, test } from 'vitest';
import type { FlagTable } from './flag-definition.ts';
import { type ParseFlagsOptions, type ParsedFlags, parseFlags } from './parse-flags.ts';

const id = 'my-operator.example.com';
const parse = (...argv: string[]): ParsedFlags<FlagTable> =>
  parseFlags({ leaderElectionId: id, argv, env: {} });
const withEnv = (env: ParseFlagsOptions<never>['env']): ParsedFlags<FlagTable> =>
  parseFlags({ leaderElectionId: id, argv: [], env });

test('without flags: probes on 8081, all else off, all namespaces', () => {
  expect(parse()).toEqual({
    help: undefined,
    kubeconfig: undefined,
    logger: { level: 'info' },
    manager: {
      health: { port: 8081 },
      metrics: false,
      profiling: false,
      webhooks: false,
      leaderElection: false,
      cache: { namespaces: undefined },
    },
    values: {},
  });
});

test('the arguments of a manifest that kubebuilder scaffolded are understood', () => {
  const { manager, kubeconfig } = parse(
    '--leader-elect',
    '--health-probe-bind-address=:8081',
    '--metrics-bind-address=:8443',
    '--metrics-cert-path=/tmp/metrics',
    '--webhook-cert-path=/tmp/webhook',
    '--webhook-cert-key',
    'server.key',
    '--enable-http2=false',
    '--kubeconfig',
    '/tmp/config',
  );
  expect(kubeconfig).toBe('/tmp/config');
  expect(manager).toMatchObject({
    leaderElection: { id, namespace: undefined },
    health: { port: 8081 },
    metrics: { port: 8443, secure: true, certDir: '/tmp/metrics', certName: 'tls.crt', keyName: 'tls.key' },
    webhooks: { port: 9443, certDir: '/tmp/webhook', certName: 'tls.crt', keyName: 'server.key' },
  });
});

test('reconciles are recorded if that is asked for', () => {
  const metrics = { port: 8443, secure: true, debugReconciles: true };
  const { manager } = parse('--metrics-bind-address=:8443', '--debug-reconciles');
  expect(manager).toMatchObject({ metrics });
});

test('the operator can issue its own webhook certificates', () => {
  const argv = [
    '--webhook-cert-secret',
    'certs',
    '--webhook-service-name=webhooks',
    '--webhook-validating-configuration',
    'validating',
    '--webhook-port=8443',
  ];
  const rotator = {
    secretName: 'certs',
    serviceName: 'webhooks',
    namespace: 'system',
    mutatingWebhookConfigurations: [],
    validatingWebhookConfigurations: ['validating'],
  };
  const { manager } = parseFlags({ leaderElectionId: id, argv, env: { POD_NAMESPACE: 'system' } });
  expect(manager.webhooks).toEqual({ port: 8443, rotator });
  expect(parse(...argv).manager.webhooks).toEqual({
    port: 8443,
    rotator: { ...rotator, namespace: undefined },
  });
});

describe('notations', () => {
  test.each([
    [['--leader-elect'], true],
    [['-leader-elect'], true],
    [['--leader-elect=false'], false],
    [['--leader-elect', '--leader-elect=F'], false],
    [['--leader-elect=0', '--leader-elect=TRUE'], true],
  ])('%j', (argv, elects) => {
    expect(parse(...argv).manager.leaderElection !== false).toBe(elects);
  });

  test.each([
    ['0', false],
    ['', false],
    [':8080', { port: 8080 }],
    ['127.0.0.1:0', { port: 0, host: '127.0.0.1' }],
    ['localhost:1', { port: 1, host: 'localhost' }],
    ['[::1]:8080', { port: 8080, host: '::1' }],
  ])('the address %j', (address, expected) => {
    expect(parse(`--health-probe-bind-address=${address}`).manager.health).toEqual(expected);
  });

  test.each([
    [['-v', '2'], { level: 'trace' }],
    [['--v=1'], { level: 'debug' }],
    [['--zap-log-level=error', '-v=1'], { level: 'error' }],
    [['--zap-log-level', '5'], { level: 'trace' }],
    [['--zap-devel'], { level: 'debug', format: 'pretty' }],
    [['--zap-devel', '--zap-encoder=json', '--zap-log-level=info'], { level: 'info', format: 'json' }],
    [['--zap-encoder=Console'], { level: 'info', format: 'pretty' }],
    [['--zap-time-encoding=rfc3339', '--zap-stacktrace-level=panic'], { level: 'info' }],
  ])('of logs: %j', (argv, expected) => {
    expect(parse(...argv).logger).toEqual(expected);
  });
});

test.each([
  [
    ['--leader-elekt'],
    '--leader-elekt is not a flag',
    'Flags that start with leader: --leader-elect, --leader-election-namespace.',
  ],
  [['--xyz=1'], '--xyz is not a flag', '--help lists the flags.'],
  [['--toString'], '--toString is not a flag', '--help lists the flags.'],
  [['--leader-elect', 'false'], '"false" is not a flag', 'Write --flag=false'],
  [['--leader-elect=maybe'], '--leader-elect is "maybe"', 'Use true or false.'],
  [['serve'], '"serve" is not a flag', 'Write flags as --flag=value'],
  [['--kubeconfig'], '--kubeconfig has no value', 'Use --kubeconfig=<file>.'],
  [['--kubeconfig', '--leader-elect'], '--kubeconfig has no value', 'Use --kubeconfig=<file>.'],
  [['--metrics-bind-address=8080'], '--metrics-bind-address is "8080"', 'Use :port'],
  [['--metrics-bind-address=:80800'], '--metrics-bind-address has the port "80800"', 'from 0 to 65535'],
  [['--metrics-bind-address=::1:80'], '--metrics-bind-address is "::1:80"', '[IPv6 address]'],
  [
    ['--debug-reconciles'],
    '--debug-reconciles needs the metrics server, which is off',
    'Pass --metrics-bind-address too',
  ],
  [['--webhook-cert-path=a', '--webhook-port=x'], '--webhook-port has the port "x"', 'from 0 to 65535'],
  [
    ['--webhook-cert-path=a', '--webhook-cert-secret=b'],
    '--webhook-cert-path and --webhook-cert-secret cannot be combined',
    'Use the first',
  ],
  [
    ['--webhook-cert-secret=b'],
    '--webhook-cert-secret needs --webhook-service-name',
    'Set it to the Service',
  ],
  [['--zap-time-encoding=epoch'], '--zap-time-encoding is "epoch"', 'Omit it'],
  [['--zap-encoder=xml'], '--zap-encoder is "xml"', 'Use json or console.'],
  [['--zap-log-level=loud'], '--zap-log-level is "loud"', 'Use one of'],
  [['-v=-1'], '-v is "-1"', 'Use one of'],
])('%j is an error that says what to do', (argv, message, hint) => {
  // The code makes exitWithError end with 2, as Go's flag package does.
  expect(() => parse(...argv)).toThrow(
    expect.objectContaining({ code: 'FLAG', message, hint: expect.stringContaining(hint) }),
  );
});

test('the environment names the namespaces', () => {
  expect(withEnv({ WATCH_NAMESPACE: '' }).manager.cache).toEqual({ namespaces: undefined });
  expect(withEnv({ WATCH_NAMESPACE: 'a, b,' }).manager.cache).toEqual({ namespaces: ['a', 'b'] });
  expect(() => withEnv({ WATCH_NAMESPACE: 'a,B_' })).toThrow(
    expect.objectContaining({ code: 'FLAG', message: 'WATCH_NAMESPACE is "a,B_"' }),
  );
  const labelSelector = 'team in (a,b)';
  expect(withEnv({ WATCH_NAMESPACE_SELECTOR: ` ${labelSelector} ` }).manager.cache).toEqual({
    namespaces: { labelSelector },
  });
  expect(() => withEnv({ WATCH_NAMESPACE_SELECTOR: 'team in' })).toThrow(
    expect.objectContaining({ code: 'FLAG', message: 'WATCH_NAMESPACE_SELECTOR is "team in"' }),
  );
  expect(() => withEnv({ WATCH_NAMESPACE_SELECTOR: 'a', WATCH_NAMESPACE: 'a' })).toThrow(
    expect.objectContaining({
      code: 'FLAG',
      message: 'WATCH_NAMESPACE and WATCH_NAMESPACE_SELECTOR cannot be combined',
    }),
  );
  const elected = parseFlags({
    leaderElectionId: id,
    argv: ['--leader-elect'],
    env: { POD_NAMESPACE: 'system' },
  });
  expect(elected.manager.leaderElection).toEqual({ id, namespace: 'system' });
});

describe('custom flags', () => {
  const flags = {
    region: { type: 'string', default: 'eu', env: 'REGION', help: 'Where.', placeholder: 'name' },
    bucket: { type: 'string', help: 'Which bucket.' },
    'dry-run': { type: 'boolean', env: 'DRY_RUN', help: 'Change nothing.' },
  } as const;

  test('are typed, fall back to the environment and then to defaults, and are in the help', () => {
    const env = { REGION: 'us', DRY_RUN: 'true' };
    const { values } = parseFlags({ leaderElectionId: id, flags, argv: ['--bucket=b'], env });
    expect(values).toEqual({ region: 'us', bucket: 'b', 'dry-run': true });
    expectTypeOf(values.region).toEqualTypeOf<string>();
    expectTypeOf(values.bucket).toEqualTypeOf<string | undefined>();
    expectTypeOf(values['dry-run']).toEqualTypeOf<boolean>();
    const { help } = parseFlags({ leaderElectionId: id, flags, argv: ['--help'], env: {} });
    expect(help).toContain('  --region <name>\n      Where. (default eu, environment REGION)\n');
    expect(help).toContain('  --dry-run\n      Change nothing. (environment DRY_RUN)\n');
    expect(help).toContain('  --health-probe-bind-address <address>\n');
  });

  test('are checked in the environment as on the command line', () => {
    expect(() => parseFlags({ leaderElectionId: id, flags, argv: [], env: { DRY_RUN: 'maybe' } })).toThrow(
      expect.objectContaining({ code: 'FLAG', message: 'DRY_RUN is "maybe"' }),
    );
  });

  test('cannot have the name of a standard flag', () => {
    const taken = { v: { type: 'string', help: 'Mine.' } } as const;
    expect(() => parseFlags({ leaderElectionId: id, flags: taken, argv: [], env: {} })).toThrow(
      '--v is already a flag',
    );
  });
});
