import { randomUUID } from 'node:crypto';
import { type FileHandle, open, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Connection, type RecordedRequest, send } from 'ots-apiserver';
import { TestEnvironmentError } from '../errors/test-environment-error.ts';
import type { RequestLog } from './request-log.ts';

/** How long the server may take to write a request to its log, and the time between two looks. */
const maxWaitMs = 10_000;
const pollMs = 5;

const policy = {
  apiVersion: 'audit.k8s.io/v1',
  kind: 'Policy',
  omitStages: ['RequestReceived'],
  rules: [{ level: 'Metadata' }],
};

/** The part of an audit event of kube-apiserver that is read. */
interface AuditEvent {
  auditID: string;
  stage: string;
  verb: string;
  requestURI: string;
  user: { username?: string };
  impersonatedUser?: { username?: string };
  objectRef?: Partial<Record<'resource' | 'subresource' | 'namespace' | 'name' | 'apiGroup', string>>;
  responseStatus?: { code?: number };
  annotations?: Record<string, string>;
  requestReceivedTimestamp: string;
  stageTimestamp: string;
}

/** Reads the requests of a kube-apiserver from its audit log. */
export class AuditLog {
  readonly #file: string;
  readonly #policyFile: string;
  #position = 0;
  /** The end of what was read, which is not a whole line yet. */
  #rest = Buffer.alloc(0);
  /** Requests that have begun to respond, such as watches: their end is not another request. */
  readonly #open = new Set<string>();
  /** Reads do not overlap: each continues where the last one ended. */
  #reading: Promise<void> = Promise.resolve();

  /** @param directory for the log and its policy */
  constructor(directory: string) {
    this.#file = path.join(directory, 'audit.log');
    this.#policyFile = path.join(directory, 'audit-policy.json');
  }

  /** The flags of a server that writes the log. */
  async flags(): Promise<string[]> {
    await Promise.all([writeFile(this.#policyFile, JSON.stringify(policy)), writeFile(this.#file, '')]);
    return [`--audit-policy-file=${this.#policyFile}`, `--audit-log-path=${this.#file}`];
  }

  /**
   * Adds all requests that the server has received until now to a log. The server writes an event after it has responded, so
   * this sends a request of its own and waits for its event.
   *
   * @throws {TestEnvironmentError} after 10 s
   */
  addTo(log: RequestLog, administrator: Connection): Promise<void> {
    const reading = this.#reading.then(() => this.#addTo(log, administrator));
    this.#reading = reading.catch(() => undefined);
    return reading;
  }

  async #addTo(log: RequestLog, administrator: Connection): Promise<void> {
    const marker = `/version?marker=${randomUUID()}`;
    await send(administrator, 'GET', marker);
    const deadline = Date.now() + maxWaitMs;
    const file = await open(this.#file);
    try {
      for (let isComplete = false; !isComplete;) {
        for (const event of await this.#readEvents(file)) {
          if (event.requestURI === marker) isComplete = true;
          else if (this.#isFirst(event)) log.add(requestOf(event));
        }
        if (isComplete) return;
        if (Date.now() > deadline)
          throw new TestEnvironmentError('The server does not write its audit log', 'Look at its output.');
        await delay(pollMs);
      }
    } finally {
      await file.close();
    }
  }

  async #readEvents(file: FileHandle): Promise<AuditEvent[]> {
    const { size } = await file.stat();
    const added = Buffer.alloc(size - this.#position);
    await file.read(added, 0, added.length, this.#position);
    this.#position = size;
    const text = Buffer.concat([this.#rest, added]);
    const end = text.lastIndexOf('\n') + 1;
    this.#rest = text.subarray(end);
    const lines = text.subarray(0, end).toString('utf8').split('\n');
    return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as AuditEvent);
  }

  #isFirst({ auditID, stage }: AuditEvent): boolean {
    if (stage === 'ResponseStarted') {
      this.#open.add(auditID);
      return true;
    }
    return !this.#open.delete(auditID);
  }
}

function requestOf(event: AuditEvent): RecordedRequest {
  const { verb, requestURI, objectRef, user, impersonatedUser, responseStatus } = event;
  const url = new URL(requestURI, 'http://server');
  const { resource = '', subresource = '', namespace = '', name = '', apiGroup = '' } = objectRef ?? {};
  return {
    verb,
    group: apiGroup,
    resource,
    subresource,
    namespace,
    // That of the body, which RBAC does not know.
    name: verb === 'create' && subresource === '' ? '' : name,
    path: objectRef ? '' : decodeURIComponent(url.pathname),
    user: (impersonatedUser ?? user).username ?? '',
    code: responseStatus?.code ?? 0,
    milliseconds: Date.parse(event.stageTimestamp) - Date.parse(event.requestReceivedTimestamp),
    dryRun: url.searchParams.getAll('dryRun').includes('All'),
    annotations: withoutLatency(event.annotations ?? {}),
  };
}

/** Slow requests have annotations about where the time went. */
function withoutLatency(annotations: Record<string, string>): Record<string, string> {
  const entries = Object.entries(annotations);
  return Object.fromEntries(entries.filter(([key]) => !key.startsWith('apiserver.latency.k8s.io/')));
}
