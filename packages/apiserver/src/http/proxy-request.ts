import { type IncomingMessage, request as sendRequest } from 'node:http';
import path from 'node:path';
import { type Duplex, pipeline } from 'node:stream';
import { type ProxyTarget, proxyTarget } from '../built-in/pods/subresources/proxy-target.ts';
import { unreachable } from '../built-in/pods/subresources/kubelet-address.ts';
import { StatusError } from '../status/status-error.ts';
import type { ApiRequest } from './api-request.ts';
import { admitConnection, proxyPaths } from './connect-options.ts';
import type { ObjectContext } from './object-context.ts';
import { forwardedHeaders, returnedHeaders } from './proxy-headers.ts';
import type { StreamingReply } from './reply.ts';

/**
 * Forwards a request to a port of a pod, or of a pod behind a Service
 * (https://kubernetes.io/docs/tasks/access-application-cluster/access-cluster-services/).
 *
 * @throws {StatusError} 503 when the target does not answer
 */
export async function proxyRequest(context: ObjectContext): Promise<StreamingReply> {
  const { machinery, request, target } = context;
  await admitConnection(context, `${target.resource.kind}ProxyOptions`);
  const found = proxyTarget(machinery, target);
  const { proxy, behind } = proxyPaths(request, target);
  if (behind === '' && ['GET', 'HEAD'].includes(request.method)) return redirect(request);
  if (!found) throw failed(unreachable);
  const gone = new AbortController();
  const connection = await connect(context, found, gone.signal);
  try {
    const response = await exchange(connection, request, { proxy, to: path.posix.normalize(`/${behind}`) });
    const reply = replyWith(response, returnedHeaders(response.headers, proxy), gone);
    return Object.assign(reply, { code: response.statusCode ?? 0 });
  } catch (error) {
    connection.destroy();
    const { code, message } = error as NodeJS.ErrnoException;
    throw failed(code === 'ECONNRESET' ? 'EOF' : message);
  }
}

/** Relative links of the target need the slash. */
function redirect({ fullPath, queryText }: ApiRequest): StreamingReply {
  const reply: StreamingReply = (response) => {
    response.writeHead(301, {
      Location: `${encodeURI(`${fullPath}/`)}${queryText}`,
      'Cache-Control': 'no-cache, private',
      'Content-Length': 0,
    });
    response.end();
  };
  return Object.assign(reply, { code: 301 });
}

async function connect(
  { machinery }: ObjectContext,
  { pod, host, port }: ProxyTarget,
  gone: AbortSignal,
): Promise<Duplex> {
  if (!/^\d+$/.test(port) || Number(port) > 0xffff) throw failed(`dial tcp: address ${port}: invalid port`);
  try {
    const open = machinery.podStreams?.portForward?.(pod);
    if (open) return await open(Number(port), gone);
  } catch (error) {
    throw failed(
      `dial tcp ${host}:${port}: connect: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  throw failed(unreachable);
}

/** Sends the request over the connection. @returns the response when its head has arrived */
async function exchange(
  connection: Duplex,
  request: ApiRequest,
  { proxy, to }: { proxy: string; to: string },
): Promise<IncomingMessage> {
  const { method, incoming, queryText } = request;
  const body = await request.body();
  return new Promise((resolve, reject) => {
    const outgoing = sendRequest({
      method,
      path: `${encodeURI(to).replaceAll('?', '%3F').replaceAll('#', '%23')}${queryText}`,
      headers: forwardedHeaders(incoming, path.posix.join(proxy, to)),
      createConnection: () => connection,
    });
    outgoing.on('error', reject).on('response', resolve);
    outgoing.end(body);
  });
}

function replyWith(
  answer: IncomingMessage,
  headers: ReturnType<typeof returnedHeaders>,
  gone: AbortController,
): StreamingReply {
  return (response) => {
    response.writeHead(answer.statusCode ?? 0, headers);
    response.flushHeaders();
    const end = () => {
      gone.abort();
      answer.socket.destroy();
    };
    response.once('close', end);
    // A response that breaks ends early.
    pipeline(answer, response, end);
  };
}

function failed(reason: string): StatusError {
  return new StatusError(503, 'ServiceUnavailable', `error trying to reach service: ${reason}`);
}
