import type { Status } from '../status/status-error.ts';
import { goQuote } from 'ots-apimachinery/go/go-quote';
/** What a Kubernetes client says about responses without a Status. */
const messages = new Map([
  [400, 'the server rejected our request for an unknown reason'],
  [401, 'the server has asked for the client to provide credentials'],
  [404, 'the server could not find the requested resource'],
  [405, 'the server does not allow this method on the requested resource'],
  [409, 'the server reported a conflict'],
  [422, 'the server rejected our request due to an error in our request'],
  [429, 'the server has received too many requests and has asked us to try again later'],
  [503, 'the server is currently unable to handle the request'],
  [
    504,
    'the server was unable to return a response in the time allotted, but may still be processing the request',
  ],
]);
/** Statuses whose body is the message. */
const described = new Set([403, 415]);
const maxTextBytes = 2048;

/** The message of kube-apiserver's client about a response that is not a success. */
export function responseMessage(code: number, contentType: string | undefined, body: Buffer): string {
  const known = messages.get(code);
  const sent = statusMessage(body);
  if (sent !== undefined) return sent;
  if (known !== undefined) return known;
  const isText = contentType === undefined || contentType.startsWith('text/');
  const text = isText ? body.subarray(0, maxTextBytes).toString('utf8').trim() : 'unknown';
  if (described.has(code)) return text;
  if (code === 406)
    return isText && text !== ''
      ? text
      : 'the server was unable to respond with a content type that the client supports';
  return code >= 500
    ? `an error on the server (${goQuote(text)}) has prevented the request from succeeding`
    : `the server responded with the status code ${code} but did not return more information`;
}

/** The message of a Status that says that the request failed. */
function statusMessage(body: Buffer): string | undefined {
  try {
    const {
      kind,
      apiVersion,
      status,
      message = '',
    } = (JSON.parse(body.toString('utf8')) ?? {}) as Partial<Status>;
    return kind === 'Status' && apiVersion === 'v1' && status === 'Failure' ? message : undefined;
  } catch {
    return undefined;
  }
}
