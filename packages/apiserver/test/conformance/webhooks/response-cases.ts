import type { ServerResponse } from 'node:http';
import { type WebhookCall, patchedBy } from '../../support/webhook-server.ts';

/** How a webhook answers: what to merge into the response of the review, or an answer of its own. */
export type Answering = Record<string, unknown> | ((call: WebhookCall) => unknown);

/** Answers without a review. */
function raw(code: number, body: string | Buffer = '', headers: Record<string, string> = {}): Answering {
  return ({ response }: WebhookCall) => {
    response.writeHead(code, headers);
    response.end(body);
  };
}

/** Answers with a JSON body that is made of the review. */
function json(make: (uid: string) => unknown): Answering {
  return ({ review, response }: WebhookCall) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(make(review.request.uid)));
  };
}

const type = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview' };
const reviewed = (response: object) =>
  json((uid) => ({ ...type, response: { uid, allowed: true, ...response } }));
const denied = (status?: unknown): Answering => ({ allowed: false, ...(status !== undefined && { status }) });
const status = (code: number, rest: object = {}) =>
  raw(code, JSON.stringify({ kind: 'Status', apiVersion: 'v1', status: 'Failure', code, ...rest }), {
    'content-type': 'application/json',
  });
const text = { 'content-type': 'text/plain' };
const redirected = (code: number, location: string): Answering => raw(code, '', { location });
const forever = (response: ServerResponse) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.write('{');
};

/** Decisions that any webhook can make. */
export const decisions: Record<string, Answering> = {
  allowed: {},
  'allowed with a status': { status: { code: 418, message: 'no', reason: 'Teapot' } },
  'allowed with annotations': { auditAnnotations: { a: 'b', 'not a key!': 'c' } },
  denied: denied(),
  'denied with an empty status': denied({}),
  'denied with null': denied(null),
  'denied with a message': denied({ message: 'because' }),
  'denied with a reason': denied({ reason: 'NotAcceptable' }),
  'denied with a code': denied({ code: 403 }),
  'denied with all': denied({
    status: 'Failure',
    code: 422,
    reason: 'Invalid',
    message: 'many\nlines "quoted"',
    details: {
      name: 'n',
      group: 'g',
      kind: 'k',
      uid: 'u',
      retryAfterSeconds: 3,
      causes: [{ reason: 'r', message: 'm', field: 'f' }],
    },
    metadata: { resourceVersion: '5', continue: 'c', remainingItemCount: 4 },
  }),
  'denied with success': denied({ status: 'Success', code: 200, message: 'fine' }),
  'denied with another status': denied({ status: 'Odd', code: 409 }),
  'denied with code 99': denied({ code: 99 }),
  'denied with code 600': denied({ code: 600, message: 'six' }),
  'denied with code 302': denied({ code: 302, message: 'elsewhere' }),
  'denied with code 429': denied({ code: 429, reason: 'TooManyRequests', details: { retryAfterSeconds: 2 } }),
  'denied with code 401': denied({ code: 401, message: 'who' }),
  'denied with code 204': denied({ code: 204 }),
  'denied with code 500': denied({ code: 500, reason: 'InternalError', message: 'broken' }),
  'denied with unknown fields': denied({ message: 'm', unknown: 1, details: { unknown: 2 } }),
  warnings: { warnings: ['one', 'two "quoted" \\ ö', ''] },
  'equal warnings': { warnings: ['one', 'one'] },
  'a long warning': { warnings: ['x'.repeat(300)] },
  'many long warnings': { warnings: Array.from({ length: 30 }, (_, index) => `${index} ${'y'.repeat(250)}`) },
  'warnings with control characters': { warnings: ['a\u0000b', 'c\nd', 'e\u007ff', 'g\u0085h', 'i\tj'] },
  'a denial with warnings': { allowed: false, warnings: ['first'], status: { message: 'then' } },
};

/** Responses that no webhook may send. */
export const invalidResponses: Record<string, Answering> = {
  'another uid': { uid: 'another' },
  'no uid': json(() => ({ ...type, response: { allowed: true } })),
  'no response': json(() => type),
  'a response of null': json(() => ({ ...type, response: null })),
  'an empty object': json(() => ({})),
  'another kind': json((uid) => ({ ...type, kind: 'Review', response: { uid, allowed: true } })),
  'another version': json((uid) => ({
    ...type,
    apiVersion: 'admission.k8s.io/v1beta1',
    response: { uid, allowed: true },
  })),
  'an unknown version': json((uid) => ({
    ...type,
    apiVersion: 'admission.k8s.io/v7',
    response: { uid, allowed: true },
  })),
  'another group': json((uid) => ({ ...type, apiVersion: 'v1', response: { uid, allowed: true } })),
  'no kind': json((uid) => ({ apiVersion: type.apiVersion, response: { uid, allowed: true } })),
  'no apiVersion': json((uid) => ({ kind: type.kind, response: { uid, allowed: true } })),
  'neither kind nor apiVersion': json((uid) => ({ response: { uid, allowed: true } })),
  'a malformed apiVersion': json((uid) => ({
    ...type,
    apiVersion: 'a/b/c',
    response: { uid, allowed: true },
  })),
  'a kind that is a number': json((uid) => ({ ...type, kind: 5, response: { uid } })),
  'allowed as a text': reviewed({ allowed: 'true' }),
  'a response that is a list': json(() => ({ ...type, response: [] })),
  'a uid that is a number': reviewed({ uid: 5 }),
  'a code that is a text': reviewed({ allowed: false, status: { code: 'a' } }),
  'a status that is a text': reviewed({ allowed: false, status: 'no' }),
  'warnings that are a text': reviewed({ warnings: 'a' }),
  'warnings that are numbers': reviewed({ warnings: [1] }),
  'annotations that are numbers': reviewed({ auditAnnotations: { a: 1 } }),
  'a code with a fraction': reviewed({ allowed: false, status: { code: 400.5 } }),
  'allowed as null': reviewed({ allowed: null }),
  'keys in another case': json((uid) => ({ ...type, Response: { uid, allowed: true } })),
  'a key twice': ({ review, response }: WebhookCall) => {
    response.setHeader('content-type', 'application/json');
    const { uid } = review.request;
    response.end(
      JSON.stringify({ ...type, response: { uid, allowed: true } }).replace(
        '"allowed":true',
        '"allowed":false,"allowed":true',
      ),
    );
  },
  'a patch': reviewed(patchedBy([{ op: 'add', path: '/data', value: { a: 'b' } }])),
  'a patch without a type': reviewed({ patch: 'W10=' }),
  'a type without a patch': reviewed({ patchType: 'JSONPatch' }),
  'an empty type': reviewed({ patchType: '', patch: 'W10=' }),
  'an unknown type': reviewed({ patchType: 'MergePatch', patch: 'W10=' }),
  'a type that is a number': reviewed({ patchType: 1, patch: 'W10=' }),
  'an empty type without a patch': reviewed({ patchType: '' }),
  'a patch that is not base64': reviewed({ patchType: 'JSONPatch', patch: '!!' }),
  'a patch in base64 without padding': reviewed({ patchType: 'JSONPatch', patch: 'W10' }),
  'a patch in base64 for URLs': reviewed({ patchType: 'JSONPatch', patch: '_-__' }),
  'a patch that is a list': reviewed({ patchType: 'JSONPatch', patch: [1] }),
  'a type of null': reviewed({ patchType: null, patch: null }),
};

/** HTTP responses that contain no review. */
export const httpResponses: Record<string, Answering> = {
  ...Object.fromEntries(
    [400, 401, 403, 404, 405, 406, 408, 409, 410, 413, 415, 418, 422, 429, 500, 501, 502, 503, 504].map(
      (code) => [`${code} with a text`, raw(code, 'some text\n', text)],
    ),
  ),
  ...Object.fromEntries([400, 403, 404, 500, 503].map((code) => [`${code} without a body`, raw(code)])),
  '500 with HTML': raw(500, '<html>no</html>', { 'content-type': 'text/html' }),
  '403 with HTML': raw(403, '<html>no</html>', { 'content-type': 'text/html' }),
  '500 with JSON': raw(500, '{"error":"no"}', { 'content-type': 'application/json' }),
  '500 with a long text': raw(500, 'z'.repeat(5000), text),
  '403 with a long text': raw(403, 'z'.repeat(5000), text),
  '500 with a text of lines': raw(500, 'a\n"b"\tc\u0007 ö\n\n', text),
  '500 without a type': raw(500, 'plain'),
  '500 with a Status': status(500, { message: 'from the status', reason: 'InternalError' }),
  '404 with a Status': status(404, { message: 'from the status', reason: 'NotFound' }),
  '503 with a Status': status(503, { reason: 'ServiceUnavailable' }),
  '400 with a successful Status': status(400, { status: 'Success', message: 'fine' }),
  '200 with a Status': status(200, { message: 'from the status', reason: 'Teapot' }),
  '200 with a successful Status': status(200, { status: 'Success', message: 'fine' }),
  '418 with a Status of another version': raw(
    418,
    JSON.stringify({ kind: 'Status', apiVersion: 'v7', message: 'other' }),
    { 'content-type': 'application/json' },
  ),
  '422 with a Status as text': raw(
    422,
    JSON.stringify({ kind: 'Status', apiVersion: 'v1', status: 'Failure', message: 'sent' }),
    text,
  ),
  '200 without a body': raw(200),
  '200 without a body but a type': raw(200, '', { 'content-type': 'application/json' }),
  '200 with a text': raw(200, 'fine', text),
  '200 with HTML': raw(200, '<html></html>', { 'content-type': 'text/html; charset=utf-8' }),
  '200 with half of a review': raw(200, '{"apiVersion":"admission.k8s.io/v1",', {
    'content-type': 'application/json',
  }),
  '200 with a list': raw(200, '[]', { 'content-type': 'application/json' }),
  '200 with a number': raw(200, '5', { 'content-type': 'application/json' }),
  '200 with null': raw(200, 'null', { 'content-type': 'application/json' }),
  '200 with an unknown type': raw(200, '{}', { 'content-type': 'image/png' }),
  '200 with a malformed type': raw(200, '{}', { 'content-type': '/;;' }),
  '200 with invalid UTF-8': raw(200, Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), {
    'content-type': 'application/json',
  }),
  '200 with 10 MB of spaces': raw(200, ' '.repeat(10_000_000), { 'content-type': 'application/json' }),
  '201 with a review': ({ response }: WebhookCall) => {
    response.statusCode = 201;
    return {};
  },
  '204': raw(204),
  '206 with a review': ({ response }: WebhookCall) => {
    response.statusCode = 206;
    return {};
  },
  '299 with a review': ({ response }: WebhookCall) => {
    response.statusCode = 299;
    return {};
  },
  '400 with a review': ({ response }: WebhookCall) => {
    response.statusCode = 400;
    return {};
  },
  'a review of 10 MB': { auditAnnotations: { a: 'x'.repeat(10_000_000) } },
  'a redirect without a place': raw(302),
  '301': redirected(301, '/allowed'),
  '302': redirected(302, '/allowed'),
  '303': redirected(303, '/allowed'),
  '304': raw(304),
  '307': redirected(307, '/allowed'),
  '308': redirected(308, '/allowed'),
  'a redirect with a body': raw(307, 'moved', { location: '/allowed', ...text }),
  'a loop of 302': loop(302),
  'a loop of 307': loop(307),
  'a redirect to another scheme': redirected(307, 'ftp://127.0.0.1/x'),
  'a redirect to another certificate': ({ response, query }: WebhookCall) => {
    response.writeHead(307, {
      location: `https://localhost:${response.socket?.localPort ?? 0}/allowed?${query}`,
    });
    response.end();
  },
  'a closed connection': ({ response }: WebhookCall) => {
    response.socket?.end();
  },
  'a reset connection': ({ response }: WebhookCall) => {
    response.socket?.destroy();
  },
  'a connection that closes within the body': ({ response }: WebhookCall) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
    response.write('{', () => response.socket?.end());
  },
  'a connection that closes within a chunk': ({ response }: WebhookCall) => {
    forever(response);
    response.socket?.end();
  },
  'not HTTP': ({ response }: WebhookCall) => {
    response.socket?.end('hello\r\n\r\n');
  },
  '429 with Retry-After and then a review': retried(429, '0'),
  '503 with Retry-After and then a review': retried(503, '0'),
  '500 with Retry-After and then a review': retried(500, '0'),
  '400 with Retry-After': raw(400, 'no', { ...text, 'retry-after': '0' }),
  '429 with a date': raw(429, 'no', { ...text, 'retry-after': 'Mon, 23 Nov 2026 00:00:00 GMT' }),
  '429 with Retry-After for ever': raw(429, 'no', { ...text, 'retry-after': '0' }),
};

/** Redirects to the same place. */
function loop(code: number): Answering {
  return ({ path, response }: WebhookCall) => {
    response.writeHead(code, { location: path });
    response.end();
  };
}

/** Refuses the first call of each object. */
function retried(code: number, after: string): Answering {
  const known = new Set<string>();
  return ({ review, response }: WebhookCall) => {
    const { uid } = review.request;
    if (known.has(uid)) return {};
    known.add(uid);
    response.writeHead(code, { ...text, 'retry-after': after });
    response.end('later');
    return undefined;
  };
}

/** Responses that take longer than the webhook has. */
export const slowResponses: Record<string, Answering> = {
  'no headers': () => undefined,
  'no end of the body': ({ response }: WebhookCall) => forever(response),
  'a long Retry-After': raw(503, 'no', { ...text, 'retry-after': '60' }),
};
