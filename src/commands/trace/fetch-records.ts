import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { text } from 'node:stream/consumers';
import type { ReconcileRecord } from 'ots-runtime/debugging';
import { OtsError } from '../../errors/ots-error.ts';
import { oneLine } from '../../output/one-line.ts';

const path = '/debug/reconciles';
/** In milliseconds. */
const timeout = 30_000;

/**
 * Reads the records of an operator.
 *
 * @param url of its metrics server. On a loopback address, such as that of a forwarded port, any certificate is accepted:
 *   operators issue their own.
 * @returns the newest first
 * @throws OtsError `TRACE_FAILED` with what to do
 */
export async function fetchRecords(url: URL, token: string | undefined): Promise<ReconcileRecord[]> {
  const { status, body } = await get(url, token).catch((error: unknown) => {
    throw unreachable(url, token, error);
  });
  if (status !== 200) throw refused(status, body);
  const records = recordsIn(body);
  if (records) return records;
  throw failed('the response has no records', 'Check that the port is that of the metrics server.');
}

function get(url: URL, token: string | undefined): Promise<{ status: number; body: string }> {
  const isLocal = /^(?:127\.|\[::1\]$|localhost$)/.test(url.hostname);
  const options = {
    path,
    agent: false as const,
    timeout,
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
  };
  return new Promise((resolve, reject) => {
    const respond = (response: Parameters<NonNullable<Parameters<typeof httpRequest>[2]>>[0]): void => {
      text(response).then((body) => resolve({ status: response.statusCode ?? 0, body }), reject);
    };
    const request =
      url.protocol === 'http:'
        ? httpRequest(url, options, respond)
        : httpsRequest(url, { ...options, rejectUnauthorized: !isLocal }, respond);
    request.on('timeout', () => request.destroy(new Error(`no response within ${timeout / 1000} s`)));
    request.on('error', reject).end();
  });
}

function recordsIn(body: string): ReconcileRecord[] | undefined {
  try {
    const { records } = JSON.parse(body) as { records?: unknown };
    return Array.isArray(records) ? (records as ReconcileRecord[]) : undefined;
  } catch {
    return undefined;
  }
}

function unreachable(url: URL, token: string | undefined, error: unknown): OtsError {
  const reason = error instanceof Error ? error.message : String(error);
  return failed(
    `no response from ${url.origin}: ${reason}`,
    token === undefined
      ? 'Pass --service-account or --token if the operator serves metrics securely, and --port if not at 8443.'
      : 'Check --port; a metrics server with --metrics-secure=false needs no token.',
  );
}

function refused(status: number, body: string): OtsError {
  const said = oneLine(body.slice(0, 300).trim());
  const hints: Record<number, string> = {
    401: 'Pass --service-account, or a --token that the cluster accepts.',
    403: `Grant the right: kubectl create clusterrole debug-reader --verb=get --non-resource-url=${path}`,
    404: 'Start the operator with --debug-reconciles.',
  };
  return failed(
    `the operator responds with ${status}: ${said}`,
    hints[status] ?? 'See the log of the operator.',
  );
}

function failed(problem: string, hint: string): OtsError {
  return new OtsError('TRACE_FAILED', `Cannot read the reconciles: ${problem}`, { hint });
}
