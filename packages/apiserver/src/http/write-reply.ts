import type { OutgoingHttpHeaders } from 'node:http';
import type { HttpRequest, HttpResponse } from './http-message.ts';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { jsonDepth } from '../json/depth.ts';
import { parseJson } from '../json/parse-json.ts';
import { stringifyJson } from '../json/stringify-json.ts';
import { endResponse } from './end-response.ts';
import { type Reply, warningHeaders } from './reply.ts';
import { writeParts } from './write-parts.ts';

/** How a client wants its answer. */
export interface ReplyPreferences {
  /** Whether to indent the JSON for people. */
  pretty: boolean;
  gzip: boolean;
}

/** Shorter answers are not compressed, as in kube-apiserver. */
const minGzipLength = 128 * 1024;

/** Deeper answers are written without indentation. A real server indents all of them. */
const maxIndentedDepth = 200;

/** Copying a longer text behind the head costs more than a second write. */
const maxJoinedLength = 16 * 1024;

const packing = { 'Content-Encoding': 'gzip', Vary: 'Accept-Encoding' };

const pack = promisify(gzip);

export async function writeReply(
  response: HttpResponse,
  reply: Reply,
  preferences: ReplyPreferences,
): Promise<void> {
  const { rest } = reply;
  if (rest && !isPlain(reply, preferences)) {
    // Other formats need the whole body. They are rare.
    const { rest: _, ...whole } = reply;
    for (let part = rest.next(); !part.done; part = rest.next()) whole.body += part.value;
    return writeReply(response, whole, preferences);
  }
  if (rest) {
    response.writeHead(reply.code, { ...headOf(reply), ...(preferences.gzip && packing) });
    return writeParts(response, reply.body, rest, preferences.gzip);
  }
  const { code, headers, body } = await encodeReply(reply, preferences);
  if (response.destroyed) return;
  response.writeHead(code, headers);
  endResponse(response, body);
}

/** A reply as it is sent. */
interface EncodedReply {
  code: number;
  headers: OutgoingHttpHeaders;
  body: string | Buffer;
}

/** @param reply one without further parts */
export async function encodeReply(reply: Reply, preferences: ReplyPreferences): Promise<EncodedReply> {
  const { contentType, text } = isPlain(reply, preferences)
    ? { contentType: reply.contentType, text: reply.body }
    : await encode(reply);
  // A short text goes out in one write with the head and so shares its encoding; warnings are already UTF-8.
  const isJoined = text.length < maxJoinedLength && !reply.warnings?.length;
  const sent = isJoined ? text : Buffer.from(text);
  const isPacked = preferences.gzip && sent.length >= minGzipLength;
  const packed = isPacked ? await pack(sent, { level: 1 }) : undefined;
  const body = packed ?? sent;
  const head = headOf({ ...reply, contentType });
  const headers = { ...head, ...(packed && packing), 'Content-Length': Buffer.byteLength(body) };
  return { code: reply.code, headers, body };
}

function headOf({ contentType, warnings = [], headers }: Reply): OutgoingHttpHeaders {
  return {
    'Content-Type': contentType,
    'Cache-Control': 'no-cache, private',
    ...(warnings.length > 0 && { Warning: warningHeaders(warnings) }),
    ...headers,
  };
}

/** Whether the JSON goes out unchanged. */
function isPlain({ contentType, type = 'json' }: Reply, { pretty }: ReplyPreferences): boolean {
  return contentType !== 'application/json' || (type === 'json' && !pretty);
}

/** Encodes a reply in another form than plain JSON. */
async function encode({
  contentType,
  body,
  type = 'json',
}: Reply): Promise<{ contentType: string; text: string }> {
  // Deeper JSON would be mostly indentation. JSON is valid YAML, too.
  if (jsonDepth(body) > maxIndentedDepth) {
    return { contentType: type === 'json' ? contentType : 'application/yaml', text: body };
  }
  const value = parseJson(body);
  if (type === 'json') return { contentType, text: stringifyJson(value, 2) };
  // Loaded on demand: most servers never need it.
  const { stringify } = await import('yaml');
  // YAML 1.1, as Go reads it: `yes` and `012` need quotes there.
  const text = stringify(value, {
    version: '1.1',
    sortMapEntries: true,
    aliasDuplicateObjects: false,
    lineWidth: 0,
  });
  return { contentType: 'application/yaml', text };
}

/** Whether a person reads the answer, judging by the parameter `pretty` or by the client program. */
export function wantsPretty({ url = '', headers }: HttpRequest): boolean {
  const query = url.slice(url.indexOf('?') + 1);
  const pretty = query.includes('pretty=') ? new URLSearchParams(query).get('pretty') : '';
  if (pretty) return ['1', 't', 'T', 'true', 'TRUE', 'True'].includes(pretty);
  return /^(?:curl|Wget|Mozilla\/5\.0)/.test(headers['user-agent'] ?? '');
}
