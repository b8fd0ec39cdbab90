import { goQuote } from 'ots-apimachinery/go/go-quote';

/** What a probe asks: a command, an HTTP request, or a connection to an address. */
export type Question =
  | { readonly exec: readonly string[] }
  | { readonly http: URL; readonly headers: readonly [name: string, value: string][] }
  | { readonly tcp: string }
  | { readonly grpc: string };

/** Is made where an application looks at it: that takes longer than the rest of a probe. */
export function requestOf({ http, headers }: Extract<Question, { http: URL }>): Request {
  return new Request(http, { headers: headers.map(([name, value]) => [name, bytesOf(value)]) });
}

/** A kubelet sends UTF-8, and Request takes a character for each byte. */
function bytesOf(text: string): string {
  return Buffer.from(text).toString('latin1');
}

/** What a kubelet says of a request with a header that HTTP does not allow: the API server checks only its name. */
export function unsendableHeader(question: Question): string | undefined {
  if (!('http' in question)) return undefined;
  // oxlint-disable-next-line no-control-regex -- the characters that are not allowed
  const wrong = question.headers.find(([, value]) => /[\0-\x08\x0a-\x1f\x7f]/.test(value));
  return (
    wrong &&
    `Get ${goQuote(question.http.href)}: net/http: invalid header field value for ${goQuote(wrong[0])}`
  );
}

/** Of an application that does not listen yet. */
export function refusalOf(question: Question): string {
  if ('exec' in question) return '';
  if ('tcp' in question) return `dial tcp ${question.tcp}: connect: connection refused`;
  if ('grpc' in question)
    return `error: failed to connect service at ${goQuote(question.grpc)}: connection refused`;
  const { host, href } = question.http;
  return `Get ${goQuote(href)}: dial tcp ${host}: connect: connection refused`;
}

/** Of an application that says that it is not fine. */
export function failureOf(question: Question): string {
  if ('http' in question) return 'HTTP probe failed with statuscode: 503';
  if ('grpc' in question) return 'service unhealthy (responded with "NOT_SERVING")';
  return refusalOf(question);
}
