import type { CertificatePair } from 'ots-apimachinery/certificates/certificate-pair';
import type { Controllers, FeatureGate, OptionalPlugin } from 'ots-apiserver';
import { TestEnvironment, type WorkloadOptions } from 'ots-testing';
import { afterAll, beforeAll, describe } from 'vitest';
import { Session } from './session.ts';

const assets = process.env['KUBEBUILDER_ASSETS'];

/** Whether the binaries of a real kube-apiserver are available, so tests can compare both servers. */
export const hasRealServer = Boolean(assets);

/** A server that a block of tests uses. It runs from the first `beforeAll` of the block to the last `afterAll`. */
export interface Server {
  readonly name: 'embedded' | 'kube-apiserver';
  readonly environment: TestEnvironment;
  /** Sends requests to it. */
  readonly session: Session;
}

interface ServerOptions {
  /** Which controllers run beside the server. Default: none. */
  controllers?: Controllers;
  /** Plugins of admission that are off by default. Default: none. */
  enableAdmissionPlugins?: readonly OptionalPlugin[];
  /** Feature gates that are off by default. Default: none. */
  enableFeatureGates?: readonly FeatureGate[];
  /** Signs the certificates of clients. Default: created. */
  clientAuthority?: CertificatePair;
  /** Whether `environment.requests` records requests. Default false. */
  recordRequests?: boolean;
  /** Whether the controllers of workloads run, and beside which nodes. Default false. */
  workloads?: boolean | WorkloadOptions;
  /** Whether to skip the tests, for example because a program that they need is not installed. Default false. */
  skip?: boolean;
}

type DefineTests = (server: Server) => void;

/** The real server runs last. */
const bothServers = ['embedded', 'kube-apiserver'] as const;

/**
 * Each block of tests runs against the embedded server, and against the real one if its binaries are available. With
 * `CONFORMANCE_SERVER=kube-apiserver` it runs against the real one alone: `npm test` has asked the embedded one already.
 */
export const serverNames = bothServers.filter((name) =>
  hasRealServer ? (process.env['CONFORMANCE_SERVER'] ?? name) === name : name === 'embedded',
);

/**
 * Defines tests that run against each server. Each server starts once for the whole block.
 *
 * ```ts
 * onEachServer('events', (server) => {
 *   test('an event is stored', async () => {
 *     const { code } = await server.session.post(events, event);
 *     expect(code).toBe(201);
 *   });
 * });
 * ```
 *
 * @param title what the tests are about; the name of the server follows it in reports
 */
export function onEachServer(
  title: string,
  ...rest: [define: DefineTests] | [options: ServerOptions, define: DefineTests]
): void {
  const [options, define] = rest.length === 1 ? [{}, rest[0]] : rest;
  const { skip = false } = options;
  describe.skipIf(skip).each(serverNames)(`${title} on %s`, (name) => {
    define(runServer(name, options));
  });
}

/**
 * Defines tests that send the same requests to both servers and compare the answers. Without a real server, the report shows them
 * as skipped.
 *
 * @param define receives the embedded server and the real one
 */
export function onBothServers(title: string, define: (servers: readonly Server[]) => void): void {
  describe.skipIf(!hasRealServer)(`${title}, compared`, () => {
    define(bothServers.map((name) => runServer(name, {})));
  });
}

/** Starts a server before the tests of the current block, and stops it after them. */
function runServer(
  name: Server['name'],
  {
    controllers = false,
    enableAdmissionPlugins = [],
    enableFeatureGates = [],
    clientAuthority,
    recordRequests = false,
    workloads = false,
  }: ServerOptions,
): Server {
  let environment: TestEnvironment | undefined;
  let session: Session | undefined;
  beforeAll(async () => {
    const env = name === 'embedded' ? {} : { KUBEBUILDER_ASSETS: assets };
    environment = await TestEnvironment.start({
      env,
      controllers,
      enableAdmissionPlugins,
      enableFeatureGates,
      recordRequests,
      workloads,
      // Only the embedded server has controllers of workloads whose time a test can hold.
      clock: workloads && name === 'embedded' ? 'virtual' : 'system',
      ...(clientAuthority && { clientAuthority }),
    });
    session = new Session(environment.config);
  });
  afterAll(async () => {
    session?.close();
    await environment?.stop();
  });
  return {
    name,
    get environment() {
      return started(environment);
    },
    get session() {
      return started(session);
    },
  };
}

function started<Part>(part: Part | undefined): Part {
  if (part === undefined) throw new Error('The server has not started: use it in a test or in a beforeAll');
  return part;
}
